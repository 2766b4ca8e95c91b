import type { SessionId, TurnId } from "@deputy/kit";
import type { EventData, NewEvent, Task } from "@deputy/protocol";
import type { QuotedText } from "./quoted-text.ts";

/**
 * Sends messages to a session that is not a task's. A session has at most one open turn: a message before
 * that turn ends joins it, and is answered in it; otherwise a new turn begins, or waits for its place.
 */
export interface Conversations extends AsyncDisposable {
  /**
   * Once resolved, the message is in the log and will be answered, even after a crash, unless its turn fails
   * or is stopped: a message while a turn is being stopped is for the next one. Not idempotent. Rejects with
   * `unknown_session`, `session_of_task`, `too_many_messages` or `shutting_down`, or if the log does; then
   * nothing was accepted.
   */
  send(message: ConversationMessage): Promise<Sent>;
  /** Stops a run, or takes it off the queue; its end is in the log once resolved. Idempotent. Rejects when the log does. */
  abort(runId: TurnId, by: string): Promise<AbortOutcome>;
  /** The run of a session that is running or waiting here. */
  openRun(session: SessionId): TurnId | undefined;
  /**
   * Continues the turn that an earlier process left in a session; undefined when there is none. Idempotent. Rejects
   * with `unknown_session` or `session_of_task`, or as the log does.
   */
  resume(session: SessionId): Promise<TurnId | undefined>;
  /** Resolves once no run of the session is running or waiting here. Never rejects. */
  idle(session: SessionId): Promise<void>;
  /** The session of a run that waits or is running; undefined for a run that has ended or does not exist. */
  streamOf(runId: TurnId): SessionId | undefined;
  /**
   * Call it once at start: continues in the background the turns that an earlier process left open, and
   * answers messages that it accepted and did not get to; sessions of tasks are not included.
   */
  goOn(tasks: readonly Pick<Task, "stream">[]): Promise<void>;
}

export interface ConversationMessage {
  readonly session: SessionId;
  readonly text: string;
  /** Where in the text the sender's own words are; absent: all of it. */
  readonly said?: EventData<"user.message">["said"];
  readonly attachments?: EventData<"user.message">["attachments"];
  /** Texts that came with the message. They are before it in the log, in the same transaction. */
  readonly quoted?: readonly QuotedText[];
  /** Events of the same turn, before it in the log and in the same transaction. */
  readonly before?: readonly NewEvent[];
  /** The channel through which it came. */
  readonly channel: string;
  readonly sender: string;
  readonly trust: EventData<"user.message">["trust"];
  /** What its client calls it; see `user.message`. */
  readonly messageKey?: string;
}

export interface Sent {
  /** The turn that answers it. */
  readonly runId: TurnId;
  readonly stream: SessionId;
  /** The message's number in its stream. Events after it are about it. */
  readonly seq: number;
}

export type AbortOutcome =
  | { readonly kind: "aborted" }
  | { readonly kind: "already_ended" }
  | { readonly kind: "unknown" };
