import type { TypeChecker } from "@deputy/codemode";
import { type Clock, type IdSource, throwIfAborted } from "@deputy/kit";
import { parseModelRef } from "@deputy/model/ref";
import { createValueRedactor, type Redactor } from "@deputy/secrets";
import type { Journal, StoredEvent, StreamId } from "@deputy/protocol";
import { DEFAULT_COMPACTION_LIMITS } from "../compaction/compaction-limits.ts";
import type { Text } from "../ingress/labelled-text.ts";
import type { AgentMode } from "../turn/offer.ts";
import { createTurnKeeper } from "../keeper/turn-keeper.ts";
import { UNNAMED_OWNER } from "../keeper/turn-ownership.ts";
import { runProgramTurn } from "../turn/program-turn.ts";
import { SuspendRequest } from "../turn/stop-request.ts";
import { DEFAULT_TURN_LIMITS } from "../budget/turn-limits.ts";
import { createTurnRunner } from "../turn/turn-runner.ts";
import { modeOf, scriptsOf, withToolsOfThen } from "./offered-then.ts";
import { Parted } from "./parted.ts";
import { readAnswers, type RecordedAnswer } from "./recorded-answer.ts";
import { readRecordedCell, type RecordedCell } from "./recorded-cell.ts";
import { createRecordedCells } from "./recorded-cells.ts";
import { RecordedFailure } from "./recorded-failure.ts";
import { createRecordedLog, isOfNextStart } from "./recorded-log.ts";
import { isTurnEnd, type LeadingEvent, type RecordedTurn } from "./recorded-turn.ts";
import { type CellReplayDeps, checkAgain, replayCell } from "./replay-cell.ts";
import type { TurnReplay } from "./replay-report.ts";
import { createTurnFindings } from "./turn-findings.ts";
import type { Model, ModelRef, ModelRequest } from "@deputy/model";

export interface TurnReplayDeps extends CellReplayDeps {
  readonly journal: Pick<Journal, "read">;
  /** Present: programs are also checked against today's tools. */
  readonly checker?: TypeChecker | undefined;
  /** The agent as it is today; the record does not have it. */
  readonly agentOf: (
    agentId: string,
    signal: AbortSignal,
  ) => Promise<{ readonly mode: AgentMode; readonly instructions: Text }>;
  /** Redacts what is shown of a divergence. */
  readonly redactor: Redactor;
  readonly clock: Clock;
  readonly ids: IdSource;
}

export interface RecordedSession {
  readonly stream: StreamId;
  readonly key: string;
  readonly events: readonly StoredEvent[];
}

/** Nobody watches over what was within its limits then, nor summarises what was not summarised then. */
const NO_LIMITS = {
  ...DEFAULT_TURN_LIMITS,
  modelCalls: Infinity,
  typecheckAttempts: Infinity,
  repeats: Infinity,
  compaction: { ...DEFAULT_COMPACTION_LIMITS, thresholdTokens: Infinity, maxMessages: Infinity },
};
/** The secrets of then are not known: nothing is redacted until it is shown. */
const raw = createValueRedactor([]);

/**
 * Runs a turn again: the turn itself is the real one, and so is the sandbox; the model, the log, and what
 * calls gave are the record's. Writes nothing. Rejects with the signal's reason, and when the journal or
 * the checker cannot be used at all.
 */
