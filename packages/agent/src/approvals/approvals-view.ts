import {
  type ApprovalId,
  type CanonicalEvent,
  type EventData,
  type EventLog,
  type EventOf,
  isTurnEndType,
  type PendingApproval,
  projectCard,
  readEvent,
} from "@deputy/protocol";
import { createLogView, type LogView } from "../views/log-view.ts";

export type ApprovalRequest = EventOf<"approval.requested">;
export type Answer = EventData<"approval.resolved">;

/** Every open question, and those that were answered last, each with the answer that counts. */
export interface Approvals {
  readonly requested: Map<ApprovalId, ApprovalRequest>;
  readonly resolved: Map<ApprovalId, Answer>;
  /** True when older answers were dropped from memory: an approval that is missing here may be in the log. */
  hasForgotten: boolean;
}

/** A question about an older answer takes a little longer, because the log is read for it. */
const REMEMBERED_ANSWERS = 200;

const APPROVAL_EVENTS = [
  "approval.requested",
  "approval.resolved",
  "turn.completed",
  "turn.failed",
  "turn.aborted",
] as const;

export function createApprovals(): Approvals {
  return { requested: new Map(), resolved: new Map(), hasForgotten: false };
}

function applyApproval(state: Approvals, event: CanonicalEvent): void {
  if (event.type === "approval.requested" && !state.requested.has(event.data.approvalId))
    state.requested.set(event.data.approvalId, event);
  if (isTurnEndType(event.type)) closeTurn(state, event);
  if (event.type !== "approval.resolved") return;
  const { approvalId } = event.data;
  // The first answer counts, and only in the session that asked, even if an imported or older log holds others.
  if (state.resolved.has(approvalId) || state.requested.get(approvalId)?.stream !== event.stream) return;
  state.resolved.set(approvalId, event.data);
  const [oldest] = state.resolved.keys();
  if (oldest === undefined || state.resolved.size <= REMEMBERED_ANSWERS) return;
  state.requested.delete(oldest);
  state.resolved.delete(oldest);
  state.hasForgotten = true;
}

/** Open questions of a turn end with the turn: no call waits for an answer any more, and the log accepts none. */
function closeTurn({ requested, resolved }: Approvals, { stream, turnId }: CanonicalEvent): void {
  if (turnId === undefined) return;
  for (const [id, request] of requested)
    if (request.turnId === turnId && request.stream === stream && !resolved.has(id))
      resolved.set(id, {
        approvalId: id,
        decision: "denied",
        by: "deputy",
        scope: "once",
        reason: TURN_ENDED,
      });
}
const TURN_ENDED = "Its turn has ended.";

export function openApprovalsView(
  log: Pick<EventLog, "readAll" | "snapshots">,
  state: Approvals = createApprovals(),
): LogView<Approvals> {
  return createLogView(log, APPROVAL_EVENTS, state, applyApproval, { name: "approvals 1" });
}

/** A question and its answer, forgotten or not. */
export async function findApproval(
  log: Pick<EventLog, "readAll">,
  { requested, resolved, hasForgotten }: Approvals,
  id: ApprovalId,
): Promise<{ readonly request: ApprovalRequest; readonly answer: Answer | undefined } | undefined> {
  const request = requested.get(id);
  if (request !== undefined) return { request, answer: resolved.get(id) };
  if (!hasForgotten) return undefined;
  const found = createApprovals();
  for await (const item of log.readAll({ types: APPROVAL_EVENTS })) {
    const read = readEvent(item.event);
    if (read.kind !== "known") continue;
    const { event } = read;
    if (isTurnEndType(event.type) || ("approvalId" in event.data && event.data.approvalId === id))
      applyApproval(found, event);
  }
  return found.requested.size === 0 ? undefined : await findApproval(log, found, id);
}

export function msLeft({ data }: ApprovalRequest, nowMs: number): number {
  return data.expiresAt === undefined ? Infinity : Date.parse(data.expiresAt) - nowMs;
}

export function pendingIn({ requested, resolved }: Approvals, nowMs: number): readonly PendingApproval[] {
  return [...requested.values()]
    .filter((request) => !resolved.has(request.data.approvalId) && msLeft(request, nowMs) > 0)
    .map(toPending);
}

export function toPending(request: ApprovalRequest): PendingApproval {
  const {
    approvalId: id,
    toolPath,
    input,
    preview,
    expiresAt,
    unknownCall,
    deaths,
    askedBy,
    form,
  } = request.data;
  return {
    id,
    stream: request.stream,
    toolPath,
    input,
    preview,
    card: projectCard(request.data),
    requestedAt: request.at,
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(unknownCall === undefined ? {} : { unknownCall }),
    ...(deaths === undefined ? {} : { deaths }),
    ...(askedBy === undefined ? {} : { askedBy }),
    ...(form === undefined ? {} : { form }),
  };
}
