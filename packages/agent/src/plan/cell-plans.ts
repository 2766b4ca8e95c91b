import type { CallId, CellId, Clock, IdSource, TurnId } from "@deputy/kit";
import type { ApprovalId, EventLog, NewEvent, PlannedCall, Sha256, StreamId } from "@deputy/protocol";
import type { Asked } from "../approvals/approval-binding.ts";
import type { Question } from "../approvals/approval-question.ts";
import type { Ahead } from "./run-ahead.ts";
import type { Markers } from "./markers.ts";
import type { ListedCall } from "./plan-card.ts";

/** The questions of one cell, gathered; and what its plans have listed that has not come yet. */
export interface CellPlans {
  /** The listed call that this one is, to the last bit; from here on it is taken. */
  take(toolPath: string, inputHash: string): ForeseenCall | undefined;
  /** Forgets the calls that this plan has listed. */
  drop(planId: ApprovalId): void;
  /**
   * Asks the user, together with the cell's other questions, present and foreseen. Resolves once the question is in
   * the log, after `before`. Rejects with the signal's reason, and then nothing was asked, or as the log does.
   */
  ask(question: OpenQuestion, signal: AbortSignal): Promise<Asked>;
  /** Asks the questions that are held back. Never rejects: each question gets its own outcome. */
  flush(): Promise<void>;
  /** A copy of the listed calls that are not taken yet, for a fork to take from. */
  copyListed(): (toolPath: string, inputHash: string) => boolean;
}

export interface ForeseenCall {
  readonly callId: CallId;
  readonly asked: Asked;
}

export interface OpenQuestion {
  readonly question: Question;
  readonly callId: CallId;
  readonly inputHash: string;
  /** The call's events up to here. */
  readonly before: readonly NewEvent[];
}

interface Held extends OpenQuestion {
  readonly signal: AbortSignal;
  readonly asked: PromiseWithResolvers<Asked>;
}

export interface CellPlansDeps {
  readonly log: EventLog;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly sha256: Sha256;
}

