import { type Clock, throwIfAborted } from "@deputy/kit";
import type { CatalogueTool } from "../catalogue.ts";
import type { Embedder } from "./embedder.ts";

/** Finds tools by what they mean, whatever words they use. */
export interface MeaningSearch {
  /**
   * Of `tools` those nearest in meaning, the nearest first; none while it cannot be told. The first of them are looked
   * at first: of a large catalogue each search learns a part. Rejects with the signal's reason on abort, and never else.
   */
  nearest(
    query: string,
    tools: readonly CatalogueTool[],
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly CatalogueTool[]>;
}

const BATCH = 128;
/** How many tools one search learns at most. */
const MOST_LEARNT = 1_024;
/** More than a catalogue has; a vector takes one to three kilobytes. */
const MOST_KEPT = 30_000;
const TEXT_CHARS = 600;
const QUERY_CHARS = 2_000;
/** For how long nobody is asked after a failure. */
const PAUSE_MS = 300_000;

/** One for all catalogues of a program: what was learnt of a tool is kept by the hash of its text. */
export function createMeaningSearch(deps: {
  readonly embedder: Embedder;
  readonly hash: (text: string) => string;
  readonly clock: Clock;
  /** Told once that words alone are searched, and why. */
  readonly warn: (text: string) => void;
}): MeaningSearch {
  const { embedder, hash, clock, warn } = deps;
  const vectors = new Map<string, Int8Array>();
  const keys = new WeakMap<CatalogueTool, string>();
  let askedAgainAtMs = 0;
  let isTold = false;

  const keyOf = (tool: CatalogueTool): string => {
    const key = keys.get(tool) ?? hash(textOf(tool));
    keys.set(tool, key);
    return key;
  };
  const learn = async (tools: readonly CatalogueTool[], signal: AbortSignal): Promise<void> => {
    const missing = tools.filter((tool) => !vectors.has(keyOf(tool))).slice(0, MOST_LEARNT);
    for (let from = 0; from < missing.length; from += BATCH) {
      const batch = missing.slice(from, from + BATCH);
      const found = await embedder.embed(batch.map(textOf), signal);
      batch.forEach((tool, at) => vectors.set(keyOf(tool), pack(found[at] ?? [])));
    }
    for (const key of vectors.keys()) if (vectors.size > MOST_KEPT) vectors.delete(key);
  };

  return {
    async nearest(query, tools, limit, signal) {
      throwIfAborted(signal);
      if (clock.monotonicMs() < askedAgainAtMs) return [];
      try {
        const [asked = []] = await embedder.embed([query.slice(0, QUERY_CHARS)], signal);
        const wanted = pack(asked);
        await learn(tools, signal);
        return tools
          .flatMap((tool) => {
            const vector = vectors.get(keyOf(tool));
            return vector?.length === wanted.length ? [{ tool, likeness: dot(vector, wanted) }] : [];
          })
          .sort((a, b) => b.likeness - a.likeness)
          .slice(0, limit)
          .map(({ tool }) => tool);
      } catch (error) {
        throwIfAborted(signal);
        askedAgainAtMs = clock.monotonicMs() + PAUSE_MS;
        const why = error instanceof Error ? error.message : "";
        if (!isTold) warn(`Tools are searched by words alone: ${why}`);
        isTold = true;
        return [];
      }
    },
  };
}

function textOf({ path, description }: CatalogueTool): string {
  return `${path}: ${description}`.slice(0, TEXT_CHARS);
}

/** A byte for each number is enough to compare by, and takes an eighth of the room. */
function pack(vector: readonly number[]): Int8Array {
  const length = Math.hypot(...vector) || 1;
  return Int8Array.from(vector, (each) => Math.round((each / length) * 127));
}

function dot(a: Int8Array, b: Int8Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}
