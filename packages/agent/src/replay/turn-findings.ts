import type { ModelRequest } from "@deputy/model";
import { canonicalJson } from "@deputy/policy/canonical-json";
import type { Redactor } from "@deputy/secrets";
import {
  type CanonicalEvent,
  type Diagnostic,
  readEvent,
  type Sha256,
  type StoredEvent,
} from "@deputy/protocol";
import { buildHistory } from "../history/history.ts";
import { toModelMessage } from "../ingress/prompt.ts";
import { type Difference, type Divergence, firstDifference } from "./divergence.ts";
import type { RecordedAnswer } from "./recorded-answer.ts";
import type { RecordedCell } from "./recorded-cell.ts";
import type { LeadingEvent, RecordedTurn } from "./recorded-turn.ts";
import type { ModelCallReplay, ReplayOutcome, TurnReplay } from "./replay-report.ts";

/** The findings while a turn runs again. Only the first divergence is kept. */
export interface TurnFindings {
  /** The turn wrote something else than then. */
  differs(event: LeadingEvent, difference: Difference): void;
  /** It parted from its record. */
  parted(divergence: Divergence): void;
  asked(request: ModelRequest, answer: RecordedAnswer): void;
  replayed(cell: RecordedCell, outcome: ReplayOutcome): void;
  outcomeOf(cell: RecordedCell): ReplayOutcome | undefined;
  checked(cell: RecordedCell, diagnostics: readonly Diagnostic[] | undefined): void;
  /** `until`: why the turn went no further. */
  report(until: string | undefined): TurnReplay;
}

export function createTurnFindings(deps: {
  readonly turn: RecordedTurn;
  readonly cells: readonly RecordedCell[];
  /** All events of the stream. */
  readonly events: readonly StoredEvent[];
  readonly sha256: Sha256;
  /** Redacts what is shown. Texts are compared unredacted. */
  readonly redactor: Redactor;
}): TurnFindings {
  const { turn, cells, redactor } = deps;
  const ofCells = new Map<RecordedCell, ReplayOutcome>();
  const typechecks = new Map<RecordedCell, readonly Diagnostic[]>();
  const modelCalls: ModelCallReplay[] = [];
  let ofTurn: ReplayOutcome | undefined;

  const diverged = (divergence: Divergence): ReplayOutcome => {
    const { expected, came } = divergence;
    const shown = { expected: redactor.text(expected), came: redactor.text(came) };
    return { kind: "diverged", divergence: { ...divergence, ...shown } };
  };
  const shown = (outcome: ReplayOutcome): ReplayOutcome =>
    outcome.kind === "diverged" ? diverged(outcome.divergence) : outcome;

  return {
    differs(event, difference) {
      const outcome = diverged({ seq: event.seq, ...difference });
      const cell = cells.find(({ submitted }) => submitted === event);
      if (cell === undefined) ofTurn ??= outcome;
      // Without its journal, a program is known only as the event has it, maybe redacted.
      else if (cell.journal.kind === "kept") ofCells.set(cell, outcome);
    },
    parted(divergence) {
      ofTurn ??= diverged(divergence);
    },
    asked(request, answer) {
      const then = buildHistory(knownThrough(deps.events, answer.throughSeq)).map(toModelMessage);
      const difference = firstDifference("what the model is told", then, request.messages);
      modelCalls.push({
        seq: answer.seq,
        requestHash: deps.sha256(canonicalJson(request)),
        messages: request.messages.length,
        outcome: difference === undefined ? { kind: "agrees" } : diverged({ seq: answer.seq, ...difference }),
      });
    },
    replayed: (cell, outcome) => void (ofCells.has(cell) || ofCells.set(cell, shown(outcome))),
    outcomeOf: (cell) => ofCells.get(cell),
    checked: (cell, diagnostics) => void (diagnostics && typechecks.set(cell, diagnostics)),
    report: (until) => ({
      turnId: turn.turnId,
      number: turn.number,
      model: turn.model,
      modelCalls,
      cells: cells.map((cell) => {
        const { seq, data } = cell.submitted;
        const typecheck = typechecks.get(cell);
        const found = {
          cellId: data.cellId,
          seq,
          calls: cell.requested.length,
          outcome: ofCells.get(cell) ?? NOT_REACHED,
        };
        return typecheck === undefined ? found : Object.assign(found, { typecheck });
      }),
      outcome: ofTurn ?? (until === undefined ? { kind: "agrees" } : { kind: "agrees", until }),
    }),
  };
}

const NOT_REACHED: ReplayOutcome = {
  kind: "not_replayable",
  why: "its turn parted from the record before it",
};

function knownThrough(events: readonly StoredEvent[], seq: number): CanonicalEvent[] {
  return events.flatMap((stored) => {
    if (stored.seq > seq) return [];
    const read = readEvent(stored);
    return read.kind === "known" ? [read.event] : [];
  });
}
