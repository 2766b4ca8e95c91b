import {
  type BridgeCall,
  type CellLimits,
  type CellOutcome,
  DEFAULT_CELL_LIMITS,
  type Sandbox,
  type Settlement,
} from "@deputy/codemode";

/** Where every test cell's clock starts. */
export const STARTED_AT_MS = 1_700_000_000_000;

export interface TestCell {
  readonly code: string;
  readonly toolPaths?: readonly string[];
  readonly limits?: Partial<CellLimits>;
  readonly seed?: number;
  readonly signal?: AbortSignal;
  /** How a call ends; undefined leaves it open. Default: `{"echo": input}`. */
  readonly answer?: (call: BridgeCall) => Settlement | undefined;
}

export interface RanCell {
  readonly outcome: CellOutcome;
  readonly calls: readonly BridgeCall[];
}

/** Limits under which a runaway cell is stopped soon, but an honest one is not on a busy machine. */
const TEST_LIMITS: CellLimits = { ...DEFAULT_CELL_LIMITS, cpuMs: 2_000, memoryBytes: 16 * 1024 * 1024 };

export const ok = (value: unknown, atMs = STARTED_AT_MS): Settlement => ({
  kind: "ok",
  json: JSON.stringify(value),
  atMs,
});
export const denied: Settlement = {
  kind: "error",
  code: "denied",
  message: "You said no",
  atMs: STARTED_AT_MS,
};

/** Runs a cell to its end, settling each call as it comes. */
export async function runCell(sandbox: Sandbox, cell: TestCell): Promise<RanCell> {
  const calls: BridgeCall[] = [];
  const answer = cell.answer ?? ((call) => ok({ echo: JSON.parse(call.inputJson) }));
  const running = sandbox.start(
    {
      code: cell.code,
      toolPaths: cell.toolPaths ?? ["a", "b.c"],
      limits: { ...TEST_LIMITS, ...cell.limits },
      startedAtMs: STARTED_AT_MS,
      seed: cell.seed ?? 1,
      onCall: (call) => {
        calls.push(call);
        const settlement = answer(call);
        if (settlement !== undefined) queueMicrotask(() => running.settle(call.id, settlement));
      },
    },
    cell.signal ?? new AbortController().signal,
  );
  return { outcome: await running.outcome, calls };
}

/** The cell's result; an Error with the failure's message if it failed. */
export async function resultOf(sandbox: Sandbox, cell: TestCell | string): Promise<unknown> {
  const { outcome } = await runCell(sandbox, typeof cell === "string" ? { code: cell } : cell);
  if (outcome.kind === "failed") throw new Error(`${outcome.failure.code}: ${outcome.failure.message}`);
  return outcome.resultJson === undefined ? undefined : JSON.parse(outcome.resultJson);
}

/** The code and line of the cell's failure; `completed` when it did not fail. */
export async function failureOf(
  sandbox: Sandbox,
  cell: TestCell | string,
): Promise<{ readonly code: string; readonly message?: string; readonly line?: number }> {
  const { outcome } = await runCell(sandbox, typeof cell === "string" ? { code: cell } : cell);
  return outcome.kind === "failed" ? outcome.failure : { code: "completed" };
}
