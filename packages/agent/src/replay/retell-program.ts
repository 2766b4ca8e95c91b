import type { BridgeCall, CellLimits, CellOutcome, Sandbox } from "@deputy/codemode";
import { resumeCell } from "@deputy/codemode/resume-cell";
import { type CellId, throwIfAborted } from "@deputy/kit";
import type { Sha256 } from "@deputy/protocol";
import { seedOf } from "../cell/draft-cell.ts";
import { settlementOf } from "../cell/cell-journal.ts";
import type { CellTold } from "./recorded-cell.ts";

/** A program that was run again with the recorded results. */
export interface Retold {
  /** In the order in which it made them, each with the number of settlements it had got by then. */
  readonly calls: readonly (BridgeCall & { readonly told: number })[];
  /** Undefined when it waits for a call that the record has no settlement of. */
  readonly outcome: CellOutcome | undefined;
}

/**
 * Runs the program in the real sandbox from its first line; only the record answers its calls. It is stopped at the
 * first call that `isSame` does not expect. Rejects with the signal's reason only.
 */
export async function retellProgram(
  deps: { readonly sandbox: Sandbox; readonly limits: CellLimits; readonly sha256: Sha256 },
  program: {
    readonly cellId: CellId;
    /** JavaScript, types stripped. */
    readonly script: string;
    readonly toolPaths: readonly string[];
    /** The indexes of the calls it made, those that never settled included. */
    readonly indexes: Iterable<number>;
    readonly told: CellTold;
  },
  isSame: (call: BridgeCall) => Promise<boolean>,
  signal: AbortSignal,
): Promise<Retold> {
  const { cellId, told } = program;
  const calls: (BridgeCall & { readonly told: number })[] = [];
  const beyond = new AbortController();
  const spec = {
    code: program.script,
    toolPaths: program.toolPaths,
    limits: deps.limits,
    startedAtMs: told.program.startedAtMs,
    seed: seedOf(deps.sha256, cellId),
    onCall: () => beyond.abort(),
  };
  const record = {
    calls: new Map([...program.indexes].map((index) => [index + 1, SAME])),
    settled: told.settled.map((entry) => ({
      id: entry.index + 1,
      settlement: settlementOf(entry, entry.atMs),
    })),
  };
  const watched = watch(deps.sandbox, (call, count) => calls.push({ ...call, told: count }));
  const both = AbortSignal.any([signal, beyond.signal]);
  const fingerprint = async (call: BridgeCall): Promise<string> =>
    (await isSame(call)) ? SAME : "another one";
  const outcome = await resumeCell(watched, spec, record, fingerprint, both).outcome;
  throwIfAborted(signal);
  return { calls, outcome: beyond.signal.aborted ? undefined : outcome };
}

const SAME = "the same";

/** A sandbox that reports every call, also those that the record answers. */
function watch(sandbox: Sandbox, onCall: (call: BridgeCall, told: number) => void): Sandbox {
  return {
    start(spec, signal) {
      let told = 0;
      const cell = sandbox.start(
        {
          ...spec,
          onCall(call) {
            onCall(call, told);
            spec.onCall(call);
          },
        },
        signal,
      );
      return {
        settle(id, settlement) {
          told += 1;
          cell.settle(id, settlement);
        },
        hibernate: () => cell.hibernate(),
        quiet: () => cell.quiet(),
        outcome: cell.outcome,
      };
    },
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  };
}
