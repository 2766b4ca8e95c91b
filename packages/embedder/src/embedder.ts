/** Turns texts into vectors of length 1; texts with a similar meaning have vectors close to each other. */
export interface Embedder {
  /**
   * Names the model and everything else that changes its vectors. Vectors of different names must not be compared.
   */
  readonly model: string;
  /**
   * Texts whose vectors have a smaller cosine have nothing to do with each other, as far as the model can tell. Absent
   * if nobody has measured it.
   */
  readonly leastRelated?: number;
  /**
   * As many vectors as texts, in their order, all of one length. A text that is too long is cut. May be called again
   * after it failed. Rejects with a coded error if it cannot, and with the signal's reason on abort. `role`: what the
   * texts are for, which some models want to be told; `text` by default. Questions may come before texts that were
   * asked for earlier.
   */
  embed(
    texts: readonly string[],
    signal: AbortSignal,
    role?: "question" | "text",
  ): Promise<readonly Float32Array[]>;
}
