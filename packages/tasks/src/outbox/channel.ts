/** A way out to people besides the sessions themselves, which terminal and page show: a chat app. */
export interface Channel {
  /** As `deliverTo` and `to` name it. */
  readonly name: string;
  /**
   * Sends it to the owner. Called again with the same key when nobody knows whether it was sent: whoever can
   * tell then sends it once. Rejects when it was not sent, and with the signal's reason.
   */
  send(message: ChannelMessage, signal: AbortSignal): Promise<SentMessage>;
}

export interface ChannelMessage {
  readonly key: string;
  readonly from: string;
  readonly text: string;
}

export interface SentMessage {
  /** As the channel calls it. */
  readonly providerId?: string;
}
