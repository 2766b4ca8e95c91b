import { type Clock, type IdSource, span } from "@deputy/kit";
import { formatModelRef, type Model } from "@deputy/model";
import type { Redactor } from "@deputy/policy";
import type { EventLog, StoredEvent } from "@deputy/protocol";
import type { Catalogue } from "@deputy/tools";
import { AgentError } from "./agent-error.ts";
import { type Answer, askModel } from "./ask-model.ts";
import type { CellRunner } from "./cell-runner.ts";
import { buildHistory } from "./history.ts";
import { type OpenTurn, readOpenTurn } from "./open-turn.ts";
import { buildSystemPrompt, RUN_CODE } from "./prompt.ts";
import { readProgram } from "./read-program.ts";
import { recordTurn, type UsageCount } from "./turn-record.ts";
import type { Turn, TurnOutcome } from "./turn.ts";

/** One turn: from what the user said to an answer in text, through as many programs as it takes. */
export interface TurnRunner {
  /**
   * The turn's end is in the log whatever happens; rejects when the log fails, for a bug, and with a
   * `SuspendRequest`, after which another process can go on with it.
   */
  run(turn: Turn, signal: AbortSignal): Promise<TurnOutcome>;
  /** Goes on with a turn that an earlier process left without an end; the rest is as with `run`. */
  resume(turn: Turn, signal: AbortSignal): Promise<TurnOutcome>;
}

export interface TurnLimits {
  readonly modelCalls: number;
  readonly typecheckAttempts: number;
  readonly outputTokens: number;
}

export const DEFAULT_TURN_LIMITS: TurnLimits = { modelCalls: 20, typecheckAttempts: 3, outputTokens: 8_192 };

export interface TurnRunnerDeps {
  readonly log: EventLog;
  readonly model: Model;
  readonly cells: CellRunner;
  readonly catalogue: Catalogue;
  readonly redactor: Redactor;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly limits: TurnLimits;
}

export function createTurnRunner(deps: TurnRunnerDeps): TurnRunner {
  const { log, limits } = deps;

  const converse = async (turn: Turn, usage: UsageCount, signal: AbortSignal): Promise<void> => {
    let rejected = 0;
    for (let n = 1; n <= limits.modelCalls; n++) {
      const answer = await askModel(deps, turn, await request(turn), signal);
      count(usage, answer);
      if (answer.programs.length === 0) return;
      for (const program of answer.programs) {
        const code = readProgram(program);
        const cell = {
          ...turn,
          language: "typescript" as const,
          code,
          attempt: rejected + 1,
          providerCallId: program.id,
        };
        const report = await deps.cells.run(cell, signal);
        signal.throwIfAborted();
        rejected = report.kind === "rejected" ? rejected + 1 : 0;
      }
      if (rejected >= limits.typecheckAttempts) {
        throw new AgentError(
          "typecheck_failed",
          `The program still did not typecheck after ${rejected} attempts; nothing ran.`,
        );
      }
    }
    throw new AgentError("turn_limit", `The turn was stopped after ${limits.modelCalls} calls to the model.`);
  };

  const request = async (turn: Turn) => ({
    system: buildSystemPrompt(deps.catalogue),
    messages: buildHistory(await collect(log.read(turn.stream))),
    tools: [RUN_CODE],
    maxOutputTokens: limits.outputTokens,
  });

  const run = (turn: Turn, open: OpenTurn | undefined, signal: AbortSignal): Promise<TurnOutcome> => {
    const isStarted = open?.isStarted ?? false;
    return recordTurn(
      deps,
      { ...turn, isStarted, model: formatModelRef(deps.model.ref) },
      signal,
      async (usage) => {
        if (open?.cell !== undefined) await deps.cells.resume({ ...turn, ...open.cell }, signal);
        signal.throwIfAborted();
        await converse(turn, usage, signal);
        return undefined;
      },
    );
  };

  return {
    run: (turn, signal) => span("turn.run", { agent: turn.agentId }, () => run(turn, undefined, signal)),
    resume: (turn, signal) =>
      span("turn.resume", { agent: turn.agentId }, async () =>
        run(turn, await readOpenTurn(log, turn), signal),
      ),
  };
}

function count(usage: UsageCount, answer: Answer): void {
  usage.modelCalls += 1;
  usage.inputTokens += answer.usage.inputTokens;
  usage.outputTokens += answer.usage.outputTokens;
}

async function collect(events: AsyncIterable<StoredEvent>): Promise<StoredEvent[]> {
  const all: StoredEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}
