import { closeSync, openSync, rmSync } from "node:fs";
import { sqliteFailureOf } from "@deputy/sqlite";
import { MemoryError } from "../memory-error.ts";
import type { MemoryStore } from "../store/memory-store.ts";
import { openSqliteStore } from "./open-sqlite-store.ts";

/**
 * Opens the index. One that is damaged is deleted and begun anew, since it can be made again from the documents;
 * `onDamaged` is told. Only the owner can read its files. Rejects with `memory_unavailable`, for example if the disk
 * refuses.
 */
export async function openIndexFile(path: string, onDamaged: () => void): Promise<MemoryStore> {
  try {
    const store = await openOwn(path);
    try {
      // The first pages are read: damage shows here, and not in a search.
      await store.documents();
      return store;
    } catch (error) {
      await store[Symbol.asyncDispose]();
      throw error;
    }
  } catch (error) {
    const failure = error instanceof MemoryError ? sqliteFailureOf(error.cause) : undefined;
    if (failure !== "damaged") throw error;
    onDamaged();
    for (const suffix of ["", "-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
    return await openOwn(path);
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
