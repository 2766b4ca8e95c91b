import { type Clock, type IdSource, openTaskGroup, span } from "@deputy/kit";
import { costOf, type Model, type Price } from "@deputy/model";
import { formatModelRef } from "@deputy/model/ref";
import type { Redactor } from "@deputy/policy/secrets";
import type { EventData, EventLog, NewEvent } from "@deputy/protocol";
import type { Catalogue } from "@deputy/tools";
import { AgentError } from "./agent-error.ts";
import { type Answer, askModel } from "./ask-model.ts";
import type { CellRunner } from "./cell-runner.ts";
import type { CellDraft } from "./draft-cell.ts";
import { DEFAULT_COMPACTION_LIMITS } from "./compaction/compaction-limits.ts";
import { createPromptRoom } from "./compaction/prompt-room.ts";
import { buildHistory } from "./history.ts";
import { type AgentMode, type Offer, offerTo } from "./offer.ts";
import { buildSystemPrompt } from "./prompt.ts";
import type { StreamView } from "./stream-view.ts";
import { throwIfSuspended } from "./suspend-request.ts";
import { assertWithinLimits, outputTokensLeft, type TurnLimits, withBudget } from "./turn-limits.ts";
import { recordTurn } from "./turn-record.ts";
import { budgetOfTask } from "./task-budget.ts";
import { readTurnState, type TurnState } from "./turn-state.ts";
import type { TurnInbox } from "./turn-inbox.ts";
import { createTurnView, type TurnViewLog } from "./turn-view.ts";
import { absentMs, withinTime, workedMs } from "./turn-time.ts";
import type { Turn, TurnOutcome } from "./turn.ts";

/** One turn: from what the user said to an answer in text, through as many programs as it takes. */
export interface TurnRunner {
  /**
   * Begins a turn, or goes on with one that an earlier process left without an end. The turn's end is in
   * the log whatever happens; rejects when the log fails, for a bug, and with a `SuspendRequest`, after
   * which any process can go on with it. `inbox`: where messages that join the turn come through; without
   * one, what is said in the very moment of its end is left to the next turn.
   */
  run(turn: Turn, signal: AbortSignal, inbox?: TurnInbox): Promise<TurnOutcome>;
}

/** Who acts, and how. */
export interface AgentProfile {
  readonly model: Model;
  readonly mode: AgentMode;
  readonly limits: TurnLimits;
  readonly catalogue: Catalogue;
  readonly cells: CellRunner;
  /** What the agent's own files say; empty for none. */
  readonly instructions: string;
}

export interface TurnRunnerDeps {
  readonly log: Pick<EventLog, "append" | "publish"> & TurnViewLog;
  /** As the agent is now; asked once per turn. A coded error it rejects with fails the turn. */
  readonly profileOf: (agentId: string, signal: AbortSignal) => Promise<AgentProfile>;
  readonly redactor: Redactor;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** By `provider/model`; they go before those that Deputy knows. */
  readonly prices?: Readonly<Record<string, Price>>;
}

