import type { TurnId } from "@deputy/kit";
import type { StreamId } from "@deputy/protocol";

export interface Turn {
  readonly stream: StreamId;
  readonly turnId: TurnId;
  readonly agentId: string;
  readonly sessionKey: string;
  /** Called when all calls of the turn's program wait for the user, and when that is over. Must not throw. */
  readonly onWaiting?: ((isWaiting: boolean) => void) | undefined;
}

export type TurnOutcome =
  | { readonly kind: "completed" }
  | { readonly kind: "failed"; readonly code: string; readonly message: string }
  | { readonly kind: "aborted" };
