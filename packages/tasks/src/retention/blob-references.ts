import type { EventId } from "@deputy/kit";
import type { EventLog, StoredEvent, StreamId, ViewSnapshot } from "@deputy/protocol";

/** Which events name which blobs. */
export interface BlobReferences {
  /** Reads what is new in the log, with pauses. Rejects as the log does, and with the signal's reason. */
  catchUp(signal: AbortSignal): Promise<void>;
  /** True if an event that was read and not erased names the blob. Rejects like the log. */
  isReferred(blobId: string): Promise<boolean>;
}

type Place = readonly [stream: StreamId, seq: number];

const KEPT_AS = "blob references 1";
/** Events between two pauses. */
const SLICE = 256;
/** A blob that is named more often counts as referenced forever: its erasures are not counted. */
const MOST_PLACES = 16;
const BLOB_ID = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g;
/** Fields of the events themselves that contain other hashes. */
const OTHER_HASHES: ReadonlySet<string> = new Set([
  "inputHash",
  "bindingHash",
  "circumstances",
  "toolHash",
  "groundsHash",
  "payloadHash",
  "sha256",
  "checkpoint",
]);

/**
 * Everything in an event that looks like a blob's id counts as a reference, even before there was such a blob: the
 * same bytes may be stored again. The references are kept beside the log, as views are.
 */
export function createBlobReferences(deps: {
  readonly log: Pick<EventLog, "readAll" | "read" | "snapshots">;
  readonly pause: (signal: AbortSignal) => Promise<void>;
}): BlobReferences {
  const { log } = deps;
  const places = new Map<string, readonly Place[]>();
  let last: Pick<ViewSnapshot, "position" | "eventId"> | undefined;
  let isLoaded = false;

  const load = async (): Promise<void> => {
    isLoaded = true;
    const kept = await log.snapshots?.load(KEPT_AS);
    if (kept === undefined || !(await isAt(log, kept))) return;
    for (const [id, named] of kept.state as [string, Place[]][]) places.set(id, named);
    last = { position: kept.position, eventId: kept.eventId };
  };
  const note = (event: StoredEvent): void => {
    for (const id of blobsNamedIn(event.data)) {
      const known = places.get(id) ?? [];
      if (known.length < MOST_PLACES) places.set(id, [...known, [event.stream, event.seq]]);
    }
  };

  return {
    async catchUp(signal) {
      if (!isLoaded) await load();
      const before = last?.position;
      let read = 0;
      for await (const { position, event } of log.readAll({ after: before ?? 0 })) {
        last = { position, eventId: event.id };
        // The event that lists removed blobs does not refer to them.
        if (event.type !== "retention.pruned") note(event);
        read += 1;
        if (read % SLICE === 0) await deps.pause(signal);
      }
      if (last !== undefined && last.position !== before)
        await log.snapshots?.save(KEPT_AS, { ...last, state: [...places] });
    },
    async isReferred(blobId) {
      const named = places.get(blobId) ?? [];
      if (named.length >= MOST_PLACES) return true;
      for (const [stream, seq] of named)
        for await (const event of log.read(stream, { after: seq - 1, limit: 1 }))
          if (event.data !== null) return true;
      return false;
    },
  };
}

export function blobsNamedIn(value: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  const look = (one: unknown): void => {
    if (typeof one === "string") for (const [id] of one.matchAll(BLOB_ID)) found.add(id);
    if (typeof one !== "object" || one === null) return;
    for (const [key, inner] of Object.entries(one)) {
      look(key);
      look(inner);
    }
  };
  if (typeof value !== "object" || value === null) return found;
  for (const [key, inner] of Object.entries(value)) if (!OTHER_HASHES.has(key)) look(inner);
  return found;
}

async function isAt(log: Pick<EventLog, "readAll">, kept: { position: number; eventId: EventId }) {
  for await (const { position, event } of log.readAll({ after: kept.position - 1 }))
    return position === kept.position && event.id === kept.eventId;
  return false;
}
