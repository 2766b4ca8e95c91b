import type { ApprovalAnswer, ApprovalId, EventData, PendingApproval } from "@deputy/protocol";

/** Where approvals wait for their answer, and where any client gives it. State is the log's. */
export interface ApprovalDesk {
  /** Every approval without an answer that has not expired, oldest first. */
  pending(): Promise<readonly PendingApproval[]>;
  /**
   * Records an answer. The first one counts: a second, late or repeated answer changes nothing and
   * is told what was decided. Durable once resolved; rejects as the log does, and then nothing was
   * answered.
   */
  resolve(id: ApprovalId, answer: ApprovalAnswer, by: string): Promise<ResolveOutcome>;
  /**
   * Resolves with the answer, given before or after this call, in this process or an earlier one. Waits
   * as long as it takes: rejects with the signal's reason, or when the log closes.
   */
  wait(id: ApprovalId, signal: AbortSignal): Promise<EventData<"approval.resolved">>;
}

export type ResolveOutcome =
  | { readonly kind: "resolved" }
  | { readonly kind: "already_resolved"; readonly decision: "approved" | "denied" }
  | { readonly kind: "expired" }
  | { readonly kind: "unknown" };
