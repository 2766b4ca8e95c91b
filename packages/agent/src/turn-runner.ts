import { type Clock, CodedError, type IdSource, span } from "@deputy/kit";
import { formatModelRef, type Model } from "@deputy/model";
import type { EventLog, NewEvent, StoredEvent, Usage } from "@deputy/protocol";
import type { Catalogue } from "@deputy/tools";
import { AgentError } from "./agent-error.ts";
import { type Answer, askModel } from "./ask-model.ts";
import type { CellRunner } from "./cell-runner.ts";
import { buildHistory } from "./history.ts";
import { buildSystemPrompt, RUN_CODE } from "./prompt.ts";
import { readProgram } from "./read-program.ts";
import { stoppedBy } from "./stop-request.ts";
import type { Turn, TurnOutcome } from "./turn.ts";

/** One turn: from what the user said to an answer in text, through as many programs as it takes. */
export interface TurnRunner {
  /** The turn's end is in the log whatever happens; rejects when the log fails, and for a bug. */
  run(turn: Turn, signal: AbortSignal): Promise<TurnOutcome>;
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

  const run = async (turn: Turn, signal: AbortSignal): Promise<TurnOutcome> => {
    const { stream, turnId, agentId } = turn;
    const usage: UsageCount = { inputTokens: 0, outputTokens: 0, modelCalls: 0 };
    const end = async (event: NewEvent, outcome: TurnOutcome): Promise<TurnOutcome> => {
      await log.append(stream, [{ ...event, turnId }]);
      return outcome;
    };
    await log.append(stream, [
      { type: "turn.started", turnId, data: { agentId, model: formatModelRef(deps.model.ref) } },
    ]);
    try {
      await converse(turn, usage, signal);
    } catch (error) {
      if (signal.aborted)
        return await end({ type: "turn.aborted", data: { by: stoppedBy(signal) } }, { kind: "aborted" });
      const failure = describeFailure(error);
      const failed = await end(
        { type: "turn.failed", data: { ...failure, usage } },
        { kind: "failed", ...failure },
      );
      if (!(error instanceof CodedError)) throw error; // A bug: recorded for the user, reported at the top.
      return failed;
    }
    return await end({ type: "turn.completed", data: { usage } }, { kind: "completed" });
  };

  return { run: (turn, signal) => span("turn.run", { agent: turn.agentId }, () => run(turn, signal)) };
}

function describeFailure(error: unknown): { readonly code: string; readonly message: string } {
  if (error instanceof CodedError) return { code: String(error.code), message: error.message };
  return { code: "internal", message: "Something went wrong inside Deputy; its log says what." };
}

type UsageCount = { -readonly [K in keyof Usage]: Usage[K] };

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
