import { hash as digest } from "node:crypto";
import { join } from "node:path";
import { createSessionIndex } from "@deputy/agent/sessions";
import type { Clock } from "@deputy/kit";
import {
  createLeftOut,
  createMemory,
  DEFAULT_WEIGHTS,
  type Fusion,
  type Memory,
  withoutForgotten,
} from "@deputy/memory";
import { createFileSource, openIndexThread, type RememberedPath, watchPaths } from "@deputy/memory/node";
import type { EventLog } from "@deputy/protocol";
import type { Config } from "../config.ts";
import type { Home } from "../home.ts";
import type { HomeEmbedders } from "../embedders/home-embedders.ts";
import { agentPaths, extraPathsOf, INDEX_FILE } from "./memory-paths.ts";
import { createSessionSource } from "./session-documents.ts";

/** What a home remembers: its agents' notes, files that the settings name, and conversations. Opens nothing yet. */
export async function openMemory(deps: {
  readonly home: Pick<Home, "directory" | "config">;
  /** The folder with a folder for each agent. */
  readonly agentsDirectory: string;
  readonly embedders: Pick<HomeEmbedders, "named" | "ofVectors" | "pace">;
  /** Absent where there is no log yet. */
  readonly log: Pick<EventLog, "read" | "readAll" | "snapshots"> | undefined;
  readonly clock: Clock;
  /** `changes`: files are watched, and the index follows in the background. */
  readonly follow: "changes" | "nothing";
  readonly warn: (text: string) => void;
  readonly onBug: (error: unknown) => void;
}): Promise<Memory> {
  const { home, log, clock, warn, onBug } = deps;
  const { memory: settings } = home.config;
  const embedder = deps.embedders.named(settings.embeddingModel);
  const paths = (): readonly RememberedPath[] => [...agentPaths(deps.agentsDirectory), ...extraPathsOf(home)];
  const hash = (text: string): string => digest("sha256", text, "hex");
  const files = withoutForgotten(createFileSource(paths), createLeftOut(log, hash));
  const memory = createMemory({
    openStore: async () =>
      openIndexThread(join(home.directory, INDEX_FILE), {
        clock,
        onDamaged: () =>
          warn("The index of the memory was damaged. It is made again from your notes and conversations."),
      }),
    sources:
      log === undefined ? [files] : [files, createSessionSource({ log, sessions: createSessionIndex(log) })],
    embedder,
    formerEmbedder: deps.embedders.ofVectors,
    hash,
    size: { tokens: settings.search.chunkTokens, overlap: settings.search.chunkOverlap },
    fusion: fusionOf(settings.search),
    clock,
    pace: deps.embedders.pace,
    onBug,
  });
  const watching =
    deps.follow === "nothing"
      ? undefined
      : watchPaths(
          paths().map(({ location }) => location),
          { clock, onChange: () => memory.noteChange() },
        );
  return {
    ...memory,
    async [Symbol.asyncDispose]() {
      watching?.[Symbol.dispose]();
      await memory[Symbol.asyncDispose]();
    },
  };
}

const FUSIONS = { "min-max": "min-max", weighted: "weighted", rank: "ranks" } as const;

function fusionOf({ fusion, hybridWeights, minScore }: Config["memory"]["search"]): Fusion {
  const kind = FUSIONS[fusion];
  const weights = {
    meaning: hybridWeights.vector ?? DEFAULT_WEIGHTS[kind].meaning,
    words: hybridWeights.keyword ?? DEFAULT_WEIGHTS[kind].words,
  };
  return kind === "weighted" ? { kind, weights, minScore } : { kind, weights };
}
