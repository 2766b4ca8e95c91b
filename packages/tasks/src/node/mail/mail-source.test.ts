import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { eventually } from "../eventually.fixture.ts";
import { mailOf, openMailWorld, put } from "./mail-world.fixture.ts";

test("[J72] the first start reports only later mail; each mail is one delivery", async () => {
  const { server, open, payloads, reader } = await openMailWorld();
  put(server, "old-1", "old-2");
  const { isWatching } = open();
  await eventually(() => expect(server.idling).toBe(1));
  expect(isWatching()).toBe(true);
  put(server, "new-1");
  await eventually(async () => expect(await payloads()).toHaveLength(1));
  put(server, "new-2", "new-3");
  await eventually(async () => expect(await payloads()).toHaveLength(3));
  expect((await payloads())[0]).toEqual({
    uid: 3,
    from: { name: "Grace Hopper", address: "grace@example.org" },
    to: [
      { name: "Ada", address: "ada@example.org" },
      { name: "", address: "b@example.org" },
    ],
    subject: "new-1",
    date: "2026-07-14T07:30:00.000Z",
    receivedAt: "2025-10-09T08:53:20.000Z",
    messageId: "<new-1@example.org>",
    text: "Hello from new-1.",
    attachments: [],
    bytes: mailOf("new-1").length,
    truncated: false,
  });
  const [delivery] = await reader.newest({ limit: 1 });
  expect(delivery?.data).toMatchObject({
    hook: "mail",
    scheme: "imap",
    deliveryId: "7:5",
    event: "mail.received",
    label: { trust: "untrusted", source: "hook:mail" },
  });
});

test("[J72] opens the mailbox read-only and marks no mail as seen", async () => {
  const { server, open, payloads } = await openMailWorld();
  open();
  await eventually(() => expect(server.idling).toBe(1));
  put(server, "one");
  await eventually(async () => expect(await payloads()).toHaveLength(1));
  const used = new Set(server.commands.map((line) => /^(?:UID )?\S+/.exec(line)?.[0]));
  expect(used).toEqual(
    new Set(["CAPABILITY", "LOGIN", "LIST", "LSUB", "EXAMINE", "UID SEARCH", "IDLE", "NOOP", "UID FETCH"]),
  );
  expect(server.commands.filter((line) => /BODY(?!STRUCTURE|\.PEEK)/.test(line))).toEqual([]);
});

test("[J73] catches up once with mail that arrived while nothing watched", async () => {
  const { server, open, subjects } = await openMailWorld();
  const first = open();
  await eventually(() => expect(server.idling).toBe(1));
  await first.close();
  put(server, "a", "b");
  const second = open();
  await eventually(() => expect(second.isWatching()).toBe(true));
  expect(await subjects()).toEqual(["a", "b"]);
  await second.close();
  const third = open();
  await eventually(() => expect(third.isWatching()).toBe(true));
  expect(await subjects()).toEqual(["a", "b"]);
});

test("[J73] a crash loses no mail that arrived after the first start", async () => {
  const { server, open, subjects, inbox } = await openMailWorld();
  const first = open();
  await eventually(() => expect(server.idling).toBe(1));
  await first.close();
  put(server, "a", "b", "c");
  let accepted = 0;
  const dying = open({}, undefined, async (delivery) => {
    const answer = await inbox.accept(delivery);
    accepted += 1;
    if (accepted === 2) throw new Error("killed after the commit, before the cursor");
    return answer;
  });
  expect(await dying.ended).toMatchObject({ message: expect.stringContaining("killed") });
  expect(await subjects()).toEqual(["a", "b"]);
  const next = open();
  await eventually(() => expect(next.isWatching()).toBe(true));
  expect(await subjects()).toEqual(["a", "b", "c"]);
});

test("[J73] polls a server without IDLE every minute", async () => {
  const { server, open, subjects, clock } = await openMailWorld({ capabilities: [] });
  const { states } = open();
  await eventually(() => expect(states.at(-1)).toEqual({ kind: "watching", by: "polling" }));
  put(server, "polled");
  expect(await subjects()).toEqual([]);
  await eventually(async () => {
    await clock.advance(60_000);
    expect(await subjects()).toEqual(["polled"]);
  });
  expect(server.commands).not.toContain("IDLE");
});

test("[J73] also polls a server that offers IDLE and refuses it", async () => {
  const { server, open, subjects, clock } = await openMailWorld({
    fault: (name) => (name === "IDLE" ? "no" : undefined),
  });
  const { states } = open();
  await eventually(() => expect(server.commands).toContain("IDLE"));
  put(server, "polled");
  await eventually(async () => {
    await clock.advance(60_000);
    expect(await subjects()).toEqual(["polled"]);
  });
  await eventually(() => expect(states.at(-1)).toEqual({ kind: "watching", by: "polling" }));
});

test("[J73] works with a server that does not tell its next number", async () => {
  const world = await openMailWorld();
  world.server.mailbox.hasUidNext = false;
  put(world.server, "old");
  world.open();
  await eventually(() => expect(world.server.idling).toBe(1));
  put(world.server, "new");
  await eventually(async () => expect(await world.subjects()).toEqual(["new"]));
});

test("[J74] after the server renumbers its mails, those newer than the last one seen are new", async () => {
  const { server, open, subjects } = await openMailWorld();
  const at = (minute: number): Date => new Date(Date.UTC(2025, 9, 9, 9, minute));
  server.deliver({ source: mailOf("old"), receivedAt: at(0) });
  const first = open();
  await eventually(() => expect(server.idling).toBe(1));
  server.deliver({ source: mailOf("seen"), receivedAt: at(1) });
  await eventually(async () => expect(await subjects()).toEqual(["seen"]));
  await first.close();
  server.deliver({ source: mailOf("missed"), receivedAt: at(2) });
  server.mailbox.uidValidity = 8;
  server.mailbox.mails.splice(
    0,
    3,
    ...server.mailbox.mails.map((mail, n) => ({ ...mail, uid: 101 + ((n + 1) % 3) })),
  );
  server.mailbox.uidNext = 104;
  server.mailbox.mails.sort((a, b) => a.uid - b.uid);
  const second = open();
  await eventually(() => expect(second.isWatching()).toBe(true));
  expect(await subjects()).toEqual(["seen", "missed"]);
  server.deliver({ source: mailOf("later"), receivedAt: at(3) });
  await eventually(async () => expect(await subjects()).toEqual(["seen", "missed", "later"]));
});

test("[J74] starts over with another mailbox under the same name", async () => {
  const { server, open, subjects } = await openMailWorld({ user: "bob" });
  const first = open({ user: "bob" });
  await eventually(() => expect(server.idling).toBe(1));
  await first.close();
  put(server, "not-for-the-other");
  const second = open({ user: "bob", host: "localhost" });
  await eventually(() => expect(second.isWatching()).toBe(true));
  expect(await subjects()).toEqual([]);
});

test("[J71] stops at an invalid cursor instead of guessing", async () => {
  const { server, open, cursorFile, subjects } = await openMailWorld();
  const first = open();
  await eventually(() => expect(server.idling).toBe(1));
  await first.close();
  put(server, "waiting");
  const good = readFileSync(cursorFile, "utf8");
  for (const broken of ["", "{", "null", '{"id":1}', good.replace(/"uid":\d+/, '"uid":"x"')]) {
    writeFileSync(cursorFile, broken);
    expect(await open().ended).toMatchObject({
      code: "cursor_unusable",
      message: expect.stringContaining(cursorFile),
    });
  }
  writeFileSync(cursorFile, good);
  open();
  await eventually(async () => expect(await subjects()).toEqual(["waiting"]));
});
