import { type Clock, createKeyedLane, type IdSource } from "@deputy/kit";
import type { Redactor } from "@deputy/secrets";
import {
  type ApprovalAnswer,
  type ApprovalId,
  type EventLog,
  EventLogError,
  readEvent,
} from "@deputy/protocol";
import { answerEvents, expiryEvent, misfitOf, scopeOf } from "./approval-answer.ts";
import type { ApprovalDesk, ResolveOutcome } from "./approval-desk.ts";
import {
  type Answer,
  type ApprovalRequest,
  createApprovals,
  findApproval,
  msLeft,
  openApprovalsView,
  pendingIn,
} from "./approvals-view.ts";
import { answerEntry } from "../cell/cell-journal.ts";

const MAX_ANSWERS_WAITING = 100;

/** The approval desk over the event log: it keeps nothing that the log does not have. */
export function createLogApprovalDesk(deps: {
  readonly log: EventLog;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly redactor: Redactor;
}): ApprovalDesk {
  const { log, clock } = deps;
  const state = createApprovals();
  const view = openApprovalsView(log, state);
  const answering = createKeyedLane<ApprovalId>({ maxWaiting: MAX_ANSWERS_WAITING });
  const never = new AbortController().signal;

  // An answer never changes: one that is known needs no further look.
  const answered = async (id: ApprovalId): Promise<Answer | undefined> =>
    state.resolved.get(id) ?? (await findApproval(log, (await view.current()).state, id))?.answer;

  /** Waits until the time for an answer is over and records that, unless an answer came at the last moment. */
  const expire = async (request: ApprovalRequest, signal: AbortSignal): Promise<void> => {
    const { approvalId } = request.data;
    // A clock that is set back meanwhile gives more time.
    for (let left; (left = msLeft(request, clock.now())) > 0;) await clock.sleep(left, signal);
    await answering.run(approvalId, never, async () => {
      if ((await answered(approvalId)) !== undefined) return;
      await log.append(request.stream, [expiryEvent(request)]).catch(ignoreEnded);
    });
  };

  /** Resolves once there is an answer. */
  const watch = async (id: ApprovalId, after: number, signal: AbortSignal): Promise<Answer> => {
    for await (const item of log.subscribeAll({ after, types: ["approval.resolved"] }, signal)) {
      const read = readEvent(item.event);
      if (read.kind !== "known" || read.event.type !== "approval.resolved") continue;
      // An answer in another session, or under another id, does not count.
      const answer = read.event.data.approvalId === id ? await answered(id) : undefined;
      if (answer !== undefined) return answer;
    }
    signal.throwIfAborted();
    throw new Error("The log closed while an approval was waited for");
  };

  return {
    answered,

    pending: async () => pendingIn((await view.current()).state, clock.now()),

    resolve(id, answer, by) {
      return answering.run(id, never, async (): Promise<ResolveOutcome> => {
        const found = await findApproval(log, (await view.current()).state, id);
        if (found === undefined) return { kind: "unknown" };
        const { request, answer: earlier } = found;
        if (earlier !== undefined) return toOutcome(earlier, request, answer);
        if (msLeft(request, clock.now()) <= 0) return { kind: "expired" };
        const message = misfitOf(request, answer, clock.now());
        if (message !== undefined) return { kind: "invalid", message };
        const { cellId } = request.data;
        const journal =
          answer.result === undefined || cellId === undefined
            ? []
            : [answerEntry(cellId, id, answer.result.value)];
        try {
          await log.append(request.stream, answerEvents(request, answer, by, deps), { journal });
          return { kind: "resolved" };
        } catch (error) {
          ignoreEnded(error);
          // Its turn ended just now, and with it the question.
          const ended = await answered(id);
          return ended === undefined ? { kind: "expired" } : toOutcome(ended, request, answer);
        }
      });
    },

    async wait(id, signal) {
      const { state: known, position } = await view.current();
      const found = await findApproval(log, known, id);
      if (found?.answer !== undefined) return found.answer;
      const over = new AbortController();
      const both = AbortSignal.any([signal, over.signal]);
      const request = found?.request;
      const expiry = request?.data.expiresAt === undefined ? [] : [expire(request, both)];
      try {
        // Expired, it is answered: then `watch` sees it.
        const failed = expiry.map((ended) => ended.then(() => new Promise<never>(() => undefined)));
        return await Promise.race([watch(id, position, both), ...failed]);
      } finally {
        over.abort();
      }
    },
  };
}

/** Rethrows every error except the one that says the turn has ended. */
function ignoreEnded(error: unknown): void {
  if (!(error instanceof EventLogError && error.code === "turn_ended")) throw error;
}

function toOutcome(
  { isExpired, decision, calls, scope }: Answer,
  { data }: ApprovalRequest,
  late: ApprovalAnswer,
): ResolveOutcome {
  if (isExpired === true) return { kind: "expired" };
  const isOther = decision === "approved" && late.decision === decision && scopeOf(data, late) !== scope;
  return {
    kind: "already_resolved",
    decision,
    ...(calls === undefined ? {} : { calls }),
    ...(isOther ? { scope } : {}),
  };
}
