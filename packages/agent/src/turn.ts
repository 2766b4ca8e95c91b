import type { TurnId } from "@deputy/kit";
import type { StreamId } from "@deputy/protocol";

export interface Turn {
  readonly stream: StreamId;
  readonly turnId: TurnId;
  readonly agentId: string;
  readonly sessionKey: string;
}

export type TurnOutcome =
  | { readonly kind: "completed" }
  | { readonly kind: "failed"; readonly code: string; readonly message: string }
  | { readonly kind: "aborted" };
