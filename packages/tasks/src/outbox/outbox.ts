import type { ApprovalId } from "@deputy/protocol";

/** Messages that Deputy sends to its owner on its own initiative. */
export interface Outbox extends AsyncDisposable {
  /**
   * Durable once resolved: it is in a session, or will be sent, even after a crash. Idempotent by `key`.
   * Rejects if the log does; then nothing was accepted.
   */
  tell(message: Telling): Promise<void>;
  /**
   * Call it once at start: sends in the background what an earlier process accepted for a channel and did not
   * send.
   */
  goOn(): Promise<void>;
  /** What that channel did not take and was given up, the newest first. Rejects as the log does. */
  failed(channel: string): Promise<readonly FailedMessage[]>;
  /** Sends it once more; says how many. Rejects as the log does. */
  retry(channel: string): Promise<number>;
}

export interface FailedMessage {
  readonly key: string;
  readonly reason: string;
  readonly at: string;
}

export interface Telling {
  /** A key that no other message has. */
  readonly key: string;
  /**
   * The name of a channel or chat app; a session, by its id or key; or `last`: where the settings say, or the session
   * that the owner used last. An unknown name also means that session, so that no message is lost because of a name.
   */
  readonly to: string;
  readonly text: string;
  /** The sender, as people see it: `heartbeat`, `the task …`. */
  readonly from: string;
  /** It says that this question waits: a chat app shows the question itself, with buttons. */
  readonly asks?: ApprovalId;
  /** The owner has asked for it at this very time: quiet hours do not hold it up. */
  readonly isAskedFor?: true;
}
