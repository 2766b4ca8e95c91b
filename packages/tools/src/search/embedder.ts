/** Turns texts into vectors, such that what means alike lies close together. */
export interface Embedder {
  /**
   * As many vectors as texts, in their order, all of one length. May be asked again. Rejects where it cannot, and with
   * the signal's reason on abort.
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly (readonly number[])[]>;
}
