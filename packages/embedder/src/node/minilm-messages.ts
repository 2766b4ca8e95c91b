/** Between the process that asks and the one that computes. Each request has one answer. */
export interface EmbedRequest {
  readonly id: number;
  readonly texts: readonly string[];
  /** Somebody waits for it: it comes before texts that are only to be indexed, also if those were first. */
  readonly isQuestion: boolean;
}

export type EmbedAnswer =
  | { readonly id: number; readonly vectors: readonly Float32Array[] }
  /** `code`: of an `EmbedderError`, with its message and hint. */
  | { readonly id: number; readonly code: string; readonly message: string; readonly hint?: string };
