/** Bounds on looking ahead. Computing is bounded by what the program itself has left. */
export const PLAN_LIMITS = {
  /** Calls that are looked ahead, listed or not. */
  calls: 250,
  /** Calls on one card. */
  listed: 200,
  /** All inputs and previews on one card, as JSON. Questions that do not fit are asked on their own. */
  chars: 500_000,
  /** How long looking ahead may take, waiting for a worker included. */
  wallMs: 1_000,
  /** How long a question is held back while other calls of its program still run. */
  patienceMs: 500,
  /** No fork is made from a larger image. */
  imageBytes: 4 * 1024 * 1024,
} as const;
