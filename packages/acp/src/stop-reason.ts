import type { StopReason } from "@agentclientprotocol/sdk";
import type { CanonicalEvent } from "@deputy/protocol";

/** How a turn ended, as the answer to its prompt. */
export type PromptEnd =
  | { readonly kind: "stopped"; readonly reason: StopReason }
  | { readonly kind: "failed"; readonly code: string; readonly message: string };

const REASONS: Readonly<Record<string, StopReason>> = {
  answer_cut: "max_tokens",
  model_refused: "refusal",
  turn_limit: "max_turn_requests",
  budget_spent: "max_turn_requests",
};

/** Undefined for an event that ends no turn. */
export function promptEndOf(event: CanonicalEvent): PromptEnd | undefined {
  switch (event.type) {
    case "turn.completed":
      return { kind: "stopped", reason: "end_turn" };
    case "turn.aborted":
      return { kind: "stopped", reason: "cancelled" };
    case "turn.failed": {
      const { code, message } = event.data;
      const reason = Object.hasOwn(REASONS, code) ? REASONS[code] : undefined;
      return reason === undefined ? { kind: "failed", code, message } : { kind: "stopped", reason };
    }
    default:
      return undefined;
  }
}
