import { createHash, randomBytes } from "node:crypto";
import { createIdSource } from "@deputy/kit";
import { createFakeClock, createMemoryEventLog } from "@deputy/testing";
import { expect, test } from "vitest";
import { createLogChannels } from "./log-channels.ts";

function setup() {
  const clock = createFakeClock();
  const ids = createIdSource({ clock });
  const log = createMemoryEventLog({ clock, ids });
  const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
  const open = () => createLogChannels({ log, clock, sha256, randomBytes });
  return { clock, ids, log, open };
}

const ada = { id: "17", name: "Ada" };
const eve = { id: "18", name: "Ada" };

test("[J140] a code pairs one person, once, as people type it, and the next process knows it", async () => {
  const { open } = setup();
  const { code } = await open().issueCode("telegram");
  expect(code).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/);
  expect(await open().pair("telegram", ada, ` ${code.toLowerCase().replace("-", " ")} `)).toBe("paired");
  expect(await open().pair("telegram", eve, code)).toBe("wrong");
  expect(await open().people("telegram")).toEqual([ada]);
  expect(await open().people("slack")).toEqual([]);
});

test("[J140] a code is of one channel, ends after ten minutes, with the next one, and with the fifth wrong guess", async () => {
  const { open, clock } = setup();
  const channels = open();
  const { code: old } = await channels.issueCode("telegram");
  expect(await channels.pair("slack", ada, old)).toBe("wrong");
  const { code } = await channels.issueCode("telegram");
  expect(await channels.pair("telegram", ada, old)).toBe("wrong");
  for (let guess = 0; guess < 4; guess++)
    expect(await channels.pair("telegram", eve, "nonsense")).toBe("wrong");
  expect(await channels.pair("telegram", ada, code)).toBe("wrong");
  const { code: late } = await channels.issueCode("telegram");
  await clock.advance(600_000);
  expect(await channels.pair("telegram", ada, late)).toBe("wrong");
  expect(await channels.people("telegram")).toEqual([]);
});

test("[J140] the log has no code that anybody could use", async () => {
  const { open, log } = setup();
  const { code } = await open().issueCode("telegram");
  const written = JSON.stringify(await Array.fromAsync(log.read("system")));
  expect(written).not.toContain(code);
  expect(written).not.toContain(code.replace("-", ""));
});

test("[J140] who is unpaired is unknown again", async () => {
  const { open } = setup();
  const { code } = await open().issueCode("telegram");
  await open().pair("telegram", ada, code);
  expect(await open().unpair("telegram", ada.id)).toBe(true);
  expect(await open().unpair("telegram", ada.id)).toBe(false);
  expect(await open().people("telegram")).toEqual([]);
});

test("[J141] after a crash it is known what was posted, what perhaps was, and up to where all is shown", async () => {
  const { open, ids } = setup();
  const session = ids.next("session");
  const post = (item: string, part: number) => ({ channel: "telegram", session, item, part });
  await open().posting(post("a", 0));
  await open().posted({ ...post("a", 0), ref: "100" });
  await open().posting(post("a", 1));
  await open().posting(post("card", 0));
  await open().posted({ ...post("card", 0), ref: "101" });
  await open().shown({ channel: "telegram", session, through: 4 });
  expect(await open().progress("telegram")).toEqual([
    {
      session,
      through: 4,
      again: [],
      isClosed: false,
      open: [
        { item: "a", part: 0, ref: "100" },
        { item: "a", part: 1 },
        { item: "card", part: 0, ref: "101" },
      ],
    },
  ]);
  await open().shown({ channel: "telegram", session, item: "a", through: 9 });
  expect(await open().progress("telegram")).toMatchObject([{ through: 9, open: [{ item: "card" }] }]);
  expect(await open().progress("discord")).toEqual([]);
});

test("[J144] conversations of those who are not known any more are closed, until they are known again", async () => {
  const { open, ids } = setup();
  const [one, two] = [ids.next("session"), ids.next("session")];
  const home = (person: string, session: typeof one) => ({ channel: "telegram", person, session });
  await open().home(home("17", one));
  await open().home(home("17", one));
  await open().home(home("18", two));
  await open().keepOnly("telegram", ["17"]);
  const closed = async () =>
    (await open().progress("telegram")).filter(({ isClosed }) => isClosed).map(({ session }) => session);
  expect(await closed()).toEqual([two]);
  expect(await open().unpair("telegram", "17")).toBe(false);
  await open().home(home("18", two));
  expect(await closed()).toEqual([]);
});

test("[J144] what could not be posted has a reason, and is posted once more when that is asked for", async () => {
  const { open, ids } = setup();
  const session = ids.next("session");
  const where = { channel: "telegram", session };
  await open().posting({ ...where, item: "note", part: 0 });
  await open().shown({ ...where, item: "note", failed: "blocked" });
  expect(await open().failed("telegram")).toMatchObject([{ session, item: "note", reason: "blocked" }]);
  expect(await open().failed("slack")).toEqual([]);
  expect(await open().retry("telegram")).toBe(1);
  expect(await open().retry("telegram")).toBe(0);
  expect(await open().progress("telegram")).toMatchObject([{ again: ["note"] }]);
  await open().posting({ ...where, item: "note", part: 0 });
  expect(await open().progress("telegram")).toMatchObject([{ again: [] }]);
});
