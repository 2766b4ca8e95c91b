import { type CellOutcome, DEFAULT_CELL_LIMITS, type Sandbox, type Settlement } from "@deputy/codemode";
import type { CellTool } from "./retail-tools.ts";

const STARTED_AT_MS = Date.UTC(2024, 4, 15);

/** Runs a program in the sandbox against these tools; what one throws, the program gets as an error. */
export async function runCell(
  sandbox: Sandbox,
  code: string,
  tools: ReadonlyMap<string, CellTool>,
  signal: AbortSignal,
): Promise<CellOutcome> {
  const settle = (path: string, inputJson: string): Settlement => {
    try {
      const result = tools.get(path)?.(JSON.parse(inputJson));
      return { kind: "ok", json: JSON.stringify(result ?? null), atMs: STARTED_AT_MS };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return { kind: "error", code: "tool_failed", message, atMs: STARTED_AT_MS };
    }
  };
  const cell = sandbox.start(
    {
      code,
      toolPaths: [...tools.keys()],
      limits: DEFAULT_CELL_LIMITS,
      startedAtMs: STARTED_AT_MS,
      seed: 1,
      onCall: ({ id, path, inputJson }) => cell.settle(id, settle(path, inputJson)),
    },
    signal,
  );
  return await cell.outcome;
}
