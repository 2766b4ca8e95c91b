import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
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
import { createFileSource, openIndexFile, type RememberedPath, watchPaths } from "@deputy/memory/node";
import type { EventLog } from "@deputy/protocol";
import type { Config } from "../config.ts";
import type { Home } from "../home.ts";
import { openMemoryEmbedder } from "./memory-embedder.ts";
import { extraPathsOf, INDEX_FILE } from "./memory-paths.ts";
import { createSessionSource } from "./session-documents.ts";

/** What a home remembers: its agents' notes, files that the settings name, and conversations. Opens nothing yet. */
export async function openMemory(deps: {
  readonly home: Pick<Home, "directory" | "config">;
  /** The folder with a folder for each agent. */
  readonly agentsDirectory: string;
  readonly env: NodeJS.ProcessEnv;
  /** Absent where there is no log yet. */
  readonly log: Pick<EventLog, "read" | "readAll" | "snapshots"> | undefined;
  readonly clock: Clock;
  /** `changes`: files are watched, and the index follows in the background. */
  readonly follow: "changes" | "nothing";
  readonly learn: (secret: string) => void;
  readonly warn: (text: string) => void;
  readonly onBug: (error: unknown) => void;
}): Promise<Memory> {
  const { home, log, clock, warn, onBug } = deps;
  const { memory: settings } = home.config;
  const embedder = await openMemoryEmbedder(home, deps.env, deps);
  const paths = (): readonly RememberedPath[] => [...agentPaths(deps.agentsDirectory), ...extraPathsOf(home)];
  const hash = (text: string): string => createHash("sha256").update(text).digest("hex");
  const files = withoutForgotten(createFileSource(paths), createLeftOut(log, hash));
  const memory = createMemory({
    openStore: () =>
      openIndexFile(join(home.directory, INDEX_FILE), () =>
        warn("The index of the memory was damaged. It is made again from your notes and conversations."),
      ),
    sources:
      log === undefined ? [files] : [files, createSessionSource({ log, sessions: createSessionIndex(log) })],
    embedder,
    hash,
    size: { tokens: settings.search.chunkTokens, overlap: settings.search.chunkOverlap },
    fusion: fusionOf(settings.search),
    clock,
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
      await embedder?.[Symbol.asyncDispose]?.();
    },
  };
}

/** Of every agent that has a folder. */
function agentPaths(directory: string): readonly RememberedPath[] {
  if (!existsSync(directory)) return [];
  const slugs = readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return slugs.flatMap(({ name: slug }) => [
    {
      location: join(directory, slug, "MEMORY.md"),
      path: `${slug}/MEMORY.md`,
      shownAs: "MEMORY.md",
      scope: slug,
      kind: "memory" as const,
    },
    {
      location: join(directory, slug, "memory"),
      path: `${slug}/memory`,
      shownAs: "memory",
      scope: slug,
      kind: "notes" as const,
    },
  ]);
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
