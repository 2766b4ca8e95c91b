import type { CellId, TurnId } from "@deputy/kit";
import type { Diagnostic } from "@deputy/protocol";
import type { Divergence } from "./divergence.ts";

/** The outcome of running something again. */
export type ReplayOutcome =
  /** It went as recorded. `until` says why only up to a point, when there is no recorded end. */
  | { readonly kind: "agrees"; readonly until?: string }
  | { readonly kind: "diverged"; readonly divergence: Divergence }
  /** The record is not enough, or this machine is not: nothing can be said. */
  | { readonly kind: "not_replayable"; readonly why: string };

/** One call to the model. */
export interface ModelCallReplay {
  /** The last event of its answer. */
  readonly seq: number;
  /** Hash of the request as it is built today: the record does not have the prompt's own text and tools. */
  readonly requestHash: string;
  readonly messages: number;
  readonly outcome: ReplayOutcome;
}

export interface CellReplay {
  readonly cellId: CellId;
  /** Its `cell.submitted`. */
  readonly seq: number;
  /** Counts from the record. */
  readonly calls: number;
  readonly outcome: ReplayOutcome;
  /** Only when today's tools say otherwise than those of then; empty when it would typecheck now. */
  readonly typecheck?: readonly Diagnostic[];
}

export interface TurnReplay {
  readonly turnId: TurnId;
  /** Among the turns of its session, from 1. */
  readonly number: number;
  /** `provider/model`; `none` for a program of the user's. */
  readonly model: string;
  readonly modelCalls: readonly ModelCallReplay[];
  readonly cells: readonly CellReplay[];
  /** The outcome for the turn's own events: its beginning, its messages, its end. */
  readonly outcome: ReplayOutcome;
}

export interface ReplaySummary {
  readonly turns: number;
  readonly modelCalls: number;
  readonly cells: number;
  readonly calls: number;
  readonly diverged: number;
  readonly notReplayable: number;
  /** Programs that would no longer typecheck. */
  readonly mistyped: number;
}

export function summarize(turns: readonly TurnReplay[]): ReplaySummary {
  const cells = turns.flatMap((turn) => turn.cells);
  const modelCalls = turns.flatMap((turn) => turn.modelCalls);
  const outcomes = [...turns, ...cells, ...modelCalls].map(({ outcome }) => outcome.kind);
  return {
    turns: turns.length,
    modelCalls: modelCalls.length,
    cells: cells.length,
    calls: cells.reduce((sum, { calls }) => sum + calls, 0),
    diverged: outcomes.filter((kind) => kind === "diverged").length,
    notReplayable: outcomes.filter((kind) => kind === "not_replayable").length,
    mistyped: cells.filter(({ typecheck = [] }) => typecheck.length > 0).length,
  };
}
