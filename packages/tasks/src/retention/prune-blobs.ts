import type { EventLog, UnusedBlobs } from "@deputy/protocol";
import { type BlobReferences } from "./blob-references.ts";

/** Named by one event, and removed after it. */
const SLICE = 50;

/**
 * Removes blobs that were neither put nor opened since a moment, and that no event names which was not erased.
 * Resolves with how many. A crash at any moment loses nothing that is needed: the event that names them comes
 * first, so that one that was named and is still there is simply found again. Who refers to a blob opens or puts
 * it before; then it counts as used, and the store itself refuses to remove it. Rejects as log and store do, and
 * with the signal's reason.
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
    // Events that were appended meanwhile may name one of them.
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
