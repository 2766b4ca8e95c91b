import type { EventLog, StreamId } from "@deputy/protocol";
import { GatewayError } from "./gateway-error.ts";

/**
 * The projection of one event of the log, as server-sent events that are written together. Only the last of them has
 * the cursor, so that a client that resumes never gets half a group twice, nor misses the other half. Without a `seq`
 * there is no cursor: events that are never stored cannot be resumed from.
 */
export function groupFrame(group: readonly unknown[], seq?: number): string {
  const frames = group.map((event) => `data: ${JSON.stringify(event)}\n\n`);
  if (seq === undefined) return frames.join("");
  return [...frames.slice(0, -1), `id: ${seq}\n${frames.at(-1)}`].join("");
}

/** Server-sent events that must not be split, also as one chunk of a body, encoded once for all receivers. */
export interface Frame {
  readonly text: string;
  readonly chunk: Uint8Array;
}

export function frameOf(text: string): Frame {
  return { text, chunk: Buffer.from(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`) };
}

/** The `seq` a `Last-Event-ID` names; 0 without one. Rejects with `invalid_cursor`, also for one from the future. */
export async function readCursor(
  log: EventLog,
  stream: StreamId,
  lastEventId: string | undefined,
): Promise<number> {
  if (lastEventId === undefined) return 0;
  const seq = /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : undefined;
  const head = await log.head(stream);
  if (seq !== undefined && seq <= (head?.seq ?? 0)) return seq;
  throw new GatewayError("invalid_cursor", "Last-Event-ID is not a position in these events", {
    hint: "Leave it out to start from the beginning",
  });
}
