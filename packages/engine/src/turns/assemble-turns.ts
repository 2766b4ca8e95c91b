import { type ApprovalDesk, createGrantsView, type TurnKeeper, type TurnRunner } from "@deputy/agent";
import { type CellRunner, createCellRunner, createGate, createTurnRunner } from "@deputy/agent/turns";
import { DEFAULT_CELL_LIMITS } from "@deputy/codemode";
import type { InterruptedTask, TaskWork } from "@deputy/tasks";
import type { Catalogue } from "@deputy/tools";
import type { EnginePorts, ToolSets, TurnPorts } from "../engine-ports.ts";
import { createProgramPreparer, type ProgramPreparer } from "./prepare-program.ts";
import { createProfiles } from "./profiles.ts";

/** What runs turns and programs. */
export interface Turns extends AsyncDisposable {
  readonly runner: TurnRunner;
  readonly prepareProgram: ProgramPreparer["prepare"];
  /** Rejects with a `ToolsError` when a plugin it needs is not there. */
  resumeWork(task: InterruptedTask): Promise<TaskWork>;
  readonly tools: TurnPorts["tools"];
}

type TurnsDeps = Pick<
  EnginePorts,
  "agents" | "blobs" | "redactor" | "clock" | "ids" | "sha256" | "prices" | "warn"
> & {
  /** Owns the turns; what works on one writes to its log. */
  readonly keeper: TurnKeeper;
  readonly approvals: ApprovalDesk;
};

/** Puts gate, cells and profiles behind a runner of turns. Owns the ports: it closes them, also when it rejects. */
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
  /** All that follows from what tools there are; a turn keeps what it began with. */
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
  const profileOf: typeof assembled.profileOf = async (agentId, stop) =>
    await (await now()).profileOf(agentId, stop);
  const runner = createTurnRunner({
    keeper,
    profileOf,
    redactor,
    clock,
    ids,
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
