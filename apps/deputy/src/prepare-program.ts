import type { TurnKeeper } from "@deputy/agent";
import { type CellRunner, type ProgramTurnDeps, runProgramTurn } from "@deputy/agent/turns";
import type { CellId } from "@deputy/kit";
import type { Program } from "@deputy/protocol";
import type { TaskWork } from "@deputy/tasks";
import { type Catalogue, createCatalogue, type ToolSource } from "@deputy/tools";
import { type OpenPlugin, openPlugin } from "@deputy/tools/node";
import { withBuiltins } from "./builtins/builtin-sources.ts";
import { pluginDeps } from "./load-catalogue.ts";

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
 * plugins, whose processes are started for it and end with it. A plugin that the engine has already takes
 * that one's place. Rejects with a `ToolsError`, or the signal's reason.
 */
export function createProgramPreparer(deps: {
  readonly keeper: TurnKeeper;
  readonly env: NodeJS.ProcessEnv;
  /** The engine's own tools, as they are now. */
  readonly sources: () => readonly ToolSource[];
  readonly builtins: ToolSource;
  /** Over those. */
  readonly cells: () => CellRunner;
  readonly cellsOver: (catalogue: Catalogue) => CellRunner;
  /** Takes what must be closed in the end, whatever becomes of the task. */
  readonly own: (resource: AsyncDisposable) => void;
  readonly signal: AbortSignal;
}): ProgramPreparer {
  const { keeper, signal } = deps;

  /** With the plugins that the task has to itself. */
  const open = async (
    files: ReadonlySet<string>,
  ): Promise<{ readonly cells: CellRunner; readonly plugins: readonly OpenPlugin[] }> => {
    if (files.size === 0) return { cells: deps.cells(), plugins: [] };
    const loaded: (ToolSource & { readonly plugin: OpenPlugin })[] = [];
    for (const file of files) {
      const plugin = await openPlugin(file, { ...pluginDeps(deps.env), signal });
      deps.own(plugin);
      loaded.push({ source: file, tree: plugin.tree, plugin });
    }
    const others = deps.sources().filter(({ source }) => !files.has(source));
    const catalogue = createCatalogue(withBuiltins(deps.builtins, [...others, ...loaded]));
    return { cells: deps.cellsOver(catalogue), plugins: loaded.map(({ plugin }) => plugin) };
  };

  const workWith = async (
    files: readonly string[],
    work: (turnDeps: ProgramTurnDeps) => TaskWork,
  ): Promise<TaskWork> => {
    const { cells, plugins } = await open(new Set(files));
    return async (turn, stop) => {
      try {
        return await work({ keeper, cells, journal: keeper.log.journal })(turn, stop);
      } finally {
        await Promise.all(plugins.map((plugin) => plugin.rest()));
      }
    };
  };

  return {
    prepare: ({ plugins = [], ...program }, cellId) =>
      workWith(
        plugins,
        (turnDeps) => (turn, stop) => runProgramTurn(turnDeps, { ...program, cellId }, turn, stop),
      ),
    resume: ({ plugins = [], ...program }) =>
      workWith(plugins, (turnDeps) => (turn, stop) => runProgramTurn(turnDeps, program, turn, stop)),
  };
}
