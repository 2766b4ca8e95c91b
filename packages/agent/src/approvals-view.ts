import type { ApprovalId, CanonicalEvent, EventData, EventOf, PendingApproval } from "@deputy/protocol";

export type ApprovalRequest = EventOf<"approval.requested">;
export type Answer = EventData<"approval.resolved">;

/** Every question, and every answer that counts. */
export interface Approvals {
  readonly requested: Map<ApprovalId, ApprovalRequest>;
  readonly resolved: Map<ApprovalId, Answer>;
}

export const APPROVAL_LANDMARKS = ["approval.requested", "approval.resolved"] as const;

export function createApprovals(): Approvals {
  return { requested: new Map(), resolved: new Map() };
}

export function applyApproval(state: Approvals, event: CanonicalEvent): void {
  if (event.type === "approval.requested" && !state.requested.has(event.data.approvalId))
    state.requested.set(event.data.approvalId, event);
  if (event.type !== "approval.resolved") return;
  const { approvalId } = event.data;
  // The first answer counts, and only where it was asked, whatever an imported or older log holds.
  if (state.resolved.has(approvalId) || state.requested.get(approvalId)?.stream !== event.stream) return;
  state.resolved.set(approvalId, event.data);
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
  const { approvalId: id, toolPath, input, preview, expiresAt, unknownCall, deaths, askedBy } = request.data;
  return {
    id,
    stream: request.stream,
    toolPath,
    input,
    preview,
    requestedAt: request.at,
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(unknownCall === undefined ? {} : { unknownCall }),
    ...(deaths === undefined ? {} : { deaths }),
    ...(askedBy === undefined ? {} : { askedBy }),
  };
}
