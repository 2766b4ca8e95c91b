import type { PendingApproval } from "@deputy/protocol";
import { expect, test } from "vitest";
import type { Heard, Person, Pressed, Said } from "../chat-app.ts";
import { waitingRuns } from "../waiting-runs.ts";
import { createDoorkeeper } from "./doorkeeper.ts";

const signal = new AbortController().signal;
const ada: Person = { id: "17", name: "Ada" };
const eve: Person = { id: "66", name: "Ada" };

function setup({ code = "AB12CD34" } = {}) {
  const paired: Person[] = [];
  const tried: string[] = [];
  const keeper = createDoorkeeper({
    allowed: { people: ["1"], guests: ["2"], groups: ["-100"] },
    paired: async () => paired,
    pair: async (person, said) => {
      tried.push(said);
      if (said.toUpperCase().replace(/[- ]/, "") !== code) return false;
      paired.push(person);
      return true;
    },
  });
  const said = (by: Person, text: string, more: Partial<Said> = {}): Heard => ({
    kind: "said",
    id: "m1",
    place: by.id,
    by,
    text,
    files: [],
    ...more,
  });
  const pressed = (by: Person): Pressed => ({
    kind: "pressed",
    id: "p1",
    place: by.id,
    by,
    data: "yes",
    ref: "1",
    tell: async () => undefined,
  });
  const admit = (heard: Heard) => keeper.admit(heard, signal);
  return { admit, said, pressed, tried };
}

test("[CH10] (GC38) people are known by the app's id, never by their name", async () => {
  const { admit, said } = setup();
  expect(await admit(said({ id: "1", name: "anybody" }, "hi"))).toEqual({ kind: "user" });
  expect(await admit(said({ id: "99", name: "1" }, "hi"))).toMatchObject({ kind: "stranger" });
  expect(await admit(said({ id: "2", name: "Bob" }, "hi"))).toEqual({ kind: "guest" });
});

test("[CH10] who shows the code is the user from then on, and nobody of the same name is", async () => {
  const { admit, said } = setup();
  expect(await admit(said(ada, "/start ab12-cd34"))).toEqual({ kind: "paired" });
  expect(await admit(said(ada, "hi"))).toEqual({ kind: "user" });
  expect(await admit(said(eve, "hi"))).toMatchObject({ kind: "stranger" });
});

test("[CH11] (GC39) a stranger gets one polite line, and nothing that is not like a code is tried as one", async () => {
  const { admit, said, pressed, tried } = setup();
  expect(await admit(said(eve, "hello there"))).toMatchObject({ kind: "stranger", tell: expect.any(String) });
  expect(await admit(said(eve, "hello?"))).toEqual({ kind: "stranger" });
  expect(await admit(pressed(eve))).toEqual({ kind: "stranger" });
  expect(tried).toEqual([]);
});

test("[CH12] (GC38) (GC39) a group is another place: it must be named, and each of its people must be known", async () => {
  const { admit, said } = setup();
  await admit(said(ada, "AB12CD34"));
  const inGroup = { place: "-100", group: "-100" };
  expect(await admit(said(ada, "hi", inGroup))).toEqual({ kind: "user" });
  expect(await admit(said(ada, "hi", { place: "-200", group: "-200" }))).toEqual({ kind: "stranger" });
  expect(await admit(said(eve, "hi", inGroup))).toEqual({ kind: "stranger" });
});

test("[CH12] (GC39) a code said in a group pairs nobody", async () => {
  const { admit, said, tried } = setup();
  expect(await admit(said(eve, "AB12CD34", { place: "-100", group: "-100" }))).toEqual({ kind: "stranger" });
  expect(tried).toEqual([]);
});

test("[CH10] while nobody can say who is paired, nobody comes in", async () => {
  const keeper = createDoorkeeper({
    allowed: { people: [], guests: [], groups: [] },
    paired: () => Promise.reject(new Error("gone")),
    pair: async () => true,
  });
  const { said } = setup();
  await expect(keeper.admit(said(ada, "AB12CD34"), signal)).rejects.toThrow("gone");
});

test("[CH45] who looks at the app's page passes the same check; what waits is the owner's to see", async () => {
  const { admit } = setup();
  const looked = (id: string): Heard => ({ kind: "looked", id: "h1", place: "", by: { id, name: "Ada" } });
  expect(await admit(looked("1"))).toEqual({ kind: "user" });
  expect(await admit(looked("2"))).toEqual({ kind: "guest" });
  expect(await admit(looked("66"))).toEqual({ kind: "stranger" });
  const one = { preview: { title: "<!channel> pay" }, card: undefined } as unknown as PendingApproval;
  const shown = (count: number) =>
    waitingRuns(Array.from({ length: count }, () => one))
      .map(({ text }) => text)
      .join("");
  expect(shown(0)).toMatch(/^Nothing waits/);
  expect(shown(1)).toMatch(/^One question waits for you:\n• <!channel> pay\n/);
  expect(shown(23)).toMatch(/^23 questions wait[^]*and 3 more/);
});
