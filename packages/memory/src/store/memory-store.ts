import type { DocumentKind, DocumentText } from "../document.ts";
import type { WordQuery } from "../search/read-query.ts";
import type { Scored } from "../search/fuse.ts";
import type { ChunkSize } from "../text/chunk-text.ts";

/** A document in the index. */
export interface DocumentRecord {
  /** Belongs to one scope for good. */
  readonly key: string;
  readonly scope: string;
  readonly kind: DocumentKind;
  readonly path: string;
  readonly revision: string;
  /** Of its text and all else that is indexed; equal ones need no indexing. */
  readonly hash: string;
  readonly date?: string | undefined;
  /** True if it could not be looked at again: what is known may be old. */
  readonly isStale: boolean;
}

/** A piece of a document, to be stored. */
export interface ChunkRecord {
  readonly firstLine: number;
  readonly lastLine: number;
  /** What stands before it in the index and in a prompt: `describePlace`. */
  readonly header: string;
  readonly text: string;
  /** Who wrote parts of it, besides the user. */
  readonly foreign: readonly string[];
  /** The smaller pieces that have vectors. */
  readonly children: readonly ChildRecord[];
}

export interface ChildRecord {
  /** SHA-256 of what is embedded. */
  readonly hash: string;
  /** What is embedded: the header, and a part of the text. */
  readonly text: string;
}

export interface StoredChunk extends Omit<ChunkRecord, "children"> {
  readonly id: number;
  /** Counted from 0 in its document. */
  readonly place: number;
  readonly document: DocumentRecord;
}

/** What a piece is ranked by, besides its scores. */
export interface ChunkOutline {
  readonly id: number;
  readonly header: string;
  readonly document: Pick<DocumentRecord, "kind" | "date">;
}

export interface StoreCounts {
  readonly documents: number;
  readonly chunks: number;
  /** Pieces with a vector, and all of them. */
  readonly embedded: number;
  readonly children: number;
  /** Another model of which there still are vectors, of several the one with the most. */
  readonly former?: { readonly model: string; readonly vectors: number };
}

/**
 * Where the index is kept. It holds nothing that could not be made again from the documents. Every change is made as a
 * whole or not at all. Rejects with `MemoryError`.
 */
export interface MemoryStore extends AsyncDisposable {
  /** Differs from an earlier one if somebody else has changed the index meanwhile. */
  version(): Promise<number>;
  /** By key. */
  documents(): Promise<ReadonlyMap<string, DocumentRecord>>;
  /** Adds or replaces a document with its pieces. Pieces that stay the same keep their ids. */
  put(document: DocumentRecord, chunks: readonly ChunkRecord[]): Promise<void>;
  /** The same from a text, for a store that cuts it away from the caller's thread. */
  putText?(document: DocumentRecord, read: DocumentText, size: ChunkSize): Promise<void>;
  /** Changes what is known of documents without touching their pieces; unknown keys are passed over. */
  update(documents: readonly DocumentRecord[]): Promise<void>;
  /** Idempotent. */
  remove(keys: readonly string[]): Promise<void>;

  /** Pieces without a vector of this model, the first ones first; none twice. */
  pending(model: string, limit: number): Promise<readonly ChildRecord[]>;
  /** Vectors by the hash of their text. Hashes that no piece has are kept until `prune`. */
  putVectors(model: string, vectors: ReadonlyMap<string, Float32Array>): Promise<void>;
  /** Removes vectors of other models, and those of texts that no piece has any more. */
  prune(model: string): Promise<void>;

  /** Pieces with words of the query by BM25, the best first. */
  byWords(query: WordQuery, scopes: readonly string[], limit: number): Promise<readonly Scored[]>;
  /** Pieces by the cosine of their nearest child, the best first. `vector` has the length 1. */
  byMeaning(
    model: string,
    vector: Float32Array,
    scopes: readonly string[],
    limit: number,
  ): Promise<readonly Scored[]>;
  /** In the order of `ids`; those that are gone are left out. Much less to hand over than `chunks`. */
  outlines(ids: readonly number[]): Promise<readonly ChunkOutline[]>;
  /** In the order of `ids`; those that are gone are left out. */
  chunks(ids: readonly number[]): Promise<readonly StoredChunk[]>;
  /** The pieces of one document in their order. */
  chunksOf(key: string): Promise<readonly StoredChunk[]>;

  counts(model: string | undefined): Promise<StoreCounts>;
  /** After it, no file of the store contains anything of what was removed. Slow. */
  scrub(): Promise<void>;
}

/** How many children each search by meaning compares exactly; the others are too far by their signs. */
export const COMPARED = 400;
/** In a large index, a term that more texts than this have says too little for what it costs. */
export const COMMON_SHARE = 0.1;
/** An index with fewer pieces than this is fast enough with common terms. */
export const LARGE_INDEX = 5_000;
/** So many terms are always searched for, the rarest. */
export const LEAST_TERMS = 2;
