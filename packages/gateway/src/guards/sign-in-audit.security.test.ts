import { EventLogError } from "@deputy/protocol";
import { createFakeClock } from "@deputy/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import type { GatewayDeps } from "../gateway.ts";
import { startTestGateway, TOKEN } from "../test/gateway.fixture.ts";
import { collect } from "../test/read-event-stream.ts";

async function setup(overrides: Partial<GatewayDeps> = {}) {
  const clock = createFakeClock();
  // As the kernel would say, whose table is long to read.
  const gateway = await startTestGateway({ clock, peerUid: () => process.getuid?.(), ...overrides });
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  const withToken = (token: string, client = "curl/8") =>
    gateway.fetch("/api/tasks", { headers: { authorization: `Bearer ${token}`, "user-agent": client } });
  const tries = (count: number, token: (index: number) => string, client?: (index: number) => string) =>
    Promise.all(Array.from({ length: count }, (_, i) => withToken(token(i), client?.(i))));
  const recorded = async (type: string) =>
    (await collect(gateway.log.read("system"))).flatMap((event) => (event.type === type ? [event.data] : []));
  /** By then, everything handed to the log has been appended. */
  const until = (type: string, count: number) =>
    vi.waitFor(async () => {
      const found = await recorded(type);
      expect(found).toHaveLength(count);
      return found;
    });
  return { ...gateway, clock, withToken, tries, recorded, until };
}

test("[G18] records a refused sign-in without the secret", async () => {
  const { withToken, until } = await setup();
  await withToken("hunter2");
  expect(await until("auth.rejected", 1)).toEqual([
    {
      who: "unknown",
      from: "127.0.0.1",
      route: "GET /api/tasks",
      how: "bearer",
      client: "curl/8",
      reason: "wrong_token",
    },
  ]);
});

test("[G18] records a bounded number of events for a flood, and counts the rest after its minute", async () => {
  const { clock, tries, until } = await setup();
  await tries(200, (i) => `guess-${i}`);
  await until("auth.rejected", 30);
  await clock.advance(60_000);
  expect((await until("auth.rejected", 31)).at(-1)).toMatchObject({
    reason: "too_many_attempts",
    unrecorded: 169,
  });
  await clock.advance(600_000);
  await until("auth.rejected", 31);
});

test("[G18] records a bounded number of events per minute for a lasting flood, and counts all of it", async () => {
  const { clock, tries, until, recorded } = await setup();
  for (let minute = 1; minute <= 3; minute++) {
    await tries(100, (i) => `guess-${i}`);
    await clock.advance(60_000);
    await until("auth.rejected", 31 * minute);
  }
  const found = (await recorded("auth.rejected")) as { unrecorded?: number }[];
  expect(found.reduce((sum, { unrecorded = 0 }) => sum + 1 + unrecorded, 0)).toBe(300);
});

test("[G18] closing counts the rest of a flood", async () => {
  const { gateway, tries, recorded } = await setup();
  await tries(50, (i) => `guess-${i}`);
  await gateway.close();
  const found = await recorded("auth.rejected");
  expect([found.length, found.at(-1)]).toEqual([31, expect.objectContaining({ unrecorded: 19 })]);
});

test("[G22] records one event per client and hour", async () => {
  const { clock, tries, withToken, until } = await setup();
  await tries(20, () => TOKEN);
  expect(await until("auth.accepted", 1)).toEqual([
    { who: "owner", from: "127.0.0.1", route: "GET /api/tasks", how: "bearer", client: "curl/8" },
  ]);
  await clock.advance(3_599_000);
  await withToken(TOKEN);
  await until("auth.accepted", 1);
  await clock.advance(1_000);
  await withToken(TOKEN);
  await until("auth.accepted", 2);
});

test("[G22] records another client, and the same one with a new token, separately", async () => {
  const { withToken, setToken, until } = await setup();
  await withToken(TOKEN, "curl/8");
  await withToken(TOKEN, "Mozilla/5.0");
  await until("auth.accepted", 2);
  setToken("another-token");
  await withToken("another-token", "curl/8");
  await withToken("another-token", "curl/8");
  await until("auth.accepted", 3);
});

test("[G22] ever new, endless client names cannot flood the log, and each is recorded when it comes again", async () => {
  const { clock, tries, withToken, until } = await setup();
  await tries(
    100,
    () => TOKEN,
    (i) => `${i}-`.repeat(500),
  );
  const first = (await until("auth.accepted", 30)) as { client: string }[];
  expect(Math.max(...first.map(({ client }) => client.length))).toBe(200);
  await clock.advance(60_000);
  const names = new Set(first.map(({ client }) => client.split("-")[0]));
  const unseen = Array.from({ length: 100 }, (_, i) => String(i)).find((name) => !names.has(name));
  await withToken(TOKEN, `${unseen}-`.repeat(500));
  await until("auth.accepted", 31);
});

test("[G23] a log that refuses changes no answer, and the failure is reported", async () => {
  const { withToken, log, bugs } = await setup();
  const cause = new EventLogError("storage_full", "The disk is full");
  vi.spyOn(log, "append").mockRejectedValue(cause);
  expect((await withToken("wrong")).status).toBe(401);
  expect((await withToken(TOKEN)).status).toBe(200);
  await vi.waitFor(() => expect(bugs).toHaveLength(2));
  const code = "storage_full";
  expect(bugs).toMatchObject([
    { code, message: expect.stringMatching(/^auth\.rejected from 127\.0\.0\.1 could not .*full/), cause },
    { code, message: expect.stringMatching(/^auth\.accepted from 127\.0\.0\.1 could not .*full/), cause },
  ]);
});

test("[G23] makes up for what could not be recorded: a client by its next request, refusals by a count", async () => {
  const { withToken, log, bugs, until } = await setup();
  const append = vi.spyOn(log, "append").mockRejectedValue(new EventLogError("storage_full", "Full"));
  for (const token of ["wrong", "wrong", TOKEN]) await withToken(token);
  await vi.waitFor(() => expect(bugs).toHaveLength(3));
  append.mockRestore();
  for (const token of [TOKEN, "wrong"]) await withToken(token);
  await until("auth.accepted", 1);
  expect(await until("auth.rejected", 1)).toMatchObject([{ unrecorded: 2 }]);
});

test("[G23] an answer does not wait for its event", async () => {
  const { withToken, log } = await setup();
  const held = Promise.withResolvers<never>();
  onTestFinished(() => held.reject(new EventLogError("log_closed", "The log is closed")));
  vi.spyOn(log, "append").mockReturnValue(held.promise);
  expect((await withToken("wrong")).status).toBe(401);
  expect((await withToken(TOKEN)).status).toBe(200);
});
