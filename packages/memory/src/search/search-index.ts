import type { Embedder } from "@deputy/embedder";
import { throwIfAborted } from "@deputy/kit";
import type { MemoryStore, StoredChunk } from "../store/memory-store.ts";
import { termsOf } from "../text/words-of.ts";
import { type Fused, type Fusion, fuse } from "./fuse.ts";
import { readQuery, type WordQuery } from "./read-query.ts";
import { joinNeighbours } from "./join-neighbours.ts";
import { mixKinds } from "./mix-kinds.ts";

/** One thing that was found. */
export interface Hit {
  readonly chunk: StoredChunk;
  readonly score: number;
  readonly why: {
    /** The words of the question that it has. */
    readonly words: readonly string[];
    /** How near it is in meaning, from -1 to 1; undefined if it was not found by meaning. */
    readonly meaning: number | undefined;
  };
}

export interface FoundHits {
  readonly hits: readonly Hit[];
  /** How it was searched. `words`: meaning could not be compared, and `reason` says why. */
  readonly by: "words and meaning" | "words";
  readonly reason: string | undefined;
}

/** So many of each search are fused, and so many are hits, however many are asked for: ranks do not change with `limit`. */
const CANDIDATES = 200;
/** While more than this share of the pieces has no vector yet, words alone are fairer. */
const MOST_PENDING_SHARE = 0.1;
const MOST_PENDING = 64;

/** Rejects as the store does, and with the signal's reason on abort; a failing embedder leaves the search by words. */
export async function searchIndex(
  deps: { readonly store: MemoryStore; readonly embedder: Embedder | undefined; readonly fusion: Fusion },
  question: string,
  options: { readonly scopes: readonly string[]; readonly limit: number },
  signal: AbortSignal,
): Promise<FoundHits> {
  const { store, fusion } = deps;
  const query = readQuery(question);
  const byWords = await store.byWords(query, options.scopes, CANDIDATES);
  const byMeaning = await searchByMeaning(deps, question, options.scopes, signal);
  throwIfAborted(signal);
  const near = byMeaning.kind === "found" ? byMeaning.near : undefined;
  const fused = fuse(byWords, near, fusion).slice(0, CANDIDATES);
  const chunks = await store.chunks(fused.map(({ id }) => id));
  const byId = new Map(chunks.map((chunk) => [chunk.id, chunk]));
  const ranked = fused.flatMap((each) => {
    const chunk = byId.get(each.id);
    return chunk === undefined ? [] : [{ ...each, chunk }];
  });
  const hits = joinNeighbours(mixKinds(ranked))
    .slice(0, Math.max(0, Math.floor(options.limit)))
    .map((each) => toHit(each, query));
  return {
    hits,
    by: near === undefined ? "words" : "words and meaning",
    reason: byMeaning.kind === "found" ? undefined : byMeaning.reason,
  };
}

type ByMeaning =
  | { readonly kind: "found"; readonly near: Awaited<ReturnType<MemoryStore["byMeaning"]>> }
  | { readonly kind: "unavailable"; readonly reason: string };

async function searchByMeaning(
  { store, embedder }: Pick<Parameters<typeof searchIndex>[0], "store" | "embedder">,
  question: string,
  scopes: readonly string[],
  signal: AbortSignal,
): Promise<ByMeaning> {
  const unavailable = (reason: string): ByMeaning => ({ kind: "unavailable", reason });
  if (embedder === undefined) return unavailable("There is no model for embeddings.");
  if (question.trim() === "") return unavailable("There is no question.");
  const { children, embedded } = await store.counts(embedder.model);
  const pending = children - embedded;
  if (children === 0) return { kind: "found", near: [] };
  if (pending > Math.max(MOST_PENDING_SHARE * children, Math.min(MOST_PENDING, children / 2)))
    return unavailable(`The meaning of ${pending} of ${children} pieces is not indexed yet.`);
  try {
    const [vector] = await embedder.embed([question], signal);
    if (vector === undefined) return unavailable("The model for embeddings gave no answer.");
    return { kind: "found", near: await store.byMeaning(embedder.model, vector, scopes, CANDIDATES) };
  } catch (error) {
    throwIfAborted(signal);
    return unavailable(error instanceof Error ? error.message : "The model for embeddings does not work.");
  }
}

function toHit({ chunk, score, meaning }: Fused & { readonly chunk: StoredChunk }, query: WordQuery): Hit {
  const has = new Set(termsOf(`${chunk.header}\n${chunk.text}`));
  const words = query.terms
    .filter(({ terms }) => terms.every((term) => has.has(term)))
    .map(({ word }) => word);
  return { chunk, score, why: { words: [...new Set(words)], meaning } };
}
