import { createHash } from "node:crypto";
import { createIdSource, createSystemClock } from "@deputy/kit";
import { createRedactor } from "@deputy/secrets";
import { createMemoryEventLog } from "@deputy/testing";
import { expect, test } from "vitest";
import type { Delivery } from "./inbox.ts";
import { createInboxReader } from "./inbox-reader.ts";
import { createLogInbox } from "./log-inbox.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

function setup() {
  const clock = createSystemClock();
  const log = createMemoryEventLog({ clock, ids: createIdSource({ clock }) });
  const redactor = createRedactor(["a secret of ours"]);
  const open = () => createLogInbox({ log, sha256, redact: redactor.json });
  const received = async () => (await Array.fromAsync(log.readAll())).map(({ event }) => event);
  return { log, open, inbox: open(), received, reader: createInboxReader(log) };
}

const delivery = (over: Partial<Delivery> = {}): Delivery => ({
  hookId: "4f1c",
  hook: "builds",
  scheme: "standard",
  key: "msg_1",
  deliveryId: "msg_1",
  contentType: "application/json",
  bytes: 18,
  sha256: sha256("x"),
  payload: { state: "failed" },
  ...over,
});

test("[J30] an acknowledged delivery is in the log, labelled untrusted, without secrets", async () => {
  const { inbox, received } = setup();
  const payload = { state: "failed", why: ["it said a secret of ours"] };
  expect(await inbox.accept(delivery({ payload }))).toEqual({ kind: "accepted" });
  const [event, ...more] = await received();
  expect(more).toEqual([]);
  expect(event).toMatchObject({ type: "hook.received", seq: 1 });
  expect(event?.stream).toMatch(/^delivery:[0-9a-f]{64}$/);
  expect(event?.data).toEqual({
    hookId: "4f1c",
    hook: "builds",
    scheme: "standard",
    deliveryId: "msg_1",
    contentType: "application/json",
    bytes: 18,
    sha256: sha256("x"),
    payload: { state: "failed", why: ["it said [redacted]"] },
    label: { trust: "untrusted", source: "hook:builds" },
  });
});

test("[J30] writes a delivery with full durability before acknowledging it; a refused append is no delivery", async () => {
  const { log, received } = setup();
  const asked: unknown[] = [];
  const inbox = createLogInbox({
    log: {
      append: (...args) => {
        asked.push(args[2]);
        return log.append(...args);
      },
    },
    sha256,
    redact: (value) => value,
  });
  await inbox.accept(delivery());
  expect(asked).toEqual([{ durability: "full", expectedSeq: 0 }]);
  log.close();
  await expect(inbox.accept(delivery({ key: "msg_2" }))).rejects.toMatchObject({ code: "log_closed" });
  expect(await received().catch(() => [])).toHaveLength(0);
});

test("[J31] the same delivery again adds nothing: concurrent, later, or from another process", async () => {
  const { inbox, open, received } = setup();
  const kinds = await Promise.all(Array.from({ length: 10 }, () => inbox.accept(delivery())));
  expect(kinds.filter(({ kind }) => kind === "accepted")).toHaveLength(1);
  expect(await open().accept(delivery({ payload: { state: "other" } }))).toEqual({ kind: "duplicate" });
  expect(await received()).toHaveLength(1);
});

test("[J31] another key, or the same key at another hook, is another delivery", async () => {
  const { inbox, received } = setup();
  await inbox.accept(delivery());
  expect(await inbox.accept(delivery({ key: "msg_2" }))).toEqual({ kind: "accepted" });
  expect(await inbox.accept(delivery({ hookId: "77aa" }))).toEqual({ kind: "accepted" });
  // No two pairs of hook and key collide.
  expect(await inbox.accept(delivery({ hookId: "a", key: 'b","c' }))).toEqual({ kind: "accepted" });
  expect(await inbox.accept(delivery({ hookId: 'a","b', key: "c" }))).toEqual({ kind: "accepted" });
  expect(await received()).toHaveLength(5);
});

test("[J32] reads the newest deliveries of a hook from the log, without erased ones", async () => {
  const { inbox, reader, received, log } = setup();
  for (const key of ["1", "2", "3", "4"]) await inbox.accept(delivery({ key, deliveryId: key }));
  await inbox.accept(delivery({ hookId: "77aa", deliveryId: "other" }));
  const third = (await received())[2];
  await log.erase(third?.id ?? ("" as never), "ada");
  const ids = async (options: { hookId?: string; limit: number }) =>
    (await reader.newest(options)).map(({ data }) => data.deliveryId);
  expect(await ids({ hookId: "4f1c", limit: 2 })).toEqual(["4", "2"]);
  expect(await ids({ limit: 10 })).toEqual(["other", "4", "2", "1"]);
  expect(await ids({ hookId: "none", limit: 10 })).toEqual([]);
});
