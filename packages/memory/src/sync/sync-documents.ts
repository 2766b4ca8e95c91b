import { type Pace, throwIfAborted } from "@deputy/kit";
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

export interface UnreadDocument {
  readonly revision: string;
  readonly problem: SourceProblem;
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
    /** What could not be read, by key, from one sync to the next: it is not read again before it has changed. */
    readonly unread?: Map<string, UnreadDocument>;
    readonly onProgress?: (progress: SyncProgress) => void;
    /** Documents wait for it, unless somebody waits for them. */
    readonly pace?: Pace;
    readonly isUrgent?: () => boolean;
  },
  signal: AbortSignal,
): Promise<SyncReport> {
  const { sources, store, onProgress, pace, unread = new Map<string, UnreadDocument>() } = deps;
  const listed = new Map<string, ListedDocument>();
  const problems: SourceProblem[] = [];
  for (const source of sources) {
    const listing = await source.list(signal);
    for (const document of listing.documents)
      if (!listed.has(document.key)) listed.set(document.key, document);
    problems.push(...listing.problems);
  }
  const known = await store.documents();
  const identity = indexIdentity(deps.size);
  const revisionOf = (document: ListedDocument): string => `${identity} ${document.revision}`;
  for (const key of unread.keys()) if (!listed.has(key)) unread.delete(key);
  const changed = [...listed.values()].filter((document) => {
    const missed = unread.get(document.key);
    if (missed !== undefined && isOf(missed, identity, document)) {
      problems.push(missed.problem);
      return false;
    }
    const before = known.get(document.key);
    return before === undefined || before.isStale || !isOf(before, identity, document);
  });
  let indexed = 0;
  for (const [at, document] of changed.entries()) {
    throwIfAborted(signal);
    onProgress?.({ done: at, total: changed.length });
    const revision = revisionOf(document);
    await pace?.ready(signal, deps.isUrgent);
    const index = () => indexOne({ ...deps, revision }, document, known, signal);
    const outcome = pace === undefined ? await index() : await pace.count(index);
    unread.delete(document.key);
    if (outcome === "indexed") indexed++;
    else if (outcome === "vanished") listed.delete(document.key);
    else if (outcome !== "unchanged") {
      problems.push(outcome);
      unread.set(document.key, { revision, problem: outcome });
    }
  }
  if (changed.length > 0) onProgress?.({ done: changed.length, total: changed.length });
  const gone = [...known.values()].filter(({ key }) => !listed.has(key));
  const unseen = gone.filter((document) => isAffected(document, problems));
  const stale = unseen.filter(({ isStale }) => !isStale).map(asStale);
  if (stale.length > 0) await store.update(stale);
  const removed = gone.filter((document) => !unseen.includes(document)).map(({ key }) => key);
  if (removed.length > 0) await store.remove(removed);
  return { documents: listed.size, indexed, removed: removed.length, problems };
}

/** Every search asks this of every document, so nothing is made of it. */
function isOf(
  { revision }: { readonly revision: string },
  identity: string,
  document: ListedDocument,
): boolean {
  const from = identity.length + 1;
  return (
    revision.length === from + document.revision.length &&
    revision.startsWith(identity) &&
    revision.startsWith(document.revision, from)
  );
}

function asStale(document: DocumentRecord): DocumentRecord {
  return { ...document, isStale: true };
}

function isAffected({ key }: DocumentRecord, problems: readonly SourceProblem[]): boolean {
  return problems.some(({ keyPrefix }) => keyPrefix !== undefined && key.startsWith(keyPrefix));
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
  try {
    const read = await document.read(signal);
    if (read === undefined) return "vanished";
    const record = { ...recordOf(document, read, deps), revision };
    if (before?.hash === record.hash) {
      await store.update([record]);
      return "unchanged";
    }
    if (store.putText === undefined) await store.put(record, chunksOf(read, deps));
    else await store.putText(record, read, deps.size);
    return "indexed";
  } catch (error) {
    throwIfAborted(signal);
    if (!(error instanceof UnreadableDocument)) throw error;
    if (before !== undefined) await store.update([asStale(before)]);
    return { keyPrefix: document.key, path: document.path, message: error.message };
  }
}

/** Thrown by `read` of a document: it is there, but cannot be read now. */
export class UnreadableDocument extends Error {}
