import type { Embedder } from "@deputy/embedder";
import { type Clock, type Pace, throwIfAborted, untilStopped } from "@deputy/kit";
import {
  type DocumentKind,
  documentKinds,
  type DocumentSource,
  EVERYONE,
  type SourceProblem,
} from "./document.ts";
import { MemoryError } from "./memory-error.ts";
import type { Fusion } from "./search/fuse.ts";
import { type FoundHits, searchIndex } from "./search/search-index.ts";
import type { DocumentRecord, MemoryStore, StoredChunk } from "./store/memory-store.ts";
import { embedPending } from "./sync/embed-pending.ts";
import type { Hash } from "./sync/index-document.ts";
import {
  type SyncProgress,
  type SyncReport,
  syncDocuments,
  type UnreadDocument,
} from "./sync/sync-documents.ts";
import type { ChunkSize } from "./text/chunk-text.ts";

/** A document with who wrote parts of it, besides the user; of conversations, that is not said. */
export interface KnownDocument extends DocumentRecord {
  readonly foreign?: readonly string[];
}

/** What was written down and said before, and can be found. Nothing is opened before the first use. */
export interface Memory extends AsyncDisposable {
  /**
   * The pieces that fit best, the best first. Looks for changed documents before; `isStale` says that this takes too
   * long, or that some could not be looked at. Rejects with a `MemoryError`, and with the signal's reason on abort.
   */
  search(
    question: string,
    options: {
      readonly scope: string;
      readonly limit: number;
      /** So long it waits for documents that have changed; two seconds by default. */
      readonly freshWithinMs?: number | undefined;
      /** If the question's meaning is not known by then, words alone decide. */
      readonly meaningUntil?: AbortSignal | undefined;
      /** Neighbours among so many of the best are one hit; 12 by default. With fewer, hits are shorter. */
      readonly joinAmong?: number | undefined;
    },
    signal: AbortSignal,
  ): Promise<FoundInMemory>;
  /** Brings the index up to date and waits for all vectors. It goes on after an abort. Rejects as `search` does. */
  index(
    options: { readonly onProgress?: (progress: IndexProgress) => void },
    signal: AbortSignal,
  ): Promise<IndexReport>;
  /** Rejects as `search` does. */
  status(signal: AbortSignal): Promise<MemoryStatus>;
  /** The documents of a scope, by path. Rejects as `search` does. */
  list(scope: string, signal: AbortSignal): Promise<readonly KnownDocument[]>;
  /** The pieces of the documents with this path, in their order. Rejects as `search` does. */
  show(path: string, scope: string, signal: AbortSignal): Promise<readonly StoredChunk[]>;
  /**
   * Takes documents out of the index in which a piece fits, brings it up to date with what is left of them, and leaves
   * no trace of the rest in any file. Says by how many pieces the index is smaller. Rejects as `search` does.
   */
  drop(fits: (chunk: StoredChunk) => boolean, signal: AbortSignal): Promise<number>;
  /** Says that documents have changed: the index follows in the background. Only after a first use. Never throws. */
  noteChange(): void;
}

export interface FoundInMemory extends FoundHits {
  readonly isStale: boolean;
  /** What could not be looked at, or not as a whole, when it was last tried. */
  readonly problems: readonly SourceProblem[];
}

export interface IndexReport extends SyncReport {
  readonly embedded: number;
  /** Why there are no more vectors. */
  readonly embedderProblem: string | undefined;
}

export interface IndexProgress extends SyncProgress {
  readonly step: "reading" | "embedding";
}

export interface MemoryStatus {
  readonly documents: Readonly<Record<DocumentKind, number>>;
  readonly chunks: number;
  /** Small pieces with a vector, and all of them. */
  readonly embedded: number;
  readonly children: number;
  /** Undefined: words alone are searched. */
  readonly model: string | undefined;
  /** Present while the index is made again for another model: the one that it was made for. */
  readonly formerModel: string | undefined;
  readonly problems: readonly SourceProblem[];
  /** Why vectors could not be made the last time. */
  readonly embedderProblem: string | undefined;
  /** Present while documents are read that have changed. */
  readonly reading: SyncProgress | undefined;
}

/** How long a search waits for changed documents. */
const SYNC_PATIENCE_MS = 2_000;
/** After the embedder failed, the backlog waits so long. */
const EMBEDDER_PAUSE_MS = 300_000;

