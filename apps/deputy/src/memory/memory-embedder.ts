import type { Embedder } from "@deputy/embedder";
import type { Clock } from "@deputy/kit";
import { parseModelRef } from "@deputy/model/ref";
import { withProviderSettings } from "../agents/agent-models.ts";
import { readModelSettings } from "../choose-model.ts";
import { watchProviders } from "../config/watch-providers.ts";
import type { Home } from "../home.ts";

/** The setting that leaves meaning out. */
const NONE = "none";

/**
 * The embedder that the settings name: the one that comes with Deputy, a provider's, or none. Nothing is loaded, looked
 * up or requested before the first text. Throws for a name that is none of a model.
 */
export async function openMemoryEmbedder(
  home: Pick<Home, "directory" | "config">,
  env: NodeJS.ProcessEnv,
  deps: { readonly clock: Clock; readonly learn: (secret: string) => void },
): Promise<(Embedder & Partial<AsyncDisposable>) | undefined> {
  const { embeddingModel } = home.config.memory;
  const { clock, learn } = deps;
  if (embeddingModel === NONE) return undefined;
  if (embeddingModel === undefined) {
    const { openMiniLm } = await import("@deputy/embedder/node");
    return openMiniLm({ clock });
  }
  const name = embeddingModel.includes("/") ? embeddingModel : `openai/${embeddingModel}`;
  const ref = parseModelRef(name);
  const current = watchProviders(home);
  return {
    model: name,
    async embed(texts, signal) {
      const full = withProviderSettings(env, ref.provider, current(), home.directory, learn);
      const { createEmbedder } = await import("@deputy/model/embeddings");
      const embedder = createEmbedder(ref, { settings: readModelSettings(full), fetch, clock });
      return (await embedder.embed(texts, signal)).map(toUnitVector);
    },
  };
}

function toUnitVector(numbers: readonly number[]): Float32Array {
  const length = Math.hypot(...numbers) || 1;
  return Float32Array.from(numbers, (number) => number / length);
}
