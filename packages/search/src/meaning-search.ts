import { type Clock, throwIfAborted } from "@deputy/kit";
import type { SearchableTool } from "./searchable-tool.ts";
import { splitWords } from "./split-words.ts";
import { routeOf } from "./tool-shape.ts";

/** Turns texts into vectors; texts with a similar meaning have vectors close to each other. */
export interface Embedder {
  /**
   * As many vectors as texts, in their order, all of one length. May be called again after it failed. Rejects if it
   * cannot, and with the signal's reason on abort. `role`: what the texts are for; `text` by default.
   */
  embed(
    texts: readonly string[],
    signal: AbortSignal,
    role?: "question" | "text",
  ): Promise<readonly ArrayLike<number>[]>;
}

/** Where the vectors of tools are kept from one process to the next, by the hash of what they were made from. */
export interface VectorCache {
  /** All there are. Empty if they cannot be read: they can be made again. */
  load(): Iterable<readonly [hash: string, vector: Int8Array]>;
  /** What cannot be kept is made again next time. Never throws. */
  add(entries: readonly (readonly [hash: string, vector: Int8Array])[]): void;
}

/** Compares tools with a question by meaning, even if no word matches. */
export interface MeaningSearch extends AsyncDisposable {
  /**
   * How alike each tool is to the question. Tools that it does not know yet are read in the background, from the first
   * search on; until it knows most of them, and while the embedder fails, it says why there is no answer. Rejects only
   * with the signal's reason, on abort.
   */
  compare(query: string, tools: readonly SearchableTool[], signal: AbortSignal): Promise<Likeness>;
}

export type Likeness =
  /** A number for each tool, -1 to 1; NaN for one that is not known yet. */
  | { readonly kind: "known"; readonly likeness: Float32Array }
  | { readonly kind: "unknown"; readonly why: string };

/** Small, so that a question of somebody else waits for a fraction of a second. */
const BATCH = 8;
/** How many tools are looked at before other work gets its turn. */
const AT_ONCE = 200;
/** So much of a catalogue must be known; the rest is found by words. */
const ENOUGH = 0.9;
const QUERY_CHARS = 2_000;
/** How long a search waits for the vector of its question. */
const QUERY_PATIENCE_MS = 1_500;
/**
 * How long tools that nobody waits for stay unread. The turn that searches first has the machine to itself, and a command
 * that ends sooner never loads the model.
 */
const UNHURRIED_MS = 5_000;
/** How long to wait before asking the embedder again after it failed. */
const PAUSE_MS = 300_000;
const PRECISION = 127;

