import { type Clock, type IdSource, openTaskGroup, span } from "@deputy/kit";
import { costOf, costOfSpent, type Effort, type Model, type Price } from "@deputy/model";
import { formatModelRef } from "@deputy/model/ref";
import type { Redactor } from "@deputy/secrets";
import type { EventData, EventLog, NewEvent, CanonicalEvent } from "@deputy/protocol";
import type { Catalogue } from "@deputy/tools";
import { AgentError } from "../agent-error.ts";
import { type Answer, askModel, type ScriptSearch } from "./ask-model.ts";
import type { CellRequest } from "../cell/cell-report.ts";
import type { CellRunner } from "../cell/cell-runner.ts";
import type { CellDraft } from "../cell/draft-cell.ts";
import { DEFAULT_COMPACTION_LIMITS } from "../compaction/compaction-limits.ts";
import { createPromptRoom } from "../compaction/prompt-room.ts";
import { buildHistory } from "../history/history.ts";
import type { Text } from "../ingress/labelled-text.ts";
import { assembleRequest, standingParts } from "../ingress/prompt.ts";
import type { TurnFailure, TurnKeeper, TurnLog, TurnWork, WorkDone } from "../keeper/turn-keeper.ts";
import { type AgentMode, type Offer, offerTo } from "./offer.ts";
import { buildSystemPrompt } from "./prompt.ts";
import type { PictureShelf } from "../pictures/picture-shelf.ts";
import { type StreamView, createTurnView } from "../history/turn-view.ts";
import { createTurnRecall, type Recall } from "../recall/recall.ts";
import {
  assertWithinLimits,
  outputTokensLeft,
  type TurnLimits,
  withBudget,
  type TurnBudget,
} from "../budget/turn-limits.ts";
import { createTurnFacts, type Surroundings } from "./facts.ts";
import { readTurnState, type TurnState } from "./turn-state.ts";
import { absentMs, withinTime, workedMs } from "./turn-time.ts";
import type { Turn, TurnOutcome } from "./turn.ts";

/** One turn: from what the user said to an answer in text, through as many programs as it takes. */
export interface TurnRunner {
  /**
   * Begins a turn, or continues one that has no end. The keeper owns it meanwhile. Resolves and rejects as
   * `TurnKeeper.run` does.
   */
  run(turn: Turn, signal: AbortSignal): Promise<TurnOutcome>;
  /** The same as `TurnKeeper.stop`. */
  stop(turn: Turn, by: string): Promise<TurnOutcome>;
  /** The same as `TurnKeeper.giveUp`. */
  giveUp(turn: Turn, failure: TurnFailure): Promise<TurnOutcome>;
}

/** The agent that works on a turn, and its settings. */
export interface AgentProfile {
  readonly model: Model;
  /** Absent: as the model does by itself. */
  readonly effort?: Effort | undefined;
  readonly mode: AgentMode;
  readonly limits: TurnLimits;
  readonly catalogue: Catalogue;
  readonly cells: CellRunner;
  /** The text of the agent's own files and the list of its skills; empty when there are none. */
  readonly instructions: Text;
  /** What becomes of programs in the text of an answer. Default: they are taken out. */
  readonly scripts?: ScriptSearch;
}

/** What is absent is as its agent's settings say. */
export interface ChosenModel {
  readonly model?: string | undefined;
  readonly effort?: Effort | undefined;
}

export interface TurnRunnerDeps {
  readonly keeper: TurnKeeper<TurnLog & Pick<EventLog, "publish">>;
  /**
   * The agent as it is now, with the model that was chosen for the session, if one was. Called once per turn. A coded
   * error that it rejects with fails the turn.
   */
  readonly profileOf: (agentId: string, signal: AbortSignal, chosenModel?: string) => Promise<AgentProfile>;
  /** What the user chose for a session. Absent: nobody can choose. */
  readonly chosenOf?: (stream: Turn["stream"]) => Promise<ChosenModel>;
  readonly redactor: Redactor;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** By `provider/model`. They take precedence over the prices that Deputy knows. */
  readonly prices?: Readonly<Record<string, Price>>;
  /** Absent: nothing is recalled by itself. A replay has none: what was recalled then is in the record. */
  readonly recall?: Recall | undefined;
  /** Absent: the model is told neither the time nor what is connected. A replay has none, as with `recall`. */
  readonly surroundings?: Surroundings | undefined;
  /** Absent: models are only told of pictures, as in a replay. */
  readonly pictures?: PictureShelf | undefined;
}

