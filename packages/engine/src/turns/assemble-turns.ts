import { type ApprovalDesk, createGrantsView, type TurnKeeper, type TurnRunner } from "@deputy/agent";
import {
  type CellRunner,
  type ChosenModel,
  createCellRunner,
  createGate,
  createPictureShelf,
  createTurnRunner,
  type ProgramTurnDeps,
  runProgramTurn,
} from "@deputy/agent/turns";
import { DEFAULT_CELL_LIMITS } from "@deputy/codemode";
import type { InterruptedTask, TaskWork } from "@deputy/tasks";
import { type Catalogue, ToolsError } from "@deputy/tools";
import type { EnginePorts, ToolSets, TurnPorts, PluginPort } from "../engine-ports.ts";
import { createProfiles } from "./profiles.ts";
import type { CellId } from "@deputy/kit";
import type { Program, StreamId } from "@deputy/protocol";

/** Runs turns and programs. */
export interface Turns extends AsyncDisposable {
  readonly runner: TurnRunner;
  readonly prepareProgram: ProgramPreparer["prepare"];
  /** Rejects with a `ToolsError` if a plugin that it needs is missing. */
  resumeWork(task: InterruptedTask): Promise<TaskWork>;
  readonly tools: TurnPorts["tools"];
}

type TurnsDeps = Pick<
  EnginePorts,
  | "agents"
  | "blobs"
  | "redactor"
  | "clock"
  | "ids"
  | "sha256"
  | "prices"
  | "warn"
  | "zone"
  | "user"
  | "reporters"
  | "dueBy"
> & {
  /** Owns the turns; code that works on one writes to its log. */
  readonly keeper: TurnKeeper;
  readonly approvals: ApprovalDesk;
  /** The model that the user chose for a session. */
  readonly chosenOf: (stream: StreamId) => Promise<ChosenModel>;
};

/** Puts gate, cells and profiles behind a runner of turns. Owns the ports: it closes them, even if it rejects. */
export async function assembleTurns(deps: TurnsDeps, ports: TurnPorts): Promise<Turns> {
  const { keeper, approvals, blobs, redactor, clock, ids, sha256, prices } = deps;
  const { log } = keeper;
  await using opened = new AsyncDisposableStack();
  opened.use(ports);
  const grants = createGrantsView(log);
  const cellsOver = (catalogue: Catalogue): CellRunner => {
    const shared = { log, catalogue, redactor, clock, ids, sha256 };
    const { policy, counter, approvalTtlMs, credentials, onSuspect } = ports;
    const { checker, stripper, sandbox, limits = DEFAULT_CELL_LIMITS, plans = "on" } = ports;
    const ruled = { policy, approvals, grants, counter, approvalTtlMs, credentials, onSuspect };
    const gate = createGate({ ...shared, ...ruled, blobs });
    return createCellRunner({ ...shared, gate, checker, stripper, sandbox, limits, plans });
  };
  /** Everything that depends on the current tools; a turn keeps what it began with. */
  const over = (tools: ToolSets) => ({
    tools,
    profileOf: createProfiles({ ...deps, tools: tools.all, cellsOver, modelOf: ports.modelOf }),
    cells: cellsOver(tools.programs),
  });
  let assembled = over(await ports.tools());
  const now = async (): Promise<typeof assembled> => {
    const tools = await ports.tools();
    if (tools !== assembled.tools) assembled = over(tools);
    return assembled;
  };
  const profileOf: typeof assembled.profileOf = async (agentId, stop, chosen) =>
    await (await now()).profileOf(agentId, stop, chosen);
  const runner = createTurnRunner({
    keeper,
    profileOf,
    chosenOf: deps.chosenOf,
    redactor,
    clock,
    ids,
    recall: ports.recall,
    pictures: createPictureShelf(blobs),
    surroundings: {
      zone: deps.zone,
      user: deps.user,
      now: (deps.dueBy?.clock ?? clock).now,
      reporters: deps.reporters,
    },
    ...(prices === undefined ? {} : { prices }),
  });
  const programs = createProgramPreparer({
    keeper,
    cells: async () => (await now()).cells,
    cellsOver,
    plugins: ports.plugins,
  });

  const owned = opened.move();
  return {
    runner,
    tools: ports.tools,
    prepareProgram: programs.prepare,
    async resumeWork({ program, plugins = [] }) {
      if (program !== undefined) return await programs.resume({ ...program, plugins });
      ports.plugins?.assertLoaded(plugins);
      return runner.run;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

interface ProgramPreparer {
  /** The work of a new task; its cell gets the given id. */
  prepare(program: Program, cellId: CellId): Promise<TaskWork>;
  /** The work that continues a task which an earlier process left. */
  resume(
    program: Pick<Program, "language" | "plugins" | "writtenBy"> & { readonly cellId: CellId },
  ): Promise<TaskWork>;
}

/**
 * Makes the work of a program's task: its own turn over the engine's tools, and over those of its plugins,
 * which are opened for it and released after it. Rejects with a `ToolsError`, or like `cells` and `plugins`.
 */
function createProgramPreparer(deps: {
  readonly keeper: TurnKeeper;
  /** Over the current tools for programs. */
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
