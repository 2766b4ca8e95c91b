import { type Clock, throwIfAborted } from "@deputy/kit";
import type { SearchableTool } from "./searchable-tool.ts";

/** Turns texts into vectors; texts with a similar meaning have vectors close to each other. */
export interface Embedder {
  /**
   * As many vectors as texts, in their order, all of one length. May be called again after it failed. Rejects if it
   * cannot, and with the signal's reason on abort.
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly (readonly number[])[]>;
}

/** Finds tools by meaning, even if no word matches. */
export interface MeaningSearch {
  /**
   * The `tools` nearest in meaning, nearest first; empty while the embedder fails. A search embeds a limited
   * number of tools, the first ones first, so a large catalogue takes several searches. Rejects only with the
   * signal's reason, on abort.
   */
  nearest<Tool extends SearchableTool>(
    query: string,
    tools: readonly Tool[],
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly Tool[]>;
}

const BATCH = 128;
/** How many tools one search embeds at most. */
const MOST_EMBEDDED = 1_024;
/** More than any catalogue has; a vector takes one to three kilobytes. */
const MOST_KEPT = 30_000;
const TEXT_CHARS = 600;
const QUERY_CHARS = 2_000;
/** How long to wait before asking the embedder again after it failed. */
const PAUSE_MS = 300_000;

/** One serves all catalogues of a process: a tool's vector is kept by the hash of its text. */
export function createMeaningSearch(deps: {
  readonly embedder: Embedder;
  readonly hash: (text: string) => string;
  readonly clock: Clock;
  /** Called once, when the embedder fails for the first time, with the reason. */
  readonly warn: (text: string) => void;
}): MeaningSearch {
  const { embedder, hash, clock, warn } = deps;
  const vectors = new Map<string, Int8Array>();
  const keys = new WeakMap<SearchableTool, string>();
  let retryAtMs = 0;
  let hasWarned = false;

  const keyOf = (tool: SearchableTool): string => {
    const key = keys.get(tool) ?? hash(textOf(tool));
    keys.set(tool, key);
    return key;
  };
  const embedMissing = async (tools: readonly SearchableTool[], signal: AbortSignal): Promise<void> => {
    const missing = tools.filter((tool) => !vectors.has(keyOf(tool))).slice(0, MOST_EMBEDDED);
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
      if (clock.monotonicMs() < retryAtMs) return [];
      try {
        const [asked = []] = await embedder.embed([query.slice(0, QUERY_CHARS)], signal);
        const wanted = pack(asked);
        await embedMissing(tools, signal);
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
        retryAtMs = clock.monotonicMs() + PAUSE_MS;
        const why = error instanceof Error ? error.message : "";
        if (!hasWarned) warn(`Tools are searched by words alone: ${why}`);
        hasWarned = true;
        return [];
      }
    },
  };
}

function textOf({ path, description }: SearchableTool): string {
  return `${path}: ${description}`.slice(0, TEXT_CHARS);
}

/** A byte for each number is precise enough for a comparison, and takes an eighth of the memory. */
function pack(vector: readonly number[]): Int8Array {
  const length = Math.hypot(...vector) || 1;
  return Int8Array.from(vector, (each) => Math.round((each / length) * 127));
}

function dot(a: Int8Array, b: Int8Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}
