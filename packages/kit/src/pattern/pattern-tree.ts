/** A regular expression as it was read. */
export type PatternNode =
  | { readonly kind: "empty" }
  | { readonly kind: "char"; readonly accepts: CharTest; readonly literal?: string | undefined }
  | { readonly kind: "assert"; readonly what: Assertion }
  | { readonly kind: "sequence"; readonly parts: readonly PatternNode[] }
  | { readonly kind: "choice"; readonly options: readonly PatternNode[] }
  | { readonly kind: "repeat"; readonly of: PatternNode; readonly least: number; readonly most: number };

export type Assertion = "start" | "end" | "boundary" | "no-boundary";

/** By code point. */
export type CharTest = (char: number) => boolean;
