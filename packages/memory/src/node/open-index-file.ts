import { closeSync, openSync, rmSync } from "node:fs";
import { MemoryError } from "../memory-error.ts";
import type { MemoryStore } from "../store/memory-store.ts";
import { isDamage, openSqliteStore } from "./open-sqlite-store.ts";

/**
 * Opens the index. One that is damaged is deleted and begun anew, since it can be made again from the documents;
 * `onDamaged` is told. If the damage shows later, the call that met it rejects with `index_remade`. Only the owner can
 * read its files. Rejects with `memory_unavailable`, for example if the disk refuses.
 */
export async function openIndexFile(path: string, onDamaged: () => void): Promise<MemoryStore> {
  const beginAnew = async (): Promise<MemoryStore> => {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
    const store = await openOwn(path);
    onDamaged();
    return store;
  };
  const closeAndBeginAnew = async (damaged: MemoryStore): Promise<MemoryStore> => {
    await damaged[Symbol.asyncDispose]();
    return await beginAnew();
  };
  let current = await openSound(path).catch(async (error: unknown) => {
    if (!isDamage(error)) throw error;
    return await beginAnew();
  });
  let remaking: Promise<MemoryStore> | undefined;
  const remake = async (damaged: MemoryStore): Promise<void> => {
    if (current !== damaged) return;
    remaking ??= closeAndBeginAnew(damaged);
    try {
      current = await remaking;
    } finally {
      remaking = undefined;
    }
  };
  const mending =
    <Given extends readonly unknown[], T>(ask: (store: MemoryStore) => (...given: Given) => Promise<T>) =>
    async (...given: Given): Promise<T> => {
      const asked = current;
      try {
        return await ask(asked)(...given);
      } catch (cause) {
        if (!isDamage(cause)) throw cause;
        await remake(asked);
        throw new MemoryError("index_remade", "The index of the memory was damaged, and is made again", {
          cause,
        });
      }
    };
  return {
    version: mending((store) => store.version),
    documents: mending((store) => store.documents),
    put: mending((store) => store.put),
    update: mending((store) => store.update),
    remove: mending((store) => store.remove),
    pending: mending((store) => store.pending),
    putVectors: mending((store) => store.putVectors),
    prune: mending((store) => store.prune),
    byWords: mending((store) => store.byWords),
    byMeaning: mending((store) => store.byMeaning),
    outlines: mending((store) => store.outlines),
    chunks: mending((store) => store.chunks),
    chunksOf: mending((store) => store.chunksOf),
    counts: mending((store) => store.counts),
    scrub: mending((store) => store.scrub),
    [Symbol.asyncDispose]: () => current[Symbol.asyncDispose](),
  };
}

/** The first pages are read: most damage shows here, and not in a search. */
async function openSound(path: string): Promise<MemoryStore> {
  const store = await openOwn(path);
  try {
    await store.documents();
    return store;
  } catch (error) {
    await store[Symbol.asyncDispose]();
    throw error;
  }
}

/** SQLite gives the files beside it the same mode. */
async function openOwn(path: string): Promise<MemoryStore> {
  try {
    closeSync(openSync(path, "a", 0o600));
  } catch (cause) {
    throw new MemoryError("memory_unavailable", "The index of the memory cannot be written", { cause });
  }
  return await openSqliteStore(path);
}
