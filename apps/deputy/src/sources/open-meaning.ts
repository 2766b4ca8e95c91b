import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Embedder } from "@deputy/embedder";
import { type Clock, openLater } from "@deputy/kit";
import type { MeaningSearch } from "@deputy/search/meaning";

/** In the home. It can be made again. */
const VECTOR_FILE = "tool-vectors.db";

/**
 * The search for tools by meaning. Nothing is loaded, looked up or requested before the first search. `patienceMs`: how
 * long a search waits for tools that have not been read yet. Calls `warn` when it does not work. Never throws.
 */
export function openMeaning(deps: {
  readonly home: string;
  /** Asked for with the first search. */
  readonly embedder: () => Promise<Embedder | undefined>;
  readonly clock: Clock;
  readonly patienceMs: number;
  readonly warn: (text: string) => void;
}): MeaningSearch {
  const { home, clock, patienceMs, warn } = deps;
  const opened = openLater(async () => {
    const embedder = await deps.embedder();
    if (embedder === undefined) throw new Error("No embedder is set");
    const { createMeaningSearch } = await import("@deputy/search/meaning");
    const { openVectorFile } = await import("@deputy/search/node");
    const cache = openVectorFile(join(home, VECTOR_FILE), embedder.model);
    const search = createMeaningSearch({
      embedder,
      cache,
      hash: (text) => createHash("sha256").update(text).digest("base64"),
      clock,
      patienceMs,
      warn,
    });
    return {
      compare: search.compare,
      async [Symbol.asyncDispose]() {
        await search[Symbol.asyncDispose]();
        cache[Symbol.dispose]();
      },
    };
  });
  return {
    compare: async (...question) => await (await opened.get()).compare(...question),
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}