export function createMemory(deps: {
  readonly openStore: () => Promise<MemoryStore>;
  readonly sources: readonly DocumentSource[];
  readonly embedder: Embedder | undefined;
  /** See `SearchDeps`. */
  readonly formerEmbedder?: (model: string) => Embedder | undefined;
  readonly hash: Hash;
  readonly size: ChunkSize;
  readonly fusion: Fusion;
  readonly clock: Clock;
  /** Reading documents that no search waits for gives way to what is more important. Absent: it never waits. */
  readonly pace?: Pace;
  /** Called with bugs of what goes on in the background. */
  readonly onBug: (error: unknown) => void;
}): Memory {
  const { embedder, clock, onBug } = deps;
  const ending = new AbortController();
  let opened: Promise<MemoryStore> | undefined;
  let waitingForSync = 0;
  let running: Promise<SyncReport> | undefined;
  let next: Promise<SyncReport> | undefined;
  let reading: SyncProgress | undefined;
  let embedding: Promise<number> | undefined;
  /** Told how far embedding is. */
  const listeners = new Set<(progress: SyncProgress) => void>();
  let stopEmbedding: AbortController | undefined;
  let embedderProblem: string | undefined;
  let embedAgainAtMs = 0;
  let problems: readonly SourceProblem[] = [];
  const unread = new Map<string, UnreadDocument>();
  let isFollowing = false;

  const store = (): Promise<MemoryStore> => {
    if (ending.signal.aborted) throw new MemoryError("memory_closed", "The memory is closed");
    opened ??= deps.openStore().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  /** While somebody waits for it, reading documents does not wait for anything. */
  const urgently = async <T>(work: () => Promise<T>): Promise<T> => {
    waitingForSync++;
    try {
      return await work();
    } finally {
      waitingForSync--;
    }
  };
  const syncNow = async (onProgress?: (progress: SyncProgress) => void): Promise<SyncReport> => {
    const tell = (progress: SyncProgress): void => {
      reading = progress;
      onProgress?.(progress);
    };
    const isUrgent = (): boolean => waitingForSync > 0;
    const report = await syncDocuments(
      { ...deps, onProgress: tell, isUrgent, unread, store: await store() },
      ending.signal,
    ).finally(() => (reading = undefined));
    ({ problems } = report);
    embedInBackground();
    return report;
  };
  /** One that begins after this call: a change that was made before is seen. Those who wait share it. */
  const sync = (onProgress?: (progress: SyncProgress) => void): Promise<SyncReport> => {
    if (running === undefined) {
      running = syncNow(onProgress).finally(() => (running = undefined));
      return running;
    }
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return sync(onProgress);
      });
    return next;
  };
  const embedAll = async (by: Embedder, signal: AbortSignal): Promise<number> => {
    const onProgress = (progress: SyncProgress): void => listeners.forEach((tell) => tell(progress));
    try {
      const done = await embedPending({ store: await store(), embedder: by, onProgress }, signal);
      embedderProblem = undefined;
      return done;
    } catch (error) {
      throwIfAborted(signal);
      // The index is at fault, and not the embedder.
      if (error instanceof MemoryError) throw error;
      embedderProblem = error instanceof Error ? error.message : "It does not work";
      embedAgainAtMs = clock.monotonicMs() + EMBEDDER_PAUSE_MS;
      throw error;
    }
  };
  /** Whoever wants vectors shares one go, so that nothing is embedded twice. Rejects as the embedder does. */
  const embed = async (by: Embedder): Promise<number> => {
    if (embedding !== undefined) return await embedding;
    const stop = new AbortController();
    stopEmbedding = stop;
    embedding = embedAll(by, AbortSignal.any([ending.signal, stop.signal])).finally(
      () => (embedding = undefined),
    );
    return await embedding;
  };
  const embedInBackground = (): void => {
    if (embedder === undefined || embedding !== undefined || clock.monotonicMs() < embedAgainAtMs) return;
    // The next search says what is wrong.
    embed(embedder).catch(() => undefined);
  };
  /** Goes on until nothing is left, also after forgetting has interrupted it. */
  const embedWholly = async (by: Embedder, signal: AbortSignal): Promise<number> => {
    for (let embedded = 0; ;) {
      const going = embed(by);
      const interrupted = stopEmbedding?.signal;
      try {
        const done = await untilStopped(going, signal);
        embedded += done;
        // Something may have been read while the last one ended.
        if (done === 0) return embedded;
      } catch (error) {
        if (signal.aborted || ending.signal.aborted || interrupted?.aborted !== true) throw error;
      }
    }
  };
  /** True if the index is up to date; false if that takes too long. */
  const isSynced = async (signal: AbortSignal, withinMs = SYNC_PATIENCE_MS): Promise<boolean> => {
    const patience = new AbortController();
    const syncing = sync().then(() => true);
    syncing.catch(() => undefined);
    const waited = clock.sleep(withinMs, AbortSignal.any([signal, patience.signal])).then(() => false);
    waited.catch(() => undefined);
    try {
      return await urgently(() => Promise.race([syncing, waited]));
    } finally {
      patience.abort();
    }
  };
  /**
   * What was asked about, and the answer to it, are remembered once all is quiet, and not by whoever asks next: after
   * many conversations, that one would wait for all of them.
   */
  const followWhenQuiet = async (pace: Pace): Promise<void> => {
    if (isFollowing) return;
    isFollowing = true;
    try {
      await pace.quiet(ending.signal);
      noteChange();
    } catch {
      // It is over.
    } finally {
      isFollowing = false;
    }
  };
  const noteChange = (): void => {
    if (opened === undefined || ending.signal.aborted) return;
    sync().catch((error: unknown) => {
      if (!ending.signal.aborted && !(error instanceof MemoryError)) onBug(error);
    });
  };
  const scopesOf = (scope: string): readonly string[] => [...new Set([scope, EVERYONE])];

  /** An index that was damaged is empty: asking again fills it. */
  const mended =
    <Given extends readonly unknown[], T>(work: (...given: Given) => Promise<T>) =>
    async (...given: Given): Promise<T> => {
      try {
        return await work(...given);
      } catch (error) {
        if (!(error instanceof MemoryError) || error.code !== "index_remade") throw error;
        return await work(...given);
      }
    };

  const memory: Memory = {
    async search(question, { scope, limit, freshWithinMs, meaningUntil, joinAmong }, signal) {
      throwIfAborted(signal);
      if (deps.pace !== undefined) void followWhenQuiet(deps.pace);
      const isUpToDate = await isSynced(signal, freshWithinMs);
      const found = await searchIndex(
        { ...deps, store: await store() },
        question,
        { scopes: scopesOf(scope), limit, meaningUntil, joinAmong },
        signal,
      );
      const isStale =
        !isUpToDate ||
        found.rebuilding !== undefined ||
        found.hits.some(({ chunk }) => chunk.document.isStale);
      // While the embedder fails, that is why much has no vector.
      const reason = found.by === "words" ? (embedderProblem ?? found.reason) : found.reason;
      return { ...found, reason, isStale, problems };
    },
    async index({ onProgress }, signal) {
      const tell =
        (step: IndexProgress["step"]) =>
        (progress: SyncProgress): void =>
          onProgress?.({ ...progress, step });
      const listen = tell("embedding");
      listeners.add(listen);
      try {
        const report = await untilStopped(sync(tell("reading")), signal);
        const done = { ...report, embedded: 0, embedderProblem: undefined };
        if (embedder === undefined) return done;
        try {
          return { ...done, embedded: await embedWholly(embedder, signal) };
        } catch (error) {
          throwIfAborted(signal);
          if (error instanceof MemoryError || embedderProblem === undefined) throw error;
          return { ...done, embedderProblem };
        }
      } finally {
        listeners.delete(listen);
      }
    },
    async status(signal) {
      await isSynced(signal);
      const index = await store();
      const { chunks, children, embedded, former } = await index.counts(embedder?.model);
      const kinds = [...(await index.documents()).values()].map(({ kind }) => kind);
      const documents = Object.fromEntries(
        documentKinds.map((kind) => [kind, kinds.filter((each) => each === kind).length]),
      ) as Record<DocumentKind, number>;
      const model = embedder?.model;
      const formerModel = embedded < children ? former?.model : undefined;
      return {
        documents,
        chunks,
        embedded,
        children,
        model,
        formerModel,
        problems,
        embedderProblem,
        reading,
      };
    },
    async list(scope, signal) {
      await isSynced(signal);
      const scopes = scopesOf(scope);
      const all = [...(await (await store()).documents()).values()];
      const wanted = all.filter((one) => scopes.includes(one.scope));
      const index = await store();
      const withForeign = async (document: DocumentRecord): Promise<KnownDocument> => {
        // Conversations are many, and show themselves who said what.
        if (document.kind === "session") return document;
        const foreign = (await index.chunksOf(document.key)).flatMap((chunk) => chunk.foreign);
        return { ...document, foreign: [...new Set(foreign)] };
      };
      const known = await Promise.all(wanted.map(withForeign));
      return known.toSorted((a, b) => (a.path < b.path ? -1 : 1));
    },
    async show(path, scope, signal) {
      await isSynced(signal);
      const index = await store();
      const scopes = scopesOf(scope);
      const wanted = [...(await index.documents()).values()].filter(
        (document) => document.path === path && scopes.includes(document.scope),
      );
      return (await Promise.all(wanted.map(({ key }) => index.chunksOf(key)))).flat();
    },
    async drop(fits, signal) {
      // Whoever reads documents now may have read them before they changed.
      await urgently(() => sync());
      const index = await store();
      const before = (await index.counts(embedder?.model)).chunks;
      const keys: string[] = [];
      for (const key of (await index.documents()).keys()) {
        throwIfAborted(signal);
        if ((await index.chunksOf(key)).some(fits)) keys.push(key);
      }
      await index.remove(keys);
      await urgently(() => sync());
      stopEmbedding?.abort();
      await embedding?.catch(() => undefined);
      await index.prune(embedder?.model ?? "");
      await index.scrub();
      embedInBackground();
      return Math.max(0, before - (await index.counts(embedder?.model)).chunks);
    },
    noteChange,
    async [Symbol.asyncDispose]() {
      ending.abort();
      await Promise.allSettled([running, next, embedding]);
      const index = await opened?.catch(() => undefined);
      await index?.[Symbol.asyncDispose]();
    },
  };
  return {
    ...memory,
    search: mended(memory.search),
    index: mended(memory.index),
    status: mended(memory.status),
    list: mended(memory.list),
    show: mended(memory.show),
    drop: mended(memory.drop),
  };
}