/** `listed`: what plans of an earlier process have listed that has not come yet. */
export function createCellPlans(
  deps: CellPlansDeps,
  cell: {
    readonly stream: StreamId;
    readonly turnId: TurnId;
    readonly cellId: CellId;
    readonly programHash: string;
    readonly listed: readonly (PlannedCall & { readonly asked: Asked })[];
    /** Looks ahead from where the cell waits. Never rejects. */
    readonly lookAhead: (markers: Markers, asked: readonly Question[]) => Promise<Ahead>;
  },
): CellPlans {
  const { log, ids, sha256 } = deps;
  let listed = [...cell.listed];
  const held = new Set<Held>();
  /** On their way into the log: too late to be stopped before they are asked. */
  const leaving = new Set<Held>();
  let flushing = Promise.resolve();
  let patience: AbortController | undefined;

  const askAlone = async ({ question, before, asked }: Held): Promise<void> => {
    const requested: NewEvent = { type: "approval.requested", turnId: cell.turnId, data: question };
    await log.append(cell.stream, [...before, requested]);
    asked.resolve(question);
  };

  const askTogether = async (batch: readonly Held[], ahead: Ahead, planId: ReturnType<typeof newPlan>) => {
    const calls = [...batch, ...ahead.calls].map(toListed);
    const { planEvents } = await import("./plan-card.ts");
    const { events, asked } = planEvents(sha256, { ...cell, planId, listed: calls, ...ahead });
    await log.append(cell.stream, [...batch.flatMap(({ before }) => before), ...events]);
    for (const { question: _, ...call } of calls.slice(batch.length)) listed.push({ ...call, asked });
    for (const one of batch) one.asked.resolve(asked);
  };
  const newPlan = () => ids.next("plan");

  const put = async (batch: readonly Held[]): Promise<void> => {
    const planId = newPlan();
    const questions = batch.map(({ question }) => question);
    const { createMarkers } = await import("./markers.ts");
    const ahead = await cell.lookAhead(createMarkers(sha256, planId), questions);
    // Calls that were stopped while the program was run ahead ask nothing.
    const open = batch.filter(({ signal }) => !signal.aborted);
    for (const one of open) leaving.add(one);
    const { together, alone } = fit(open, ahead.calls.length);
    if (together.length > 0) await askTogether(together, ahead, planId);
    for (const one of alone) await askAlone(one);
  };

  const flush = async (): Promise<void> => {
    patience?.abort();
    const batch = [...held];
    held.clear();
    if (batch.length === 0) return;
    try {
      await put(batch);
    } catch (error) {
      for (const { asked } of batch) asked.reject(error);
    }
  };
  const flushInTurn = (): Promise<void> => (flushing = flushing.then(flush));

  const bePatient = (): void => {
    patience = new AbortController();
    deps.clock.sleep(PLAN_LIMITS.patienceMs, patience.signal).then(flushInTurn, () => undefined);
  };

  return {
    take(toolPath, inputHash) {
      const at = listed.findIndex((call) => call.toolPath === toolPath && call.inputHash === inputHash);
      return at < 0 ? undefined : listed.splice(at, 1)[0];
    },
    drop(planId) {
      listed = listed.filter(({ asked }) => asked.approvalId !== planId);
    },
    ask(question, signal) {
      const one: Held = { ...question, signal, asked: Promise.withResolvers<Asked>() };
      if (held.size === 0) bePatient();
      held.add(one);
      const leave = (): void => {
        held.delete(one);
        if (!leaving.has(one)) one.asked.reject(signal.reason);
      };
      if (signal.aborted) leave();
      else signal.addEventListener("abort", leave, { once: true });
      return one.asked.promise.finally(() => {
        leaving.delete(one);
        signal.removeEventListener("abort", leave);
      });
    },
    flush: flushInTurn,
    copyListed() {
      const left = listed.map(({ toolPath, inputHash }) => `${toolPath} ${inputHash}`);
      return (toolPath, inputHash) => {
        const at = left.indexOf(`${toolPath} ${inputHash}`);
        if (at >= 0) left.splice(at, 1);
        return at >= 0;
      };
    },
  };
}

/** Two questions make a plan; what would make its card too large asks on its own. */
function fit(
  open: readonly Held[],
  ahead: number,
): { readonly together: readonly Held[]; readonly alone: readonly Held[] } {
  let chars = 0;
  const together = open.filter(({ question }) => {
    chars += JSON.stringify([question.input, question.preview]).length;
    return chars <= PLAN_LIMITS.chars;
  });
  if (together.length === 0 || together.length + ahead < 2) return { together: [], alone: open };
  return { together, alone: open.filter((one) => !together.includes(one)) };
}

function toListed({ callId, inputHash, question }: Omit<OpenQuestion, "before">): ListedCall {
  const { toolPath, scope, grantable, anyValues, circumstances, toolHash, groundsHash } = question;
  return {
    callId,
    toolPath,
    inputHash,
    question,
    ...(scope === undefined ? {} : { scope }),
    ...(grantable === undefined ? {} : { grantable }),
    ...(anyValues === undefined ? {} : { anyValues }),
    ...(circumstances === undefined ? {} : { circumstances }),
    ...(toolHash === undefined ? {} : { toolHash }),
    ...(groundsHash === undefined ? {} : { groundsHash }),
  };
}

/** Bounds on looking ahead. Computing is bounded by what the program itself has left. */
export const PLAN_LIMITS = {
  /** Calls that are looked ahead, listed or not. */
  calls: 250,
  /** Calls on one card. */
  listed: 200,
  /** All inputs and previews on one card, as JSON. Questions that do not fit are asked on their own. */
  chars: 500_000,
  /** How long looking ahead may take, waiting for a worker included. */
  wallMs: 10_000,
  /** How long it may compute from one answer to its next call. It has begun once it makes the call that it waits for. */
  lullMs: 1_000,
  /** How long a question is held back while other calls of its program still run. */
  patienceMs: 500,
  /** No fork is made from a larger image. */
  imageBytes: 4 * 1024 * 1024,
} as const;
