import type { CallId } from "@deputy/kit";
import type { ApprovalAnswer, ApprovalId, ApprovalScope, EventData, PendingApproval } from "@deputy/protocol";

/** Approvals wait here for their answer, and any client can give it. The log holds all state. */
export interface ApprovalDesk {
  /** Every approval without an answer that has not expired, oldest first. */
  pending(): Promise<readonly PendingApproval[]>;
  /**
   * Records an answer. The first one counts: a later or repeated answer changes nothing, and its sender learns what
   * was decided. The answer is durable once this resolves. It rejects as the log does, and then nothing was answered.
   */
  resolve(id: ApprovalId, answer: ApprovalAnswer, by: string): Promise<ResolveOutcome>;
  /** The answer, once there is one. Only what stands in the session that asked is one. */
  answered(id: ApprovalId): Promise<EventData<"approval.resolved"> | undefined>;
  /**
   * Resolves with the answer, given before or after this call, in this process or an earlier one. Waits
   * as long as it takes, or until the request expires, which is then written down as a denial. Rejects
   * with the signal's reason, or when the log closes or fails.
   */
  wait(id: ApprovalId, signal: AbortSignal): Promise<EventData<"approval.resolved">>;
}

export type ResolveOutcome =
  | { readonly kind: "resolved" }
  | {
      readonly kind: "already_resolved";
      readonly decision: "approved" | "denied";
      /** Present when only some calls of a plan were approved: those calls. */
      readonly calls?: readonly CallId[];
      /** Present when this answer would have reached further, or less far, than the one that counts: how far that does. */
      readonly scope?: ApprovalScope;
    }
  | { readonly kind: "expired" }
  | { readonly kind: "unknown" }
  /** The answer does not fit the question; nothing was answered. */
  | { readonly kind: "invalid"; readonly message: string };
