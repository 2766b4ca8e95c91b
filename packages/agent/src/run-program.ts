import type { CellFailure, CellLimits, Sandbox, Settlement } from "@deputy/codemode";
import { type CellId, type Clock, openTaskGroup } from "@deputy/kit";
import type { EventLog, Sha256 } from "@deputy/protocol";
import type { Catalogue } from "@deputy/tools";
import type { CellRequest } from "./cell-report.ts";
import type { Gate } from "./gate.ts";
import type { Receipt } from "./receipt.ts";
import { seenLabels } from "./seen-labels.ts";

export interface ProgramDeps {
  readonly log: EventLog;
  readonly sandbox: Sandbox;
  readonly gate: Gate;
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly sha256: Sha256;
  readonly limits: CellLimits;
}

interface Program extends CellRequest {
  readonly cellId: CellId;
  /** JavaScript, types stripped. */
  readonly script: string;
  readonly programHash: string;
}

interface ProgramEnd {
  readonly failure: CellFailure | undefined;
  readonly resultJson: string | undefined;
  readonly logs: readonly string[];
  /** In the order the calls were made. */
  readonly receipts: readonly Receipt[];
}

/** Runs a checked program and passes each of its calls through the gate; leaves no call behind when it ends. Rejects when the gate does. */
export async function runProgram(
  deps: ProgramDeps,
  program: Program,
  signal: AbortSignal,
): Promise<ProgramEnd> {
  const receipts = new Map<number, Receipt>();
  const toolLogs: string[] = [];
  const seen = await seenLabels(deps.log, program.stream);
  let failure: { readonly error: unknown } | undefined;
  let loggedChars = 0;
  const noteLog = (message: string): void => {
    loggedChars += message.length;
    if (loggedChars <= deps.limits.maxLogBytes) toolLogs.push(message);
  };
  await using calls = openTaskGroup(signal);

  const cell = deps.sandbox.start(
    {
      code: program.script,
      toolPaths: deps.catalogue.list().map((tool) => tool.path),
      limits: deps.limits,
      startedAtMs: deps.clock.now(),
      seed: Number.parseInt(deps.sha256(program.cellId).slice(0, 8), 16),
      onCall: (call) => {
        if (calls.signal.aborted) return;
        calls.spawn(async (callSignal) => {
          const labels = [...seen.values()];
          const { path: toolPath, inputJson } = call;
          const request = { ...program, index: call.id - 1, toolPath, inputJson, labels, log: noteLog };
          const receipt = await deps.gate.call(request, callSignal).catch((error: unknown) => {
            failure ??= { error };
            throw error; // Ends the cell; reported once its other calls have settled.
          });
          receipts.set(call.id, receipt);
          seen.set(`untrusted ${toolPath}`, { trust: "untrusted", source: toolPath });
          cell.settle(call.id, settlementOf(receipt, deps.clock.now()));
        });
      },
    },
    calls.signal,
  );
  const outcome = await cell.outcome;
  // Calls still running belong to a program that is gone: they are told to stop, then settle in the log.
  await calls[Symbol.asyncDispose]();
  if (failure !== undefined) throw failure.error;

  const ended = {
    logs: [...outcome.logs, ...toolLogs],
    receipts: [...receipts.entries()].sort(([a], [b]) => a - b).map(([, receipt]) => receipt),
  };
  if (outcome.kind === "failed") return { ...ended, failure: outcome.failure, resultJson: undefined };
  return { ...ended, failure: undefined, resultJson: outcome.resultJson };
}

function settlementOf(receipt: Receipt, atMs: number): Settlement {
  if (receipt.status === "succeeded") return { kind: "ok", json: receipt.resultJson ?? "null", atMs };
  const { code, message } = receipt.error ?? { code: receipt.status, message: "The call did not succeed." };
  return { kind: "error", code, message, atMs };
}
