/** What a session was told, and by whom: the ground on which a value's origin is judged. */
export interface Origins {
  /** Where the untrusted text came from that the model or its program has seen; empty before the first. */
  readonly untrusted: readonly string[];
  /** Where a value of an argument came from; the most trusted place that explains it. Never throws. */
  trace(value: string | number | boolean): Origin;
}

export type Origin =
  | { readonly kind: "user" }
  | { readonly kind: "configuration" }
  | { readonly kind: "trusted"; readonly source: string }
  | { readonly kind: "untrusted"; readonly source: string }
  /** Nobody said it: the model made it up, or the program computed it. */
  | { readonly kind: "invented" };
