/** When a session's prompt is shortened, and how much of it is kept. */
export interface CompactionLimits {
  /** A longer prompt, by estimate, is made smaller before the model is asked. Infinity: none ever is. */
  readonly thresholdTokens: number;
  /** So is one of more messages. */
  readonly maxMessages: number;
  /** How many of the last messages stay word for word, or as many of them as fit. */
  readonly keepMessages: number;
  /** The most exchanges that are kept (a user's message, and everything done about it). Infinity: what else fits. */
  readonly keepExchanges: number;
  /** The length of a summary. */
  readonly summaryTokens: number;
}

/**
 * Made for a model that accepts 100,000 tokens: the estimate may be a fifth too low, and the answer needs room too.
 */
export const DEFAULT_COMPACTION_LIMITS: CompactionLimits = {
  thresholdTokens: 75_000,
  maxMessages: 150,
  keepMessages: 100,
  keepExchanges: Infinity,
  summaryTokens: 4_096,
};
