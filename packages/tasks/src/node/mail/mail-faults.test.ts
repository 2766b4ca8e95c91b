import type { ImapFault } from "@deputy/testing";
import { expect, test } from "vitest";
import { eventually } from "../eventually.fixture.ts";
import { type MailWorld, openMailWorld, put } from "./mail-world.fixture.ts";

const MAILS = ["a", "b", "c"];

/** Opens the source again whenever it fails, as the supervisor would, until it watches and everything is there. */
async function openUntilDelivered(world: MailWorld, wanted: readonly string[]): Promise<number> {
  for (let times = 1; ; times++) {
    const life = world.open();
    const failed = await Promise.race([
      life.ended.then(() => true),
      eventually(() => expect(life.isWatching()).toBe(true)).then(() => false),
    ]);
    if (failed && times < 20) continue;
    await eventually(async () => expect(await world.subjects()).toEqual(wanted));
    await life.close();
    return times;
  }
}

/** Every command of a source that catches up with three mails, by name and number. */
async function everyCommand(): Promise<readonly string[]> {
  const world = await openMailWorld();
  await openUntilDelivered(world, []);
  const before = world.server.commands.length;
  put(world.server, ...MAILS);
  await openUntilDelivered(world, MAILS);
  const counts = new Map<string, number>();
  const named = world.server.commands.map((line) => {
    const name = /^(?:UID )?\S+/.exec(line)?.[0] ?? "";
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return `${name}#${counts.get(name)}`;
  });
  // It may or may not have reached the wait before it was closed.
  return named.slice(before).filter((name) => !name.startsWith("IDLE"));
}

const faults = ["drop", "drop_midway", "no"] as const satisfies readonly ImapFault[];

test.each(faults)(
  "[J73] delivers each mail once and in order, whichever command meets %s",
  async (fault) => {
    const commands = await everyCommand();
    expect(commands.length).toBeGreaterThan(12);
    for (const point of commands) {
      const world = await openMailWorld({
        fault: (name, nth) => (`${name}#${nth}` === point ? fault : undefined),
      });
      await openUntilDelivered(world, []);
      put(world.server, ...MAILS);
      await openUntilDelivered(world, MAILS);
      const again = world.open();
      await eventually(() => expect(again.isWatching()).toBe(true));
      expect([point, await world.subjects()]).toEqual([point, MAILS]);
      await again.close();
    }
  },
  120_000,
);

test("[J73] a connection that ends while waiting is a failure like any other, and nothing is missed", async () => {
  const world = await openMailWorld();
  const life = world.open();
  await eventually(() => expect(world.server.idling).toBe(1));
  world.server.dropAll();
  expect(await life.ended).toMatchObject({ code: "source_unreachable" });
  put(world.server, ...MAILS);
  await openUntilDelivered(world, MAILS);
});

test("[J75] gives up on an answer that never ends", async () => {
  const world = await openMailWorld({
    fault: (name, nth) => (name === "UID FETCH" && nth === 2 ? "stall" : undefined),
  });
  await openUntilDelivered(world, []);
  put(world.server, "slow");
  const life = world.open();
  await eventually(() =>
    expect(world.server.commands.filter((line) => line.startsWith("UID FETCH"))).toHaveLength(2),
  );
  await world.clock.advance(60_000);
  expect(await life.ended).toMatchObject({
    code: "source_unreachable",
    message: "127.0.0.1 takes too long to answer",
  });
  await openUntilDelivered(world, ["slow"]);
});

