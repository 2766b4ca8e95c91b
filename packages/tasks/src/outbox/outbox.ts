/** What Deputy tells its owner unasked. */
export interface Outbox extends AsyncDisposable {
  /**
   * Durable once resolved: it is in a session, or will be sent, after a crash too. Idempotent by `key`. Rejects
   * when the log does; nothing was taken then.
   */
  tell(message: Telling): Promise<void>;
  /** Run once at start: sends, in the background, what an earlier process took for a channel and did not send. */
  goOn(): Promise<void>;
}

export interface Telling {
  /** What no other message has. */
  readonly key: string;
  /**
   * A channel by its name; a session, by its id or key; or `last`, the session that the owner used last. What is
   * none of these is told in that one, too: a message is not lost for a name.
   */
  readonly to: string;
  readonly text: string;
  /** Who says it, as people are shown it: `heartbeat`, `the task …`. */
  readonly from: string;
}
