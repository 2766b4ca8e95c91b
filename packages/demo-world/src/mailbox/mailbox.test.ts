import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTestDemo } from "../demo.fixture.ts";

interface Found {
  readonly id: string;
  readonly subject: string;
  readonly receivedAt: string;
  readonly unread: boolean;
}

async function setup() {
  const { call, clock, folder, tools } = await openTestDemo();
  const find = async (tool: string, input: object = {}) => (await call(tool, input)) as readonly Found[];
  const outbox = () => JSON.parse(readFileSync(join(folder, "outbox.json"), "utf8")) as { sent: object[] };
  return { call, clock, folder, tools, find, outbox };
}

test("has about twenty messages, newest first, and lists unread ones separately", async () => {
  const { find } = await setup();
  const all = await find("mail.messages.list");
  expect(all).toHaveLength(20);
  expect(all).toEqual(all.toSorted((a, b) => (a.receivedAt < b.receivedAt ? 1 : -1)));
  expect(all[0]).not.toHaveProperty("text");
  const unread = await find("mail.messages.list", { unread: true });
  expect(unread).toEqual(all.filter((message) => message.unread));
  expect(unread.length).toBeGreaterThan(3);
});

test("finds messages by words in sender, subject or text, ignoring case", async () => {
  const { find } = await setup();
  const subjects = async (words: string) =>
    (await find("mail.messages.search", { words })).map(({ subject }) => subject);
  expect(await subjects("INVOICE hosting.example")).toEqual(["Invoice 2291", "Invoice 2217"]);
  expect(await subjects("half past twelve")).toEqual(["Lunch on Friday?"]);
  expect(await subjects("no such word")).toEqual([]);
});

test("an archived message leaves the inbox, and is still found", async () => {
  const { call, find } = await setup();
  const [first] = await find("mail.messages.list");
  for (let n = 0; n < 2; n++) await call("mail.messages.archive", { id: first?.id });
  expect(await find("mail.messages.list")).toHaveLength(19);
  expect(await find("mail.messages.list", { folder: "archive" })).toMatchObject([
    { id: first?.id, unread: false },
  ]);
  await expect(call("mail.messages.archive", { id: "m99" })).rejects.toThrow("There is no message m99");
});

test("a deleted message is in the trash; one with another subject stays", async () => {
  const { call, find, tools } = await setup();
  const [{ id, subject } = { id: "", subject: "" }] = await find("mail.messages.list");
  await expect(call("mail.messages.delete", { id, subject: "Another" })).rejects.toThrow("409");
  for (let n = 0; n < 2; n++) await call("mail.messages.delete", { id, subject });
  expect(await find("mail.messages.list")).toHaveLength(19);
  expect(await find("mail.messages.list", { folder: "trash" })).toMatchObject([{ id, unread: false }]);
  expect(await tools.get("mail.messages.delete")?.preview({ id, subject })).toMatchObject({
    title: `Delete message ${id} of the demo mailbox`,
    details: expect.stringContaining(subject),
  });
});

test("mail arrives on later days, and cannot be found before", async () => {
  const { find, clock } = await setup();
  expect(await find("mail.messages.search", { words: "you have won" })).toEqual([]);
  await clock.advance(86_400_000);
  expect(await find("mail.messages.search", { words: "you have won" })).toHaveLength(1);
  expect((await find("mail.messages.list"))[0]?.subject).toBe("Re: Numbers for Thursday");
  await clock.advance(30 * 86_400_000);
  expect(await find("mail.messages.list")).toHaveLength(28);
});

test("a sent message goes to the outbox, once for each key", async () => {
  const { call, folder, outbox } = await setup();
  const body = { to: ["noor@acme.example"], subject: "Signups", text: "84 a day" };
  expect(existsSync(join(folder, "outbox.json"))).toBe(false);
  const sent = await call("mail.messages.send", { body }, "one");
  expect(await call("mail.messages.send", { body }, "one")).toEqual(sent);
  expect(outbox().sent).toMatchObject([body]);
  await call("mail.messages.send", { body }, "two");
  expect(outbox().sent).toHaveLength(2);
  await expect(call("mail.messages.send", { body: { ...body, to: ["noor"] } })).rejects.toThrow("400");
});

test("the user decides by subject, addresses and text", async () => {
  const { tools } = await setup();
  const body = { to: ["noor@acme.example", "sam@acme.example"], subject: "Signups", text: "84 a day" };
  expect(await tools.get("mail.messages.send")?.preview({ body })).toEqual({
    title: "Send “Signups” to noor@acme.example, sam@acme.example from the demo mailbox",
    details: "84 a day\nPOST demo.localhost/mail/messages",
  });
});
