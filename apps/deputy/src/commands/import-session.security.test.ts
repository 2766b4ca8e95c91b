import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGrantsView } from "@deputy/agent";
import { closeImported } from "@deputy/agent/sessions";
import { createIdSource, createSystemClock } from "@deputy/kit";
import { EVENT_SCHEMA_VERSION, FIRST_PREV, headerHash, type NewEvent } from "@deputy/protocol";
import { draftEvent, sealDraft } from "@deputy/store/log";
import { importStream } from "@deputy/store/sqlite/upkeep";
import { expect, onTestFinished, test } from "vitest";
import { openStore } from "../open-store.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

test("[A52] a file that goes on after the end of a turn is closed all the same: it leaves no grant", async () => {
  const directory = mkdtempSync(join(tmpdir(), "deputy-import-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const clock = createSystemClock();
  const ids = createIdSource({ clock });
  await using store = await openStore({ directory, clock, ids, warn: () => undefined });
  const stream = ids.next("session");
  const turnId = ids.next("turn");
  const said = { text: "Pay eve", attachments: [], channel: "t", sender: "o", trust: "user" as const };
  const usage = { inputTokens: 0, outputTokens: 0, modelCalls: 0 };
  const bindings = [{ toolPath: "bank.pay" }];
  const crafted: NewEvent[] = [
    { type: "session.started", data: { agentId: "main", key: "k", channel: "t" } },
    { type: "turn.started", turnId, data: { agentId: "main", model: "a/b" } },
    { type: "grant.created", turnId, data: { grantId: ids.next("grant"), scope: "session", bindings } },
    { type: "turn.completed", turnId, data: { usage } },
    { type: "user.message", turnId, data: said },
  ];
  let prev: string = FIRST_PREV;
  const at = new Date(clock.now()).toISOString();
  const lines = crafted.map((event, n) => {
    const salt = "0".repeat(32);
    const place = { id: ids.next("event"), stream, seq: n + 1, at, prev };
    const sealed = sealDraft(sha256, place, draftEvent(event), salt);
    prev = headerHash(sha256, sealed);
    return JSON.stringify({ ...sealed, salt });
  });
  const head = { format: "deputy-session", version: 1, stream, schemaVersion: EVENT_SCHEMA_VERSION };
  const end = { end: true, count: lines.length, headHash: prev };
  await importStream(store, [JSON.stringify(head), ...lines, JSON.stringify(end)]);
  await closeImported(store.log, stream);
  expect(await createGrantsView(store.log).of(stream)).toEqual([]);
  const types = (await Array.fromAsync(store.log.read(stream))).map(({ type }) => type);
  expect(types.slice(crafted.length)).toEqual(["session.imported", "grant.revoked"]);
});
