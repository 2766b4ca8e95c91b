import type { EventLog, UnusedBlobs } from "@deputy/protocol";
import { type BlobReferences } from "./blob-references.ts";

/** How many one event names before they are removed. */
const SLICE = 50;

/**
 * Removes blobs that were neither put nor opened since a given time, and that no unerased event names.
 * Resolves with how many. A crash at any moment loses nothing that is needed: the event that names them comes
 * first, and a named blob that still exists is simply found again. Code that refers to a blob opens or puts
 * it before; then it counts as used, and the store itself refuses to remove it. Rejects like log and store,
 * and with the signal's reason.
 */
export async function pruneBlobs(
  deps: {
    readonly log: Pick<EventLog, "append">;
    readonly blobs: UnusedBlobs;
    readonly references: BlobReferences;
    readonly pause: (signal: AbortSignal) => Promise<void>;
  },
  rule: { readonly beforeMs: number; readonly reason: string },
  signal: AbortSignal,
): Promise<number> {
  const { log, blobs, references } = deps;
  const { beforeMs, reason } = rule;
  const candidates = [...(await blobs.unusedSince(beforeMs))];
  let removed = 0;
  while (candidates.length > 0) {
    signal.throwIfAborted();
    // Events appended meanwhile may name one of them.
    await references.catchUp(signal);
    const blobIds: string[] = [];
    for (const blobId of candidates.splice(0, SLICE))
      if (!(await references.isReferred(blobId))) blobIds.push(blobId);
    const count = blobIds.length;
    if (count > 0) {
      await log.append("system", [
        { type: "retention.pruned", data: { what: "blobs", count, reason, blobIds } },
      ]);
      for (const blobId of blobIds) await blobs.removeUnused(blobId, beforeMs);
    }
    removed += count;
    await deps.pause(signal);
  }
  return removed;
}