export async function replayTurn(
  deps: TurnReplayDeps,
  session: RecordedSession,
  recorded: RecordedTurn,
  signal: AbortSignal,
): Promise<TurnReplay> {
  const { turnId, number, agentId, model, leading } = recorded;
  const answers = readAnswers(leading);
  const why = recorded.gap ?? findLoose(recorded, answers);
  if (why !== undefined)
    return { turnId, number, model, modelCalls: [], cells: [], outcome: { kind: "not_replayable", why } };

  const cells: RecordedCell[] = [];
  for (const events of recorded.cells) cells.push(await readRecordedCell(events, deps.journal));
  const { events, stream, key } = session;
  const findings = createTurnFindings({ ...deps, turn: recorded, cells, events });
  const failure = failureOf(leading);
  const stop = new AbortController();
  const log = createRecordedLog({ events, leading, answers, onDifference: findings.differs, stop });
  await using keeper = createTurnKeeper({ log, owner: ownerOf(leading), clock: deps.clock, redactor: raw });
  const runner = createRecordedCells({
    ...deps,
    log,
    cells,
    failure,
    // A program that is not the submitted one is not run.
    replay: async (cell) => findings.outcomeOf(cell) ?? (await replayCell(deps, cell, signal)),
    onReplayed: findings.replayed,
  });

  const run = async (both: AbortSignal): Promise<void> => {
    const turn = { stream, turnId, agentId, sessionKey: key };
    if (model === "none") {
      const program = { code: "", language: "typescript" as const, ...cells[0]?.submitted.data };
      await runProgramTurn({ keeper, cells: runner, journal: deps.journal }, program, turn, both);
      return;
    }
    const agent = await deps.agentOf(agentId, signal);
    const profile = {
      instructions: agent.instructions,
      mode: modeOf(cells) ?? agent.mode,
      scripts: scriptsOf(cells),
      limits: NO_LIMITS,
      model: createRecordedModel({ ref: parseModelRef(model), answers, failure, onRequest: findings.asked }),
      catalogue: withToolsOfThen(deps.catalogue, deps.called),
      cells: runner,
    };
    const turns = createTurnRunner({ ...deps, keeper, redactor: raw, profileOf: async () => profile });
    await turns.run(turn, both);
  };

  try {
    await run(AbortSignal.any([signal, stop.signal]));
  } catch (error) {
    throwIfAborted(signal);
    if (error instanceof Parted) findings.parted(error.divergence);
    else if (!(error instanceof SuspendRequest)) throw error;
  }
  if (deps.checker !== undefined) {
    const checking = { checker: deps.checker, catalogue: deps.catalogue };
    for (const cell of cells) findings.checked(cell, await checkAgain(checking, cell, signal));
  }
  return findings.report(untilWhere(leading));
}

/** An answer without its end was written by a version that did not mark it. */
function findLoose(turn: RecordedTurn, answers: readonly RecordedAnswer[]): string | undefined {
  if (turn.model === "none") return undefined;
  const marked = new Set(answers.flatMap(({ said }) => said));
  const loose = turn.leading.find((event) => !event.type.startsWith("turn.") && !marked.has(event));
  return loose && `the answer at event ${loose.seq} was recorded by an earlier version`;
}

/** The failure that ended the turn, unless its process ended. */
function failureOf(leading: readonly LeadingEvent[]): RecordedFailure | undefined {
  const last = leading.at(-1);
  if (last?.type !== "turn.failed" || isOfNextStart(last)) return undefined;
  return new RecordedFailure(last.data.code, last.data.message);
}

/** The writer of the turn's first event: the record is read as if this replay had written it. */
function ownerOf([first]: readonly LeadingEvent[]): string {
  return (first?.type === "turn.started" ? first.data.owner : undefined) ?? UNNAMED_OWNER;
}

/** Why the turn has no end of its own. */
function untilWhere(leading: readonly LeadingEvent[]): string | undefined {
  const last = leading.at(-1);
  if (last === undefined || !isTurnEnd(last)) return "it has not ended";
  return isOfNextStart(last) ? "Deputy stopped in the middle of it" : undefined;
}

/**
 * A model that gives the recorded answers one after the other, whatever the prompt is. When there are no more, it
 * fails as the turn did.
 */
function createRecordedModel(deps: {
  readonly ref: ModelRef;
  readonly answers: readonly RecordedAnswer[];
  readonly failure: RecordedFailure | undefined;
  readonly onRequest: (request: ModelRequest, answer: RecordedAnswer) => void;
}): Model {
  let next = 0;
  return {
    ref: deps.ref,
    async *stream(request, signal) {
      signal.throwIfAborted();
      const answer = deps.answers[next];
      if (answer === undefined) throw deps.failure ?? new Error("The record has no further answer");
      next += 1;
      deps.onRequest(request, answer);
      yield* answer.events;
    },
  };
}
