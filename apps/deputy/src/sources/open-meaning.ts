import { createHash } from "node:crypto";
import type { Clock } from "@deputy/kit";
import { parseModelRef } from "@deputy/model/ref";
import { createMeaningSearch, type MeaningSearch } from "@deputy/search/meaning";
import { withProviderSettings } from "../agents/agent-models.ts";
import { readModelSettings } from "../choose-model.ts";
import { watchProviders } from "../config/watch-providers.ts";
import type { Home } from "../home.ts";

/**
 * The search for tools by meaning, if the configuration names a model for it. Nothing is loaded, looked up or
 * requested before the first search. Calls `warn` when it does not work, and `learn` with a key that was looked up.
 * Never throws.
 */
export function openMeaning(
  home: Pick<Home, "directory" | "config">,
  env: NodeJS.ProcessEnv,
  deps: {
    readonly clock: Clock;
    readonly warn: (text: string) => void;
    readonly learn: (secret: string) => void;
  },
): MeaningSearch | undefined {
  const { embeddingModel } = home.config.tools.search;
  if (embeddingModel === undefined) return undefined;
  const { clock, warn, learn } = deps;
  const current = watchProviders(home);
  return createMeaningSearch({
    embedder: {
      async embed(texts, signal) {
        const ref = parseModelRef(embeddingModel);
        const full = withProviderSettings(env, ref.provider, current(), home.directory, learn);
        const { createEmbedder } = await import("@deputy/model/embeddings");
        const embedder = createEmbedder(ref, { settings: readModelSettings(full), fetch, clock });
        return embedder.embed(texts, signal);
      },
    },
    hash: (text) => createHash("sha256").update(text).digest("base64"),
    clock,
    warn,
  });
}
