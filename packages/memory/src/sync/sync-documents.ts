import { throwIfAborted } from "@deputy/kit";
import type { DocumentSource, ListedDocument, SourceProblem } from "../document.ts";
import type { DocumentRecord, MemoryStore } from "../store/memory-store.ts";
import type { ChunkSize } from "../text/chunk-text.ts";
import { chunksOf, type Hash, indexIdentity, recordOf } from "./index-document.ts";

/** What a sync has found and done. */
export interface SyncReport {
  readonly documents: number;
  readonly indexed: number;
  readonly removed: number;
  readonly problems: readonly SourceProblem[];
}

export interface SyncProgress {
  readonly done: number;
  readonly total: number;
}

/**
 * Makes the index agree with the documents, by words: vectors come later. Reads only what has changed. What cannot be
 * looked at stays as it was, and is marked stale. An abort, or a crash, leaves an index that is right for each single
 * document. Rejects with the store's error, and with the signal's reason on abort.
 */
export async function syncDocuments(
  deps: {
    readonly sources: readonly DocumentSource[];
    readonly store: MemoryStore;
    readonly hash: Hash;
    readonly size: ChunkSize;
    readonly onProgress?: (progress: SyncProgress) => void;
  },
  signal: AbortSignal,
): Promise<SyncReport> {
  const { sources, store, onProgress } = deps;
  const listed = new Map<string, ListedDocument>();
  const problems: SourceProblem[] = [];
  for (const source of sources) {
    const listing = await source.list(signal);
    for (const document of listing.documents)
      if (!listed.has(document.key)) listed.set(document.key, document);
    problems.push(...listing.problems);
  }
  const known = await store.documents();
  const revisionOf = (document: ListedDocument): string => `${indexIdentity(deps.size)} ${document.revision}`;
  const changed = [...listed.values()].filter((document) => {
    const before = known.get(document.key);
    return before?.revision !== revisionOf(document) || before.isStale;
  });
  let indexed = 0;
  for (const [at, document] of changed.entries()) {
    throwIfAborted(signal);
    onProgress?.({ done: at, total: changed.length });
    const outcome = await indexOne({ ...deps, revision: revisionOf(document) }, document, known, signal);
    if (outcome === "indexed") indexed++;
    else if (outcome === "vanished") listed.delete(document.key);
    else if (outcome !== "unchanged") problems.push(outcome);
  }
  if (changed.length > 0) onProgress?.({ done: changed.length, total: changed.length });
  const gone = [...known.values()].filter(({ key }) => !listed.has(key));
  const unseen = gone.filter((document) => isAffected(document, problems));
  await store.update(unseen.filter(({ isStale }) => !isStale).map(asStale));
  const removed = gone.filter((document) => !unseen.includes(document)).map(({ key }) => key);
  if (removed.length > 0) await store.remove(removed);
  return { documents: listed.size, indexed, removed: removed.length, problems };
}

function asStale(document: DocumentRecord): DocumentRecord {
  return { ...document, isStale: true };
}

function isAffected({ key }: DocumentRecord, problems: readonly SourceProblem[]): boolean {
  return problems.some(({ keyPrefix }) => key.startsWith(keyPrefix));
}

async function indexOne(
  deps: {
    readonly store: MemoryStore;
    readonly hash: Hash;
    readonly size: ChunkSize;
    readonly revision: string;
  },
  document: ListedDocument,
  known: ReadonlyMap<string, DocumentRecord>,
  signal: AbortSignal,
): Promise<"indexed" | "unchanged" | "vanished" | SourceProblem> {
  const { store, revision } = deps;
  const before = known.get(document.key);
  const problem = (message: string): SourceProblem => ({
    keyPrefix: document.key,
    path: document.path,
    message,
  });
  try {
    const read = await document.read(signal);
    if (read === undefined) return "vanished";
    const record = { ...recordOf(document, read, deps), revision };
    if (before?.hash === record.hash) {
      await store.update([record]);
      return "unchanged";
    }
    await store.put(record, chunksOf(read, deps));
    return read.isPartial === true ? problem("Only its beginning is remembered: it is too large") : "indexed";
  } catch (error) {
    throwIfAborted(signal);
    if (!(error instanceof UnreadableDocument)) throw error;
    if (before !== undefined) await store.update([asStale(before)]);
    return problem(error.message);
  }
}

/** Thrown by `read` of a document: it is there, but cannot be read now. */
export class UnreadableDocument extends Error {}