export function createTurnRunner(deps: TurnRunnerDeps): TurnRunner {
  const { keeper } = deps;
  const { log } = keeper;

  /** Takes one step after another until there is none left. Each step is in the log before the next one begins. */
  const advance = async (
    turn: Turn,
    agent: AgentProfile,
    view: StreamView,
    signal: AbortSignal,
  ): Promise<WorkDone> => {
    const offer = offerTo(agent.mode, agent.catalogue);
    const limits = agent.limits.compaction ?? DEFAULT_COMPACTION_LIMITS;
    const standing = { system: buildSystemPrompt(agent), tools: offer.tools };
    const shown = standingParts(standing);
    const room = createPromptRoom({ ...deps, log, model: agent.model, limits }, turn);
    // The rehearsal is no language model, and the demo has a time of its own.
    const surroundings = agent.model.ref.provider === "rehearsal" ? undefined : deps.surroundings;
    const facts = createTurnFacts({ log, surroundings }, turn, agent);
    const recall = createTurnRecall({ ...deps, log, recall: deps.recall }, turn);
    for (;;) {
      const events = await view.current();
      const throughSeq = view.seq();
      const state = readTurnState(events, turn);
      signal.throwIfAborted();
      if (state.openCells.length > 0) {
        await inOrder(agent, state.openCells, signal, (cell, until) =>
          agent.cells.resume({ ...turn, ...cell, shown }, until),
        );
        continue;
      }
      if (state.isAnswered) return { failure: explainStop(state), throughSeq };
      assertWithinLimits(agent.limits, state, costOfAll(state, agent));
      assertPriced(agent);
      if (await facts(events)) continue;
      if (await recall(events, signal)) continue;
      const request = assembleRequest({
        ...standing,
        messages: buildHistory(events),
        maxOutputTokens: outputTokensLeft(agent.limits, state),
        effort: agent.effort,
      });
      const prompt = { events, request };
      if (await room.makeBefore(prompt, signal)) continue;
      const search = agent.mode === "script" ? (agent.scripts ?? "taken_out") : "none";
      const asked = askModel({ ...deps, log, model: agent.model }, turn, request, search, signal);
      const answer = await asked.catch((failure: unknown) => room.makeAfter(failure, prompt, signal));
      if (answer === undefined) continue;
      room.fits();
      const drafts = await record(turn, agent, { programOf: offer.programOf, shown }, answer, {
        state,
        throughSeq,
      });
      await inOrder(agent, drafts, signal, (draft, until) => agent.cells.proceed(draft, until));
    }
  };

  /** Writes the whole answer in one transaction: a crash leaves all of it or none. */
  const record = async (
    turn: Turn,
    agent: AgentProfile,
    offer: Pick<Offer, "programOf"> & Required<Pick<CellRequest, "shown">>,
    answer: Answer,
    at: { readonly state: TurnState; readonly throughSeq: number },
  ): Promise<readonly CellDraft[]> => {
    const attempt = at.state.rejected + 1;
    const { calls: budget } = agent.limits.budget ?? {};
    const { shown } = offer;
    const left = budget === undefined ? {} : { maxCalls: Math.max(budget - at.state.calls, 0) };
    const called = answer.calls.map((call) =>
      agent.cells.draft({
        ...turn,
        ...left,
        shown,
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
        shown,
        attempt,
        language: "typescript",
        isScript: true,
        providerCallId: `script ${at.state.usage.modelCalls + 1}.${n + 1}`,
      }),
    );
    const drafts = [...called, ...written];
    const usage = { ...answer.usage, modelCalls: 1 };
    const events = [...answer.said, ...drafts.map(({ event }) => event)];
    const { stop, fallback } = answer;
    const ending = {
      usage,
      stop,
      throughSeq: at.throughSeq,
      ...(fallback === undefined ? {} : { fallback }),
    };
    const whole = closeAnswer(events, ending);
    await log.append(turn.stream, [...whole, ...drafts.flatMap(({ end }) => end)], {
      journal: drafts.map(({ journal }) => journal),
    });
    return drafts;
  };

  const costOfAll = ({ spent }: TurnState, { model }: AgentProfile): number | undefined =>
    costOfSpent(spent, model.ref, deps.prices);

  /** A budget in money is useless when the price is unknown. */
  const assertPriced = ({ limits, model: { ref, fallbacks = [] } }: AgentProfile): void => {
    if (limits.budget?.costMicros === undefined) return;
    const unpriced = [ref, ...fallbacks].find((one) => costOf(NO_USAGE, one, deps.prices) === undefined);
    if (unpriced === undefined) return;
    const name = formatModelRef(unpriced);
    throw new AgentError("unknown_price", `There is a budget of money, but no price is known for ${name}.`, {
      hint: `Say what it costs under prices["${name}"] in config.json, or take the budget away.`,
    });
  };

  const workOn =
    (turn: Turn): TurnWork =>
    async ({ begin }, signal) => {
      const view = createTurnView(log, turn, "history");
      const before = await view.current();
      const chosen = await deps.chosenOf?.(turn.stream);
      const profile = await deps.profileOf(turn.agentId, signal, chosen?.model);
      const effort = chosen?.effort ?? profile.effort;
      const agent = { ...profile, effort, limits: withBudget(profile.limits, budgetOfTask(before)) };
      await begin(formatModelRef(agent.model.ref));
      const { timeMs } = agent.limits.budget ?? {};
      const worked = async (): Promise<number> => {
        const known = await createTurnView(log, turn, "turn").current();
        return workedMs(known, turn, { ms: deps.clock.now(), absentMs: absentMs(known, turn) });
      };
      const time = { clock: deps.clock, worked };
      return await withinTime(time, timeMs, signal, (until) => advance(turn, agent, view, until));
    };

  return {
    run: (turn, signal) =>
      span(
        `invoke_agent ${turn.agentId}`,
        {
          "gen_ai.operation.name": "invoke_agent",
          "gen_ai.agent.name": turn.agentId,
          "gen_ai.conversation.id": turn.stream,
          "deputy.turn.id": turn.turnId,
        },
        async (note) => {
          const outcome = await keeper.run(turn, workOn(turn), signal);
          note({ "deputy.outcome": outcome.kind });
          if (outcome.kind === "failed") note({ "error.type": outcome.code });
          return outcome;
        },
      ),
    stop: keeper.stop,
    giveUp: keeper.giveUp,
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

/** An answer that was cut off fails the turn. The part that came stays. */
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

/**
 * The budget for each run of the task that this session belongs to; undefined when there is no task, or it has no
 * budget.
 */
export function budgetOfTask(events: readonly CanonicalEvent[]): TurnBudget | undefined {
  const created = events.find((event) => event.type === "task.created");
  if (created?.data.budget === undefined) return undefined;
  const { tokens, money, calls, seconds } = created.data.budget;
  return {
    tokens,
    costMicros: money === undefined ? undefined : Math.round(money * 1e6),
    calls,
    timeMs: seconds === undefined ? undefined : seconds * 1_000,
  };
}