/** One serves all catalogues of a process: a tool's vector is kept by the hash of its text. */
export function createMeaningSearch(deps: {
  readonly embedder: Embedder;
  readonly cache: VectorCache;
  readonly hash: (text: string) => string;
  readonly clock: Clock;
  /** How long a search waits until tools are read that are not known yet. */
  readonly patienceMs: number;
  /** Called once, when the embedder fails for the first time, with the reason. */
  readonly warn: (text: string) => void;
}): MeaningSearch {
  const { embedder, cache, hash, clock, patienceMs, warn } = deps;
  const ending = new AbortController();
  const vectors = new Map<string, Int8Array>();
  const keys = new WeakMap<SearchableTool, string>();
  const read = new WeakSet<readonly SearchableTool[]>();
  const waiting = new Set<readonly SearchableTool[]>();
  let reading: Promise<void> | undefined;
  let isLoaded = false;
  let failure = "";
  let retryAtMs = 0;
  let hasWarned = false;

  const fail = (error: unknown): void => {
    failure = error instanceof Error ? error.message : "";
    retryAtMs = clock.monotonicMs() + PAUSE_MS;
    if (!hasWarned) warn(`Tools are searched by words alone: ${failure}`);
    hasWarned = true;
  };
  const vectorOf = (tool: SearchableTool): Int8Array | undefined => {
    const key = keys.get(tool);
    return key === undefined ? undefined : vectors.get(key);
  };
  const readTools = async (tools: readonly SearchableTool[]): Promise<void> => {
    if (!isLoaded) for (const [key, vector] of cache.load()) vectors.set(key, vector);
    isLoaded = true;
    const missing = new Map<string, string>();
    for (const [at, tool] of tools.entries()) {
      if (at > 0 && at % AT_ONCE === 0) await otherWork(ending.signal);
      const text = meaningText(tool);
      const key = keys.get(tool) ?? hash(text);
      keys.set(tool, key);
      if (!vectors.has(key)) missing.set(key, text);
    }
    const pending = [...missing];
    if (pending.length > 0 && patienceMs === 0) await clock.sleep(UNHURRIED_MS, ending.signal);
    for (let from = 0; from < pending.length; from += BATCH) {
      const batch = pending.slice(from, from + BATCH);
      const found = await embedder.embed(
        batch.map(([, text]) => text),
        ending.signal,
      );
      const made = batch.map(([key], at) => [key, pack(found[at] ?? [])] as const);
      for (const [key, vector] of made) vectors.set(key, vector);
      cache.add(made);
    }
    read.add(tools);
  };
  const readAll = async (): Promise<void> => {
    try {
      for (const tools of waiting) {
        await readTools(tools);
        waiting.delete(tools);
      }
    } catch (error) {
      waiting.clear();
      if (!ending.signal.aborted) fail(error);
    }
  };
  const learn = (tools: readonly SearchableTool[]): void => {
    if (read.has(tools) || ending.signal.aborted) return;
    waiting.add(tools);
    reading ??= otherWork(ending.signal)
      .then(readAll, () => undefined)
      .finally(() => (reading = undefined));
  };
  /** False if it takes longer. */
  const isDoneIn = async (work: Promise<unknown>, ms: number, signal: AbortSignal): Promise<boolean> => {
    const enough = new AbortController();
    const late = clock.sleep(ms, AbortSignal.any([signal, enough.signal])).then(() => false);
    late.catch(() => undefined);
    try {
      return await Promise.race([work.then(() => true), late]);
    } finally {
      enough.abort();
    }
  };

  return {
    async compare(query, tools, signal) {
      throwIfAborted(signal);
      if (clock.monotonicMs() < retryAtMs) return { kind: "unknown", why: failure };
      learn(tools);
      if (patienceMs > 0 && reading !== undefined) await isDoneIn(reading, patienceMs, signal);
      const known = tools.map(vectorOf);
      const count = known.filter((vector) => vector !== undefined).length;
      if (clock.monotonicMs() < retryAtMs) return { kind: "unknown", why: failure };
      if (count < tools.length * ENOUGH)
        return { kind: "unknown", why: `${count} of ${tools.length} tools have been read so far` };
      try {
        const asking = embedder.embed([query.slice(0, QUERY_CHARS)], signal, "question");
        asking.catch(() => undefined);
        if (!(await isDoneIn(asking, QUERY_PATIENCE_MS, signal)))
          return { kind: "unknown", why: "The model for it takes too long" };
        const wanted = pack((await asking)[0] ?? []);
        return { kind: "known", likeness: Float32Array.from(known, (vector) => likenessOf(vector, wanted)) };
      } catch (error) {
        throwIfAborted(signal);
        fail(error);
        return { kind: "unknown", why: failure };
      }
    },
    async [Symbol.asyncDispose]() {
      ending.abort();
      await reading;
    },
  };
}

/** A byte for each number is precise enough for a comparison, and takes an eighth of the memory. */
function pack(vector: ArrayLike<number>): Int8Array {
  let squares = 0;
  for (let at = 0; at < vector.length; at++) squares += (vector[at] ?? 0) ** 2;
  const length = Math.sqrt(squares) || 1;
  return Int8Array.from(vector, (each) => Math.round((each / length) * PRECISION));
}

function likenessOf(vector: Int8Array | undefined, wanted: Int8Array): number {
  if (vector?.length !== wanted.length) return Number.NaN;
  let sum = 0;
  for (let at = 0; at < wanted.length; at++) sum += (vector[at] ?? 0) * (wanted[at] ?? 0);
  return sum / (PRECISION * PRECISION);
}

/** Yields to other work. Rejects with the signal's reason. */
async function otherWork(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
  throwIfAborted(signal);
}

/** A longer text says less about what a tool is for, and takes longer. */
const SUMMARY_CHARS = 200;

/** What a model reads of a tool: the words of its path and its summary. A route is for machines. */
function meaningText(tool: SearchableTool): string {
  const route = routeOf(tool);
  const [summary = ""] = tool.description.split("\n", 1);
  const isRoute = route !== undefined && summary === `${route.method} ${route.path}`;
  return `${splitWords(tool.path).join(" ")}. ${isRoute ? "" : summary.slice(0, SUMMARY_CHARS)}`;
}
