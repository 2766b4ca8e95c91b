import type { TurnId } from "@deputy/kit";
import type { StreamId } from "@deputy/protocol";

export interface Turn {
  readonly stream: StreamId;
  readonly turnId: TurnId;
  readonly agentId: string;
  readonly sessionKey: string;
  /** Told when all of its program's calls wait for the user, and when that is over. Must not throw. */
  readonly onWaiting?: ((isWaiting: boolean) => void) | undefined;
}

export type TurnOutcome =
  | { readonly kind: "completed" }
  | { readonly kind: "failed"; readonly code: string; readonly message: string }
  | { readonly kind: "aborted" };
