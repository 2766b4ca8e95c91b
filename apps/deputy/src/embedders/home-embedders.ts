import type { Embedder } from "@deputy/embedder";
import { promptsOf } from "@deputy/embedder/prompts";
import { type Clock, openLater, type Pace } from "@deputy/kit";
import { createPace } from "@deputy/kit/pace";
import { LEAST_RELATED, MODEL } from "@deputy/embedder/node/model-files";
import { parseModelRef } from "@deputy/model/ref";
import { withProviderSettings } from "../agents/agent-models.ts";
import { readModelSettings } from "../choose-model.ts";
import { watchProviders } from "../config/watch-providers.ts";
import type { Home } from "../home.ts";

/**
 * The embedders of a home: the one that comes with Deputy, and those of providers. Whoever names the same gets the
 * same, so that memory and tools share one process. Nothing is loaded, looked up or requested before the first text.
 */
export interface HomeEmbedders extends AsyncDisposable {
  /**
   * By its name in the settings; without one, the embedder that comes with Deputy; undefined for `none`. A name that is
   * none of a model shows with the first text.
   */
  named(setting: string | undefined): Embedder | undefined;
  /** The one that made vectors, by the name that they have. Undefined if that is not known any more. */
  ofVectors(model: string): Embedder | undefined;
  /** What is indexed on this machine gives way to turns by it, texts of the embedder included. */
  readonly pace: Pace;
}

/** The setting that leaves meaning out. */
const NONE = "none";
/** Of the time that turns take: what is indexed meanwhile slows them by no more. */
const INDEXING_SHARE = 0.1;
/** In the name of vectors: the texts were marked as the model wants them. */
const PROMPTED = "+prompts";

export function openHomeEmbedders(deps: {
  readonly home: Pick<Home, "directory" | "config">;
  readonly env: NodeJS.ProcessEnv;
  readonly clock: Clock;
  readonly learn: (secret: string) => void;
  /** True while turns are worked on in this process. Absent: never. */
  readonly isWorking?: () => boolean;
}): HomeEmbedders {
  const { home, env, clock, learn, isWorking = () => false } = deps;
  const pace = createPace({ clock, isBusy: isWorking, share: INDEXING_SHARE });
  const current = watchProviders(home);
  const own = openLater(async () => (await import("@deputy/embedder/node")).openMiniLm({ clock }));
  const ofDeputy: Embedder = {
    model: MODEL,
    leastRelated: LEAST_RELATED,
    async embed(texts, signal, role) {
      const model = await own.get();
      return role === "question"
        ? await model.embed(texts, signal, role)
        : await embedAtPace(model, texts, pace, signal);
    },
  };
  const made = new Map<string, Embedder>();
  const ofProvider = (setting: string): Embedder => {
    const name = setting.includes("/") ? setting : `openai/${setting}`;
    const prompts = promptsOf(name);
    const embedder: Embedder = made.get(name) ?? {
      model: prompts === undefined ? name : `${name}${PROMPTED}`,
      async embed(texts, signal, role = "text") {
        const ref = parseModelRef(name);
        const full = withProviderSettings(env, ref.provider, current(), home.directory, learn);
        const { createEmbedder } = await import("@deputy/model/embeddings");
        const service = createEmbedder(ref, { settings: readModelSettings(full), fetch, clock });
        const marked = prompts === undefined ? texts : texts.map((text) => prompts[role](text));
        return (await service.embed(marked, signal)).map(toUnitVector);
      },
    };
    made.set(name, embedder);
    return embedder;
  };
  return {
    pace,
    named: (setting) =>
      setting === NONE ? undefined : setting === undefined ? ofDeputy : ofProvider(setting),
    ofVectors(model) {
      if (model === MODEL) return ofDeputy;
      if (!model.includes("/")) return undefined;
      const embedder = ofProvider(model.replace(PROMPTED, ""));
      return embedder.model === model ? embedder : undefined;
    },
    [Symbol.asyncDispose]: () => own[Symbol.asyncDispose](),
  };
}

/** One text after another: a turn that begins meanwhile competes with one of them at most. */
async function embedAtPace(
  model: Embedder,
  texts: readonly string[],
  pace: Pace,
  signal: AbortSignal,
): Promise<readonly Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (const text of texts) {
    await pace.ready(signal);
    vectors.push(...(await pace.count(() => model.embed([text], signal))));
  }
  return vectors;
}

function toUnitVector(numbers: readonly number[]): Float32Array {
  const length = Math.hypot(...numbers) || 1;
  return Float32Array.from(numbers, (number) => number / length);
}
