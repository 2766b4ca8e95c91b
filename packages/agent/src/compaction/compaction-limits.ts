/** When a session's prompt is shortened, and how much of it is kept. */
export interface CompactionLimits {
  /** A longer prompt, by estimate, is made smaller before the model is asked. Infinity: none ever is. */
  readonly thresholdTokens: number;
  /** So is one of more messages. */
  readonly maxMessages: number;
  /**
   * The number of exchanges to keep (a user's message, and everything done about it). Fewer are kept when they are
   * too long.
   */
  readonly keepExchanges: number;
  /** The length of a summary. */
  readonly summaryTokens: number;
}

/**
 * Made for a model that accepts 100,000 tokens: the estimate may be a fifth too low, and the answer needs room too.
 */
export const DEFAULT_COMPACTION_LIMITS: CompactionLimits = {
  thresholdTokens: 75_000,
  maxMessages: 100,
  keepExchanges: 10,
  summaryTokens: 4_096,
};
