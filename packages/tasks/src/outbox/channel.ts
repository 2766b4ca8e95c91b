import type { ApprovalId } from "@deputy/protocol";

/** A way to reach the owner outside the sessions that terminal, page and chat apps show: mail, a push. */
export interface Channel {
  /** The name used in `deliverTo` and `to`. */
  readonly name: string;
  /**
   * Sends it to the owner. It is called again with the same key when it is unknown whether the message was sent; a
   * channel that can find out sends it once. Rejects with a `ChannelFailure` when it was not sent, and with the signal's
   * reason.
   */
  send(message: ChannelMessage, signal: AbortSignal): Promise<SentMessage>;
}

export interface ChannelMessage {
  readonly key: string;
  readonly from: string;
  readonly text: string;
  /** It says that this question waits. */
  readonly asks?: ApprovalId;
}

export interface SentMessage {
  /** The channel's own id for it. */
  readonly providerId?: string;
}
