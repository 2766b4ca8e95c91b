import { type Clock, createKeyedLane, type IdSource } from "@deputy/kit";
import type { Redactor } from "@deputy/policy";
import {
  type ApprovalId,
  type CanonicalEvent,
  type EventData,
  type EventLog,
  type EventOf,
  type PendingApproval,
  readEvent,
} from "@deputy/protocol";
import { answerEvents, expiryEvent, misfitOf } from "./approval-answer.ts";
import type { ApprovalDesk, ResolveOutcome } from "./approval-desk.ts";
import { answerEntry } from "./cell-journal.ts";
import { createLandmarkView } from "./landmark-view.ts";

type Request = EventOf<"approval.requested">;
type Answer = EventData<"approval.resolved">;

interface Approvals {
  readonly requested: Map<ApprovalId, Request>;
  readonly resolved: Map<ApprovalId, Answer>;
}

const MAX_ANSWERS_WAITING = 100;
const TYPES = ["approval.requested", "approval.resolved"] as const;

/** The approval desk over the event log: it keeps nothing that the log does not have. */
export function createLogApprovalDesk(deps: {
  readonly log: EventLog;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly redactor: Redactor;
}): ApprovalDesk {
  const { log, clock } = deps;
  const state: Approvals = { requested: new Map(), resolved: new Map() };
  const view = createLandmarkView<Approvals>(log, TYPES, state, applyApproval);
  const answering = createKeyedLane<ApprovalId>({ maxWaiting: MAX_ANSWERS_WAITING });
  const never = new AbortController().signal;

  const msLeft = ({ data }: Request): number =>
    data.expiresAt === undefined ? Infinity : Date.parse(data.expiresAt) - clock.now();
  const isExpired = (request: Request): boolean => msLeft(request) <= 0;
  // An answer never changes: one that is known needs no further look.
  const answered = async (id: ApprovalId): Promise<Answer | undefined> =>
    state.resolved.get(id) ?? (await view.current()).state.resolved.get(id);

  /** Waits until nobody has answered in time, and says so in the log, unless somebody did at the last moment. */
  const expire = async (request: Request, signal: AbortSignal): Promise<void> => {
    const { approvalId } = request.data;
    // A clock that is set back meanwhile gives more time.
    for (let left = msLeft(request); left > 0; left = msLeft(request)) await clock.sleep(left, signal);
    await answering.run(approvalId, never, async () => {
      if ((await answered(approvalId)) !== undefined) return;
      await log.append(request.stream, [expiryEvent(request)]);
    });
  };

  /** Resolves once there is an answer. */
  const watch = async (id: ApprovalId, after: number, signal: AbortSignal): Promise<Answer> => {
    for await (const item of log.subscribeAll({ after, types: ["approval.resolved"] }, signal)) {
      const read = readEvent(item.event);
      if (read.kind !== "known" || read.event.type !== "approval.resolved") continue;
      // An answer somewhere else, or under another id, is none.
      const answer = read.event.data.approvalId === id ? await answered(id) : undefined;
      if (answer !== undefined) return answer;
    }
    signal.throwIfAborted();
    throw new Error("The log closed while an approval was waited for");
  };

  return {
    answered,

    async pending() {
      const { requested, resolved } = (await view.current()).state;
      return [...requested.values()]
        .filter((request) => !resolved.has(request.data.approvalId) && !isExpired(request))
        .map(toPending);
    },

    resolve(id, answer, by) {
      return answering.run(id, never, async (): Promise<ResolveOutcome> => {
        const { requested, resolved } = (await view.current()).state;
        const request = requested.get(id);
        if (request === undefined) return { kind: "unknown" };
        const earlier = resolved.get(id);
        if (earlier !== undefined) return toOutcome(earlier);
        if (isExpired(request)) return { kind: "expired" };
        const message = misfitOf(request, answer);
        if (message !== undefined) return { kind: "invalid", message };
        const { cellId } = request.data;
        const journal =
          answer.result === undefined || cellId === undefined
            ? []
            : [answerEntry(cellId, id, answer.result.value)];
        await log.append(request.stream, answerEvents(request, answer, by, deps), { journal });
        return { kind: "resolved" };
      });
    },

    async wait(id, signal) {
      const { state: known, position } = await view.current();
      const earlier = known.resolved.get(id);
      if (earlier !== undefined) return earlier;
      const over = new AbortController();
      const both = AbortSignal.any([signal, over.signal]);
      const request = known.requested.get(id);
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

function applyApproval(state: Approvals, event: CanonicalEvent): void {
  if (event.type === "approval.requested" && !state.requested.has(event.data.approvalId))
    state.requested.set(event.data.approvalId, event);
  if (event.type !== "approval.resolved") return;
  const { approvalId } = event.data;
  // The first answer counts, and only where it was asked, whatever an imported or older log holds.
  if (state.resolved.has(approvalId) || state.requested.get(approvalId)?.stream !== event.stream) return;
  state.resolved.set(approvalId, event.data);
}

function toOutcome({ isExpired, decision, calls }: Answer): ResolveOutcome {
  if (isExpired === true) return { kind: "expired" };
  return { kind: "already_resolved", decision, ...(calls === undefined ? {} : { calls }) };
}

function toPending(request: Request): PendingApproval {
  const { approvalId: id, toolPath, input, preview, expiresAt, unknownCall } = request.data;
  return {
    id,
    stream: request.stream,
    toolPath,
    input,
    preview,
    requestedAt: request.at,
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(unknownCall === undefined ? {} : { unknownCall }),
  };
}
