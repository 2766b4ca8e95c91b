import type { TurnKeeper } from "@deputy/agent";
import { type CellRunner, type ProgramTurnDeps, runProgramTurn } from "@deputy/agent/turns";
import type { CellId } from "@deputy/kit";
import type { Program } from "@deputy/protocol";
import type { TaskWork } from "@deputy/tasks";
import { type Catalogue, ToolsError } from "@deputy/tools";
import type { PluginPort } from "../engine-ports.ts";

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
 * plugins, which are opened for it and rest after it. Rejects with a `ToolsError`, or as `cells` and `plugins` do.
 */
export function createProgramPreparer(deps: {
  readonly keeper: TurnKeeper;
  /** Over the tools of programs, as they are now. */
  readonly cells: () => Promise<CellRunner>;
  readonly cellsOver: (catalogue: Catalogue) => CellRunner;
  readonly plugins: PluginPort | undefined;
}): ProgramPreparer {
  const { keeper, plugins } = deps;

  const open = async (
    files: readonly string[],
  ): Promise<{ readonly cells: CellRunner; rest(): Promise<void> }> => {
    const cells = await deps.cells();
    const [first] = files;
    if (first === undefined) return { cells, rest: async () => undefined };
    if (plugins === undefined)
      throw new ToolsError("plugin_not_found", `Plugins are not loaded here, so neither is ${first}`);
    const { catalogue, rest } = await plugins.open(new Set(files));
    return { cells: deps.cellsOver(catalogue), rest };
  };

  const workWith = async (
    files: readonly string[],
    work: (turnDeps: ProgramTurnDeps) => TaskWork,
  ): Promise<TaskWork> => {
    const { cells, rest } = await open(files);
    return async (turn, stop) => {
      try {
        return await work({ keeper, cells, journal: keeper.log.journal })(turn, stop);
      } finally {
        await rest();
      }
    };
  };

  return {
    prepare: ({ plugins: files = [], ...program }, cellId) =>
      workWith(
        files,
        (turnDeps) => (turn, stop) => runProgramTurn(turnDeps, { ...program, cellId }, turn, stop),
      ),
    resume: ({ plugins: files = [], ...program }) =>
      workWith(files, (turnDeps) => (turn, stop) => runProgramTurn(turnDeps, program, turn, stop)),
  };
}