export function createTurnRunner(deps: TurnRunnerDeps): TurnRunner {
  const { log } = deps;

  /** Does the next thing, again and again, until there is none: each step is in the log before the next. */
  const advance = async (
    turn: Turn,
    agent: AgentProfile,
    view: StreamView,
    inbox: TurnInbox | undefined,
    signal: AbortSignal,
  ): Promise<TurnState> => {
    const offer = offerTo(agent.mode, agent.catalogue);
    const limits = agent.limits.compaction ?? DEFAULT_COMPACTION_LIMITS;
    const room = createPromptRoom({ ...deps, model: agent.model, limits }, turn);
    for (;;) {
      const events = await view.current();
      const state = readTurnState(events, turn);
      signal.throwIfAborted();
      if (state.openCells.length > 0) {
        await inOrder(agent, state.openCells, signal, (cell, until) =>
          agent.cells.resume({ ...turn, ...cell, instructions: agent.instructions }, until),
        );
        continue;
      }
      if (state.isAnswered) {
        if ((await inbox?.closeIfRead(events.at(-1)?.seq ?? 0)) !== false) return state;
        continue;
      }
      assertWithinLimits(agent.limits, state, costOfAll(state, agent));
      assertPriced(agent);
      const request = {
        system: buildSystemPrompt(agent),
        messages: buildHistory(events),
        tools: offer.tools,
        maxOutputTokens: outputTokensLeft(agent.limits, state),
      };
      const prompt = { events, request };
      if (await room.makeBefore(prompt, signal)) continue;
      const findScripts = agent.mode === "script";
      const asked = askModel({ ...deps, model: agent.model }, turn, request, { findScripts }, signal);
      const answer = await asked.catch((failure: unknown) => room.makeAfter(failure, prompt, signal));
      if (answer === undefined) continue;
      room.fits();
      const drafts = await record(turn, agent, offer, answer, { state, throughSeq: events.at(-1)?.seq ?? 0 });
      await inOrder(agent, drafts, signal, (draft, until) => agent.cells.proceed(draft, until));
    }
  };

  /** The whole answer in one transaction: a crash leaves all of it or none. */
  const record = async (
    turn: Turn,
    agent: AgentProfile,
    offer: Offer,
    answer: Answer,
    at: { readonly state: TurnState; readonly throughSeq: number },
  ): Promise<readonly CellDraft[]> => {
    const attempt = at.state.rejected + 1;
    const { calls: budget } = agent.limits.budget ?? {};
    const { instructions } = agent;
    const left = budget === undefined ? {} : { maxCalls: Math.max(budget - at.state.calls, 0) };
    const called = answer.calls.map((call) =>
      agent.cells.draft({
        ...turn,
        ...left,
        instructions,
        ...offer.programOf(call),
        attempt,
        providerCallId: call.id,
      }),
    );
    const written = answer.scripts.map((script, n) =>
      agent.cells.draft({
        ...turn,
        ...left,
        ...script,
        instructions,
        attempt,
        language: "typescript",
        isScript: true,
        providerCallId: `script ${at.state.usage.modelCalls + 1}.${n + 1}`,
      }),
    );
    const drafts = [...called, ...written];
    const usage = { ...answer.usage, modelCalls: 1 };
    const events = [...answer.said, ...drafts.map(({ event }) => event)];
    const whole = closeAnswer(events, { usage, stop: answer.stop, throughSeq: at.throughSeq });
    await log.append(turn.stream, [...whole, ...drafts.flatMap(({ end }) => end)], {
      journal: drafts.map(({ journal }) => journal),
    });
    return drafts;
  };

  /** Undefined when the price of any of it is not known. */
  const costOfAll = ({ spent }: TurnState, { model }: AgentProfile): number | undefined =>
    spent.reduce<number | undefined>((sum, usage) => {
      const cost = costOf(usage, model.ref, deps.prices);
      return sum === undefined || cost === undefined ? undefined : sum + cost;
    }, 0);

  /** A budget of money that nobody can count is none. */
  const assertPriced = ({ limits, model: { ref } }: AgentProfile): void => {
    if (limits.budget?.costMicros === undefined || costOf(NO_USAGE, ref, deps.prices) !== undefined) return;
    const name = formatModelRef(ref);
    throw new AgentError("unknown_price", `There is a budget of money, but no price is known for ${name}.`, {
      hint: `Say what it costs under prices["${name}"] in config.json, or take the budget away.`,
    });
  };

  const run = async (turn: Turn, signal: AbortSignal, inbox?: TurnInbox): Promise<TurnOutcome> => {
    const view = createTurnView(log, turn, "history");
    const before = await view.current();
    const { isStarted } = readTurnState(before, turn);
    const absent = absentMs(before, turn, deps.clock.now());
    let agent: AgentProfile;
    try {
      const profile = await deps.profileOf(turn.agentId, signal);
      agent = { ...profile, limits: withBudget(profile.limits, budgetOfTask(before)) };
    } catch (error) {
      // The turn of an agent that cannot be had fails like any other: its end is in the log.
      return await recordTurn(deps, { ...turn, isStarted, inbox, model: "none" }, signal, () =>
        Promise.reject(error),
      );
    }
    const begun = { ...turn, isStarted, inbox, model: formatModelRef(agent.model.ref) };
    const worked = async (): Promise<number> => {
      const known = await createTurnView(log, turn, "turn").current();
      return workedMs(known, turn, { ms: deps.clock.now(), absentMs: absent });
    };
    return await recordTurn(deps, begun, signal, async (spent) => {
      try {
        const { timeMs } = agent.limits.budget ?? {};
        const time = { clock: deps.clock, worked };
        return explainStop(
          await withinTime(time, timeMs, signal, (until) => advance(turn, agent, view, inbox, until)),
        );
      } finally {
        throwIfSuspended(signal);
        const state = readTurnState(await view.current(), turn);
        spent.usage = state.usage;
        spent.costMicros = costOfAll(state, agent);
      }
    });
  };

  return {
    run: (turn, signal, inbox) => span("turn.run", { agent: turn.agentId }, () => run(turn, signal, inbox)),
  };
}

const NO_USAGE = { inputTokens: 0, outputTokens: 0 };

/**
 * Programs one after the other, as they may build on each other; single calls side by side. None of them
 * goes on once this has ended, however it did.
 */
async function inOrder<T>(
  agent: AgentProfile,
  items: readonly T[],
  signal: AbortSignal,
  work: (item: T, signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  if (agent.mode !== "functions") {
    for (const item of items) await work(item, signal);
    return;
  }
  await using group = openTaskGroup(signal);
  for (const item of items) group.spawn(async (itemSignal) => void (await work(item, itemSignal)));
  await group.join();
}

/** Puts what the answer cost, and why it ended, on its last event. */
function closeAnswer(
  events: readonly NewEvent[],
  answer: NonNullable<EventData<"assistant.message">["answer"]>,
): NewEvent[] {
  const last = events.at(-1);
  if (last === undefined) throw new Error("An answer has at least one event");
  return [...events.slice(0, -1), { ...last, data: { ...(last.data as object), answer } } as NewEvent];
}

/** An answer that did not come to its end by itself fails the turn: what there is of it stays. */
function explainStop({ stop }: TurnState): { readonly code: string; readonly message: string } | undefined {
  if (stop === "max_tokens")
    return { code: "answer_cut", message: "The model's answer was cut off at its limit." };
  if (stop === "context_full")
    return { code: "answer_cut", message: "The model's answer was cut off: it can hold no more." };
  if (stop === "refusal") return { code: "model_refused", message: "The model declined to answer." };
  if (stop === "content_filter")
    return { code: "model_refused", message: "The provider's content filter stopped the answer." };
  return undefined;
}
