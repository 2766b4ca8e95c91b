import { CodedError } from "@deputy/kit";
import type { Redactor } from "@deputy/policy/secrets";
import type { EventData, EventLog, NewEvent, Usage } from "@deputy/protocol";
import { closingEvents, readOpenItems } from "./open-items.ts";
import { stoppedBy } from "./stop-request.ts";
import { throwIfSuspended } from "./suspend-request.ts";
import type { TurnInbox } from "./turn-inbox.ts";
import { createTurnView, type TurnViewLog } from "./turn-view.ts";
import type { Turn, TurnOutcome } from "./turn.ts";

export interface TurnFailure {
  readonly code: string;
  readonly message: string;
}

/**
 * Does a turn's work between its first and its last event, so that its end is in the log whatever
 * happens, unless the signal suspends it: then it rejects with that, and a later process goes on. `work`
 * returns why it failed, if it did; a coded error it throws is such a failure too. A bug is recorded
 * without its message and thrown on.
 */
export async function recordTurn(
  deps: { readonly log: Pick<EventLog, "append"> & TurnViewLog; readonly redactor: Redactor },
  /** `isStarted`: an earlier process wrote the first event. */
  turn: Turn & {
    readonly model: string;
    readonly isStarted?: boolean;
    readonly inbox?: TurnInbox | undefined;
  },
  signal: AbortSignal,
  work: (spent: Spent) => Promise<TurnFailure | undefined>,
): Promise<TurnOutcome> {
  const { stream, turnId, agentId, model } = turn;
  const spent: Spent = { usage: { inputTokens: 0, outputTokens: 0, modelCalls: 0 }, costMicros: undefined };
  const bill = (): { readonly usage: Usage; readonly cost?: Cost } => {
    const { usage, costMicros: micros = 0 } = spent;
    return { usage, ...(micros > 0 ? { cost: { amount: micros / 1e6, currency: "USD" } } : {}) };
  };
  const end = async (event: NewEvent, outcome: TurnOutcome): Promise<TurnOutcome> => {
    await turn.inbox?.close();
    // What an earlier process had begun and this one never came to is over, too.
    const left = turn.isStarted === true ? await leftOpen() : [];
    await deps.log.append(stream, [...left, { ...event, turnId }]);
    return outcome;
  };
  const leftOpen = async (): Promise<readonly NewEvent[]> => {
    const items = readOpenItems(await createTurnView(deps.log, turn, "turn").current(), turnId);
    return closingEvents(turnId, items, { code: "interrupted", message: "The turn ended before this did." });
  };
  const fail = (code: string, text: string): Promise<TurnOutcome> => {
    const failure = { code, message: deps.redactor.text(text) };
    return end({ type: "turn.failed", data: { ...failure, ...bill() } }, { kind: "failed", ...failure });
  };

  if (turn.isStarted !== true)
    await deps.log.append(stream, [{ type: "turn.started", turnId, data: { agentId, model } }]);
  try {
    const failure = await work(spent);
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
    return await end(
      { type: "turn.aborted", data: { by: stoppedBy(signal), ...bill() } },
      { kind: "aborted" },
    );
  return await end({ type: "turn.completed", data: bill() }, { kind: "completed" });
}

/** What the turn's models took, set by its work however that ends. */
export interface Spent {
  usage: Usage;
  /** In millionths of a dollar; undefined when nobody knows. */
  costMicros: number | undefined;
}

type Cost = NonNullable<EventData<"turn.completed">["cost"]>;
