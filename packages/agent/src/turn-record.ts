import { CodedError } from "@deputy/kit";
import type { Redactor } from "@deputy/policy";
import type { EventLog, NewEvent, Usage } from "@deputy/protocol";
import { closingEvents, readOpenItems } from "./open-items.ts";
import { stoppedBy } from "./stop-request.ts";
import { createStreamView } from "./stream-view.ts";
import { throwIfSuspended } from "./suspend-request.ts";
import type { Turn, TurnOutcome } from "./turn.ts";

export interface TurnFailure {
  readonly code: string;
  readonly message: string;
}

/**
 * Does a turn's work between its first and its last event, so that its end is in the log whatever
 * happens, unless the signal suspends it: then it rejects with that, and a later process goes on. `work` returns why it failed, if it did; a coded error it throws is such a failure too. A bug
 * is recorded without its message and thrown on.
 */
export async function recordTurn(
  deps: { readonly log: Pick<EventLog, "append" | "read">; readonly redactor: Redactor },
  /** `isStarted`: an earlier process wrote the first event. */
  turn: Turn & {
    readonly model: string;
    readonly isStarted?: boolean;
    /** In millionths of a dollar; undefined when nobody knows. */
    readonly costOf?: (usage: Usage) => number | undefined;
  },
  signal: AbortSignal,
  work: (usage: UsageCount) => Promise<TurnFailure | undefined>,
): Promise<TurnOutcome> {
  const { stream, turnId, agentId, model } = turn;
  const usage: UsageCount = { inputTokens: 0, outputTokens: 0, modelCalls: 0 };
  const end = async (event: NewEvent, outcome: TurnOutcome): Promise<TurnOutcome> => {
    // What an earlier process had begun and this one never came to is over, too.
    const left = turn.isStarted === true ? await leftOpen() : [];
    await deps.log.append(stream, [...left, { ...event, turnId }]);
    return outcome;
  };
  const leftOpen = async (): Promise<readonly NewEvent[]> => {
    const items = readOpenItems(await createStreamView(deps.log, stream).current(), turnId);
    return closingEvents(turnId, items, { code: "interrupted", message: "The turn ended before this did." });
  };
  const fail = (code: string, text: string): Promise<TurnOutcome> => {
    const failure = { code, message: deps.redactor.text(text) };
    return end({ type: "turn.failed", data: { ...failure, usage } }, { kind: "failed", ...failure });
  };

  if (turn.isStarted !== true)
    await deps.log.append(stream, [{ type: "turn.started", turnId, data: { agentId, model } }]);
  try {
    const failure = await work(usage);
    if (failure !== undefined && !signal.aborted) return await fail(failure.code, failure.message);
  } catch (error) {
    throwIfSuspended(signal);
    if (!signal.aborted) {
      if (error instanceof CodedError) return await fail(String(error.code), error.message);
      await fail("internal", "Something went wrong inside Deputy; its log says what.");
      throw error;
    }
  }
  throwIfSuspended(signal);
  if (signal.aborted)
    return await end({ type: "turn.aborted", data: { by: stoppedBy(signal) } }, { kind: "aborted" });
  const micros = turn.costOf?.(usage) ?? 0;
  const cost = micros > 0 ? { cost: { amount: micros / 1e6, currency: "USD" } } : {};
  return await end({ type: "turn.completed", data: { usage, ...cost } }, { kind: "completed" });
}

export type UsageCount = { -readonly [K in keyof Usage]: Usage[K] };
