/** When a session's prompt is made smaller, and what of it stays. */
export interface CompactionLimits {
  /** A longer prompt, by estimate, is made smaller before the model is asked. Infinity: none ever is. */
  readonly thresholdTokens: number;
  /** So is one of more messages. */
  readonly maxMessages: number;
  /** What the user said last, and everything done about it, this many times; fewer when they are too long. */
  readonly keepExchanges: number;
  /** Of a summary. */
  readonly summaryTokens: number;
}

/** For a model that takes 100,000 tokens: the estimate may be a fifth too low, and the answer needs room too. */
export const DEFAULT_COMPACTION_LIMITS: CompactionLimits = {
  thresholdTokens: 75_000,
  maxMessages: 100,
  keepExchanges: 10,
  summaryTokens: 4_096,
};
