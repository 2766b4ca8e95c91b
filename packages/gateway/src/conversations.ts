import type { SessionId, TurnId } from "@deputy/kit";
import type { EventData } from "@deputy/protocol";

/**
 * How a message gets into a conversation: whoever has one for a session hands it over here, and its turn
 * runs when those before it in that session are over.
 */
export interface Conversations {
  /**
   * Once resolved, the message is in the log and its turn will run, also after a crash. Not idempotent.
   * Rejects with `unknown_session` or `too_many_messages`, or when the log does: nothing was taken then.
   */
  send(message: ConversationMessage): Promise<Sent>;
  /** Stops a run, or takes it off the queue; its end is in the log once resolved. Idempotent. */
  abort(runId: TurnId, by: string): Promise<AbortOutcome>;
  /** Where a run is that waits or goes on; undefined for one that has ended or never was. */
  streamOf(runId: TurnId): SessionId | undefined;
}

export interface ConversationMessage {
  readonly session: SessionId;
  readonly text: string;
  /** By which door it came. */
  readonly channel: string;
  readonly sender: string;
  readonly trust: EventData<"user.message">["trust"];
}

export interface Sent {
  /** The turn that answers it. */
  readonly runId: TurnId;
  readonly stream: SessionId;
}

export type AbortOutcome =
  | { readonly kind: "aborted" }
  | { readonly kind: "already_ended" }
  | { readonly kind: "unknown" };
