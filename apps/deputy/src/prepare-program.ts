import type { TurnKeeper } from "@deputy/agent";
import { type CellRunner, type ProgramTurnDeps, runProgramTurn } from "@deputy/agent/turns";
import type { CellId, Clock } from "@deputy/kit";
import type { Program } from "@deputy/protocol";
import type { TaskWork } from "@deputy/tasks";
import { type Catalogue, createCatalogue, type ToolSource, ToolsError } from "@deputy/tools";
import { installPluginResolution, loadPlugin } from "@deputy/tools/node";
import { withBuiltins } from "./builtins/builtin-sources.ts";
import { findBundleLayout } from "./bundle-layout.ts";

/** A plugin may wait for something while it loads; the client that named it waits with it. */
const LOADING_MS = 30_000;

export interface ProgramPreparer {
  /** The work of a new task; its cell gets the given id. */
  prepare(program: Program, cellId: CellId): Promise<TaskWork>;
  /** The work that goes on with one that an earlier process left. */
  resume(
    program: Pick<Program, "language" | "plugins" | "writtenBy"> & { readonly cellId: CellId },
  ): Promise<TaskWork>;
}

/**
 * Makes the work of a program's task: a turn of its own over the engine's tools, and over those of its
 * plugins, which are loaded afresh for it (see `loadPlugin` for the limits of that). A plugin that the
 * engine has already takes that one's place. Rejects with a `ToolsError`, or the signal's reason.
 */
export function createProgramPreparer(deps: {
  readonly keeper: TurnKeeper;
  readonly clock: Clock;
  /** The engine's own tools, as they are now. */
  readonly sources: () => readonly ToolSource[];
  readonly builtins: ToolSource;
  /** Over those. */
  readonly cells: () => CellRunner;
  readonly cellsOver: (catalogue: Catalogue) => CellRunner;
  readonly signal: AbortSignal;
}): ProgramPreparer {
  const { keeper } = deps;
  let loadings = 0;

  const load = async (file: string, version: string): Promise<ToolSource> => {
    const over = new AbortController();
    const tooLong = deps.clock
      .sleep(LOADING_MS, AbortSignal.any([deps.signal, over.signal]))
      .then((): never => {
        throw new ToolsError(
          "plugin_failed",
          `The plugin ${file} was still loading after ${LOADING_MS / 1_000} s`,
        );
      });
    try {
      return { source: file, tree: await Promise.race([loadPlugin(file, version), tooLong]) };
    } finally {
      over.abort();
    }
  };

  const catalogueWith = async (plugins: readonly string[]): Promise<Catalogue> => {
    if (loadings === 0) installPluginResolution(findBundleLayout().pluginModules);
    loadings += 1;
    const files = new Set(plugins);
    const loaded: ToolSource[] = [];
    for (const file of files) loaded.push(await load(file, String(loadings)));
    const others = deps.sources().filter(({ source }) => !files.has(source));
    return createCatalogue(withBuiltins(deps.builtins, [...others, ...loaded]));
  };

  const depsWith = async (plugins: readonly string[]): Promise<ProgramTurnDeps> => {
    const cells = plugins.length === 0 ? deps.cells() : deps.cellsOver(await catalogueWith(plugins));
    return { keeper, cells, journal: keeper.log.journal };
  };

  return {
    async prepare({ plugins = [], ...program }, cellId) {
      const turnDeps = await depsWith(plugins);
      return (turn, signal) => runProgramTurn(turnDeps, { ...program, cellId }, turn, signal);
    },
    async resume({ plugins = [], ...program }) {
      const turnDeps = await depsWith(plugins);
      return (turn, signal) => runProgramTurn(turnDeps, program, turn, signal);
    },
  };
}