test.each(["bad_literal", "huge_literal", "no"] as const)(
  "[J75] reports a mail that its server never delivers (%s) once, and continues with the next",
  async (fault) => {
    const world = await openMailWorld({
      // The second request for a mail has its content; the first two mails' are fine otherwise.
      fault: (name, nth) => (name === "UID FETCH" && nth % 2 === 0 && nth <= 10 ? fault : undefined),
    });
    await openUntilDelivered(world, []);
    put(world.server, "poisoned", "after");
    const source = world.open();
    const failure = await source.ended;
    expect(failure).toMatchObject({ code: "source_misbehaved" });
    for (let times = 2; times <= 5; times++)
      expect(await source.source.open(source.context).catch((error: unknown) => error)).toMatchObject({
        code: "source_misbehaved",
      });
    const ended = source.source.open(source.context).catch(() => undefined);
    await eventually(async () => expect(await world.subjects()).toEqual(["", "after"]));
    await source.close();
    await ended;
    const [poisoned] = await world.payloads();
    expect(poisoned).toMatchObject({
      problem: "The server does not hand it over.",
      truncated: true,
      text: "",
    });
  },
);

test("[J76] a refused sign-in says what to do and what the server said, without the password", async () => {
  const { open } = await openMailWorld();
  const failure = await open({}, { kind: "password", value: "wrong-and-secret" }).ended;
  expect(failure).toMatchObject({
    code: "source_refused",
    message: "127.0.0.1 does not let ada in: no such user",
    hint: expect.stringContaining("made for one app"),
  });
  expect(String(failure)).not.toContain("wrong-and-secret");
});

test.each([
  ["before the sign-in", "LOGIN"],
  ["after it", "EXAMINE"],
])(
  "[J76] a server that ends the connection is quoted, and host and port are not in doubt: %s",
  async (_when, command) => {
    const world = await openMailWorld({ fault: (name) => (name === command ? "bye" : undefined) });
    const failure = await world.open().ended;
    expect(failure).toMatchObject({
      code: "source_unreachable",
      message: expect.stringMatching(/ended the connection: Too many connections.* from your address$/),
      hint: expect.not.stringContaining("host and port"),
    });
    const dropping = await openMailWorld({ fault: (name) => (name === "EXAMINE" ? "drop" : undefined) });
    expect(await dropping.open().ended).toMatchObject({
      code: "source_unreachable",
      message: expect.stringContaining("ended the connection"),
      hint: expect.stringContaining("sign-in are right"),
    });
  },
);

test("[J76] signs in with an access token too", async () => {
  const world = await openMailWorld({ accessToken: "tok-1", capabilities: ["IDLE", "AUTH=XOAUTH2"] });
  const life = world.open({}, { kind: "accessToken", value: "tok-1" });
  await eventually(() => expect(life.isWatching()).toBe(true));
  await life.close();
  const expired = await world.open({}, { kind: "accessToken", value: "tok-0" }).ended;
  expect(expired).toMatchObject({ code: "source_refused", hint: expect.stringContaining("access token") });
});

test("[J76] tells apart a missing mailbox, something that is not a mail server, and an unreachable server", async () => {
  const { open, server } = await openMailWorld();
  expect(await open({ mailbox: "Orders" }).ended).toMatchObject({
    code: "source_refused",
    message: expect.stringContaining("has no mailbox Orders"),
  });
  await server[Symbol.asyncDispose]();
  expect(await open().ended).toMatchObject({
    code: "source_unreachable",
    message: "No connection to 127.0.0.1 (ECONNREFUSED)",
  });
});

test.each(["tls", "starttls"] as const)(
  "[J77] with %s, sends nothing to an unencrypted server",
  async (encryption) => {
    const { open, server } = await openMailWorld();
    expect(await open({ encryption }).ended).toMatchObject({ code: "source_refused" });
    expect(server.commands.filter((line) => /LOGIN|AUTHENTICATE/.test(line))).toEqual([]);
  },
);

test("[J73] skips a mail that was deleted before it was read", async () => {
  let deleteFirst = (): void => undefined;
  const world = await openMailWorld({
    fault(name) {
      if (name === "UID FETCH") deleteFirst();
      return undefined;
    },
  });
  await openUntilDelivered(world, []);
  put(world.server, "gone", "there");
  deleteFirst = () => {
    world.server.mailbox.mails.shift();
    deleteFirst = () => undefined;
  };
  await openUntilDelivered(world, ["there"]);
});
