import type { Embedder } from "@deputy/embedder";
import { type Clock, throwIfAborted } from "@deputy/kit";
import type { MemoryStore, StoredChunk } from "../store/memory-store.ts";
import { termsAmong } from "../text/words-of.ts";
import { type Fused, type Fusion, fuse } from "./fuse.ts";
import { readQuery, type WordQuery } from "./read-query.ts";
import { joinNeighbours, LOOKED_AT } from "./join-neighbours.ts";
import { mixKinds } from "./mix-kinds.ts";
import { preferTimes } from "./prefer-times.ts";
import { readTimes } from "./read-times.ts";

/** One thing that was found. */
export interface Hit {
  readonly chunk: StoredChunk;
  readonly score: number;
  readonly why: {
    /** The words of the question that it has; looked up when it is first asked for. */
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
  /** Present while the index is made again for another model: meaning was compared by the one before. */
  readonly rebuilding?: string;
}

/** So many of each search are fused, and so many are hits, however many are asked for: ranks do not change with `limit`. */
const CANDIDATES = 200;
/** While more than this share of the pieces has no vector yet, words alone are fairer. */
const MOST_PENDING_SHARE = 0.1;
const MOST_PENDING = 64;

export interface SearchDeps {
  readonly store: MemoryStore;
  readonly embedder: Embedder | undefined;
  /** By the name that its vectors have: answers while those of `embedder` are made. Undefined if it is not known. */
  readonly formerEmbedder?: (model: string) => Embedder | undefined;
  readonly fusion: Fusion;
  /** For questions about yesterday. */
  readonly clock: Pick<Clock, "now">;
}

/**
 * Rejects as the store does, and with the signal's reason on abort; an embedder that fails, or has not answered by
 * `meaningUntil`, leaves the search by words.
 */
export async function searchIndex(
  deps: SearchDeps,
  question: string,
  options: {
    readonly scopes: readonly string[];
    readonly limit: number;
    readonly meaningUntil?: AbortSignal | undefined;
    readonly joinAmong?: number | undefined;
  },
  signal: AbortSignal,
): Promise<FoundHits> {
  const { store, fusion } = deps;
  const query = readQuery(question);
  const asked = readTimes(question, deps.clock.now());
  const wanted = asked === undefined ? query : { terms: [...query.terms, ...asked.terms] };
  const byWords = await store.byWords(wanted, options.scopes, CANDIDATES);
  const byMeaning = await searchByMeaning(deps, question, options, signal);
  throwIfAborted(signal);
  const near = byMeaning.kind === "found" ? byMeaning.near : undefined;
  const least = byMeaning.kind === "found" ? byMeaning.least : undefined;
  const fused = fuse(byWords, near, fusion)
    .slice(0, CANDIDATES)
    .filter((each) => !isUnrelated(each, least));
  const limit = Math.max(0, Math.floor(options.limit));
  const joinAmong = options.joinAmong ?? LOOKED_AT;
  const outlined = withChunks(fused, await store.outlines(fused.map(({ id }) => id)));
  // Of each pair that is joined, a place becomes free.
  const best = mixKinds(preferTimes(outlined, asked, fusion)).slice(0, limit + joinAmong);
  const ranked = withChunks(best, await store.chunks(best.map(({ id }) => id)));
  const hits = joinNeighbours(ranked, joinAmong)
    .slice(0, limit)
    .map((each) => toHit(each, wanted));
  return {
    hits,
    by: near === undefined ? "words" : "words and meaning",
    reason: byMeaning.kind === "found" ? undefined : byMeaning.reason,
    ...(byMeaning.kind === "found" &&
      byMeaning.rebuilding !== undefined && { rebuilding: byMeaning.rebuilding }),
  };
}

/** None of the words, and no nearer than texts are that have nothing to do with each other. */
function isUnrelated({ words, meaning = -1 }: Fused, least: number | undefined): boolean {
  return words === undefined && least !== undefined && meaning < least;
}

function withChunks<T extends Fused, C extends { readonly id: number }>(
  list: readonly T[],
  chunks: readonly C[],
): readonly (T & { readonly chunk: C })[] {
  const byId = new Map(chunks.map((chunk) => [chunk.id, chunk]));
  return list.flatMap((each) => {
    const chunk = byId.get(each.id);
    return chunk === undefined ? [] : [{ ...each, chunk }];
  });
}

type ByMeaning =
  | {
      readonly kind: "found";
      readonly near: Awaited<ReturnType<MemoryStore["byMeaning"]>>;
      /** `Embedder.leastRelated`. */
      readonly least?: number | undefined;
      readonly rebuilding?: string;
    }
  | { readonly kind: "unavailable"; readonly reason: string };

async function searchByMeaning(
  deps: SearchDeps,
  question: string,
  {
    scopes,
    meaningUntil,
  }: { readonly scopes: readonly string[]; readonly meaningUntil?: AbortSignal | undefined },
  signal: AbortSignal,
): Promise<ByMeaning> {
  const { store, embedder } = deps;
  const unavailable = (reason: string): ByMeaning => ({ kind: "unavailable", reason });
  if (embedder === undefined) return unavailable("There is no model for embeddings.");
  if (question.trim() === "") return unavailable("There is no question.");
  const { children, embedded, former } = await store.counts(embedder.model);
  const isTooFew = (vectors: number): boolean =>
    children - vectors > Math.max(MOST_PENDING_SHARE * children, Math.min(MOST_PENDING, children / 2));
  if (children === 0) return { kind: "found", near: [] };
  const near = async (by: Embedder): Promise<Extract<ByMeaning, { kind: "found" }> | undefined> => {
    const until = meaningUntil === undefined ? signal : AbortSignal.any([signal, meaningUntil]);
    const [vector] = await by.embed([question], until, "question");
    if (vector === undefined) return undefined;
    const found = await store.byMeaning(by.model, vector, scopes, CANDIDATES);
    return { kind: "found", near: found, least: by.leastRelated };
  };
  if (isTooFew(embedded)) {
    const why = `The meaning of ${children - embedded} of ${children} pieces is not indexed yet.`;
    // What was indexed before the model was changed answers until the new vectors are there.
    const before = former && !isTooFew(former.vectors) ? deps.formerEmbedder?.(former.model) : undefined;
    if (before === undefined) return unavailable(why);
    try {
      const found = await near(before);
      const rebuilding = `${embedded} of ${children} pieces are indexed for ${embedder.model}; until most are, ${before.model} answers.`;
      return found === undefined ? unavailable(why) : { ...found, rebuilding };
    } catch {
      throwIfAborted(signal);
      return unavailable(why);
    }
  }
  try {
    return (await near(embedder)) ?? unavailable("The model for embeddings gave no answer.");
  } catch (error) {
    throwIfAborted(signal);
    if (meaningUntil?.aborted === true)
      return unavailable("The model for embeddings did not answer in time.");
    return unavailable(error instanceof Error ? error.message : "The model for embeddings does not work.");
  }
}

function toHit({ chunk, score, meaning }: Fused & { readonly chunk: StoredChunk }, query: WordQuery): Hit {
  let words: readonly string[] | undefined;
  return {
    chunk,
    score,
    why: {
      get words() {
        return (words ??= wordsIn(chunk, query));
      },
      meaning,
    },
  };
}

function wordsIn(chunk: StoredChunk, { terms: asked }: WordQuery): readonly string[] {
  const wanted = new Set(asked.flatMap(({ terms }) => terms));
  const has = termsAmong(`${chunk.header}\n${chunk.text}`, wanted);
  const words = asked.filter(({ terms }) => terms.every((term) => has.has(term))).map(({ word }) => word);
  return [...new Set(words)];
}
