import type { TypeChecker } from "@deputy/codemode";
import { type Clock, CodedError, type IdSource, throwIfAborted } from "@deputy/kit";
import { type ModelRequest, parseModelRef } from "@deputy/model";
import { canonicalJson, createRedactor } from "@deputy/policy";
import { type CanonicalEvent, type Journal, readEvent, type StoredEvent, type StreamId } from "@deputy/protocol";
import { buildHistory } from "../history.ts";
import type { AgentMode } from "../offer.ts";
import { runProgramTurn } from "../program-turn.ts";
import { SuspendRequest } from "../suspend-request.ts";
import { DEFAULT_TURN_LIMITS } from "../turn-limits.ts";
import { createTurnRunner } from "../turn-runner.ts";
import { type Difference, firstDifference } from "./divergence.ts";
import { modeOf, offeredThen } from "./offered-then.ts";
import { type RecordedAnswer, readAnswers } from "./recorded-answer.ts";
import { type RecordedCell, readRecordedCell } from "./recorded-cell.ts";
import { createRecordedCells } from "./recorded-cells.ts";
import { RecordedFailure } from "./recorded-failure.ts";
import { createRecordedLog, isOfNextStart, Parted } from "./recorded-log.ts";
import { createRecordedModel } from "./recorded-model.ts";
import { isTurnEnd, type LeadingEvent, type RecordedTurn } from "./recorded-turn.ts";
import { type CellReplayDeps, checkAgain, replayCell } from "./replay-cell.ts";
import type { CellReplay, ModelCallReplay, ReplayOutcome, TurnReplay } from "./replay-report.ts";

export interface TurnReplayDeps extends CellReplayDeps {
  readonly journal: Pick<Journal, "read">;
  /** Present: programs are also checked against today's tools. */
  readonly checker?: TypeChecker | undefined;
  /** What is known today of the agent; the record has none of it. */
  readonly agentOf: (agentId: string) => { readonly mode: AgentMode; readonly instructions: string };
  readonly clock: Clock;
  readonly ids: IdSource;
}

/** Nobody watches over what was within its limits then. */
const NO_LIMITS = { ...DEFAULT_TURN_LIMITS, modelCalls: Infinity, typecheckAttempts: Infinity };
const raw = createRedactor([]);

/**
 * Runs a turn again: the turn itself is the real one, and so is the sandbox; the model, the log and what
 * calls gave are the record's. Writes nothing. Rejects with the signal's reason, and when the journal
 * cannot be read at all.
 */
export async function replayTurn(
  deps: TurnReplayDeps,
  session: { readonly stream: StreamId; readonly key: string; readonly events: readonly StoredEvent[] },
  recorded: RecordedTurn,
  signal: AbortSignal,
): Promise<TurnReplay> {
  const { turnId, number, agentId, model, leading } = recorded;
  const answers = readAnswers(leading);
  const named = { turnId, number, model };
  const why = recorded.gap ?? findLooseAnswer(recorded, answers);
  if (why !== undefined)
    return { ...named, modelCalls: [], cells: [], outcome: { kind: "not_replayable", why } };

  const cells: RecordedCell[] = [];
  for (const events of recorded.cells) cells.push(await readRecordedCell(events, deps.journal));
  const outcomes = new Map<RecordedCell, ReplayOutcome>();
  const modelCalls: ModelCallReplay[] = [];
  let outcome: ReplayOutcome | undefined;

  const onDifference = (event: LeadingEvent, difference: Difference): void => {
    const diverged = { kind: "diverged" as const, divergence: { seq: event.seq, ...difference } };
    const cell = cells.find(({ submitted }) => submitted === event);
    if (cell === undefined || difference.what === NEXT_EVENT) outcome ??= diverged;
    // Without its journal, a program is known only as the event has it: maybe redacted.
    else if (cell.journal.kind === "kept") outcomes.set(cell, diverged);
  };
  const onRequest = (request: ModelRequest, answer: RecordedAnswer): void => {
    const difference = firstDifference(
      "messages",
      buildHistory(knownUntil(session.events, answer.throughSeq)),
      request.messages,
    );
    modelCalls.push({
      seq: answer.seq,
      requestHash: deps.sha256(canonicalJson(request)),
      messages: request.messages.length,
      outcome:
        difference === undefined
          ? { kind: "agrees" }
          : { kind: "diverged", divergence: { seq: answer.seq, ...difference } },
    });
  };

  const stop = new AbortController();
  const failure = failureOf(leading);
  const log = createRecordedLog({ events: session.events, leading, answers, onDifference, stop });
  const runner = createRecordedCells({
    ...{ ...deps, log, cells, failure },
    // A program that is not the submitted one is not run.
    replay: async (cell) => outcomes.get(cell) ?? (await replayCell(deps, cell, signal)),
    onReplayed: (cell, came) => void outcomes.set(cell, came),
  });
  const turn = { stream: session.stream, turnId, agentId, sessionKey: session.key };
  const both = AbortSignal.any([signal, stop.signal]);
  const [first] = cells;

  try {
    if (model === "none") {
      if (first !== undefined) await runProgramTurn({ log, cells: runner, redactor: raw }, programOf(first), turn, both);
    } else {
      const profile = {
        ...deps.agentOf(agentId),
        ...modeOf(cells),
        model: createRecordedModel({ ref: parseModelRef(model), answers, failure, onRequest }),
        catalogue: offeredThen(deps.catalogue, cells),
        cells: runner,
        limits: NO_LIMITS,
      };
      await createTurnRunner({ ...deps, log, redactor: raw, profileOf: async () => profile }).run(turn, both);
    }
  } catch (error) {
    throwIfAborted(signal);
    if (!(error instanceof Parted) && !(error instanceof SuspendRequest)) throw error;
  }
  const again = new Map<RecordedCell, CellReplay["typecheck"]>();
  ...
}
