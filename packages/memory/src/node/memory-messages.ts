import type { DocumentText } from "../document.ts";
import type { MemoryErrorCode } from "../memory-error.ts";
import type { DocumentRecord, MemoryStore } from "../store/memory-store.ts";
import type { ChunkSize } from "../text/chunk-text.ts";

/** What the thread with the index is asked for: a method of its store, or to cut a text and put it. */
export type StoreMethod = Exclude<keyof MemoryStore, typeof Symbol.asyncDispose>;

/** Between the thread that asks and the one with the index. Each request has one answer, in their order. */
export type MemoryRequest =
  | { readonly id: number; readonly method: StoreMethod; readonly given: readonly unknown[] }
  | { readonly id: number; readonly method: "close" };

export type PutText = readonly [document: DocumentRecord, read: DocumentText, size: ChunkSize];

export type MemoryAnswer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly code: MemoryErrorCode; readonly message: string }
  /** Anything else is a bug. */
  | { readonly id: number; readonly bug: string }
  /** Comes before the answer: the index was damaged, and is begun anew. */
  | { readonly damaged: true };
