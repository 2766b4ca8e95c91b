import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createIdSource, createSystemClock } from "@deputy/kit";
import type { DeliveryStream, EventLog } from "@deputy/protocol";
import { openBlobDirectory } from "@deputy/store/blobs";
import { openSqliteStore } from "@deputy/store/sqlite";
import { onTestFinished } from "vitest";
import { createLogInbox } from "../inbox/log-inbox.ts";
import { openTasksView } from "../open-tasks-view.ts";

export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** A home with a real log and real blobs, whose events are dated by a clock that the test sets. */
export async function setUpRetention(startAt = "2026-03-01T00:00:00.000Z") {
  const directory = mkdtempSync(join(tmpdir(), "retention-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const time = { ms: Date.parse(startAt) };
  const clock = { ...createSystemClock(), now: () => time.ms };
  const ids = createIdSource({ clock });
  const open = async () => {
    const store = await openSqliteStore({ directory, clock, ids });
    onTestFinished(() => store.close());
    return store;
  };
  const never = new AbortController().signal;
  const pause = async (): Promise<void> => undefined;
  return {
    directory,
    time,
    clock,
    ids,
    open,
    never,
    pause,
    blobs: openBlobDirectory(join(directory, "blobs")),
  };
}

export function inboxOf(log: EventLog) {
  const inbox = createLogInbox({ log, sha256, redact: (payload) => payload });
  const deliver = async (hook: string, key: string): Promise<"accepted" | "duplicate"> => {
    const told = { hookId: hook, hook, scheme: "none", key, deliveryId: key, contentType: "text/plain" };
    return (await inbox.accept({ ...told, bytes: 3, sha256: sha256(key), payload: { key } })).kind;
  };
  const streamOf = (hook: string, key: string): DeliveryStream =>
    `delivery:${sha256(JSON.stringify([hook, key]))}`;
  /** The deliveries that still have their payload. */
  const left = async (): Promise<string[]> => {
    const all = await Array.fromAsync(log.readAll({ types: ["hook.received"] }));
    return all.flatMap(({ event }) =>
      event.data === null ? [] : [(event.data as { readonly deliveryId: string }).deliveryId],
    );
  };
  const view = openTasksView(log);
  return { deliver, streamOf, left, tasks: async () => (await view.current()).state };
}
