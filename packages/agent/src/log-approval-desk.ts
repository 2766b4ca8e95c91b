import { type Clock, createKeyedLane, type IdSource } from "@deputy/kit";
import type { Redactor } from "@deputy/policy";
import {
  type ApprovalAnswer,
  type ApprovalId,
  type CanonicalEvent,
  type EventData,
  type EventLog,
  type EventOf,
  type NewEvent,
  type PendingApproval,
  readEvent,
} from "@deputy/protocol";
import type { ApprovalDesk } from "./approval-desk.ts";
import { answerEntry } from "./cell-journal.ts";
import { createLandmarkView } from "./landmark-view.ts";

interface Approvals {
  readonly requested: Map<ApprovalId, EventOf<"approval.requested">>;
  readonly resolved: Map<ApprovalId, EventData<"approval.resolved">>;
}

const MAX_ANSWERS_WAITING = 100;

/** The approval desk over the event log: it keeps nothing that the log does not have. */
export function createLogApprovalDesk(deps: {
  readonly log: EventLog;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly redactor: Redactor;
}): ApprovalDesk {
  const { log, clock, ids, redactor } = deps;
  const view = createLandmarkView<Approvals>(
    log,
    ["approval.requested", "approval.resolved"],
    { requested: new Map(), resolved: new Map() },
    applyApproval,
  );
  const answering = createKeyedLane<ApprovalId>({ maxWaiting: MAX_ANSWERS_WAITING });
  const never = new AbortController().signal;

  const isExpired = (request: EventOf<"approval.requested">): boolean =>
    request.data.expiresAt !== undefined && Date.parse(request.data.expiresAt) <= clock.now();

  return {
    async pending() {
      const { state } = await view.current();
      return [...state.requested.values()]
        .filter((request) => !state.resolved.has(request.data.approvalId) && !isExpired(request))
        .map(toPending);
    },

    resolve(id, answer, by) {
      return answering.run(id, never, async () => {
        const { state } = await view.current();
        const request = state.requested.get(id);
        if (request === undefined) return { kind: "unknown" };
        const earlier = state.resolved.get(id);
        if (earlier !== undefined) return { kind: "already_resolved", decision: earlier.decision };
        if (isExpired(request)) return { kind: "expired" };
        const { cellId } = request.data;
        const journal =
          answer.result === undefined || cellId === undefined
            ? []
            : [answerEntry(cellId, id, answer.result.value)];
        await log.append(request.stream, answerEvents(request, redacted(answer, redactor), by, ids), {
          journal,
        });
        return { kind: "resolved" };
      });
    },

    async wait(id, signal) {
      const { state, position } = await view.current();
      const earlier = state.resolved.get(id);
      if (earlier !== undefined) return earlier;
      for await (const item of log.subscribeAll({ after: position, types: ["approval.resolved"] }, signal)) {
        const read = readEvent(item.event);
        if (read.kind !== "known" || read.event.type !== "approval.resolved") continue;
        if (read.event.data.approvalId === id) return read.event.data;
      }
      signal.throwIfAborted();
      throw new Error("The log closed while an approval was waited for");
    },
  };
}

function applyApproval(state: Approvals, event: CanonicalEvent): void {
  if (event.type === "approval.requested") state.requested.set(event.data.approvalId, event);
  // The first answer counts, whatever an imported or older log holds after it.
  if (event.type === "approval.resolved" && !state.resolved.has(event.data.approvalId)) {
    state.resolved.set(event.data.approvalId, event.data);
  }
}

function toPending(request: EventOf<"approval.requested">): PendingApproval {
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

function redacted(answer: ApprovalAnswer, redactor: Redactor): ApprovalAnswer {
  return {
    ...answer,
    ...(answer.reason === undefined ? {} : { reason: redactor.text(answer.reason) }),
    ...(answer.result === undefined ? {} : { result: { value: redactor.json(answer.result.value) } }),
  };
}

/** The answer, and the grant it creates when it reaches beyond this one call. */
function answerEvents(
  request: EventOf<"approval.requested">,
  answer: ApprovalAnswer,
  by: string,
  ids: IdSource,
): NewEvent[] {
  const turn = request.turnId === undefined ? {} : { turnId: request.turnId };
  // What became of one call says nothing about the next.
  const scope = request.data.unknownCall === undefined ? (answer.scope ?? "once") : "once";
  const resolved: NewEvent = {
    ...turn,
    type: "approval.resolved",
    data: {
      approvalId: request.data.approvalId,
      decision: answer.decision,
      by,
      scope,
      ...(answer.reason === undefined ? {} : { reason: answer.reason }),
      ...(answer.calls === undefined ? {} : { calls: answer.calls }),
      ...(answer.result === undefined ? {} : { result: answer.result }),
    },
  };
  if (answer.decision !== "approved" || (scope !== "session" && scope !== "task")) return [resolved];
  const expiry = answer.expiresAt === undefined ? {} : { expiresAt: answer.expiresAt };
  const bindings = [{ toolPath: request.data.toolPath }];
  return [
    resolved,
    { ...turn, type: "grant.created", data: { grantId: ids.next("grant"), scope, bindings, ...expiry } },
  ];
}
