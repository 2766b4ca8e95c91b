import type { AllOfKind } from "./provenance/asks-for-all.ts";
import type { Naming } from "./provenance/is-named.ts";

/** Everything that a session has read, and who wrote it. The origin of a value is judged from this. */
export interface Origins {
  /** Where the untrusted text came from that the model or its program has seen; empty before the first. */
  readonly untrusted: readonly string[];
  /**
   * Where a value of an argument came from; the most trusted place that explains it. Never throws. With the
   * argument's name, a number of a trusted source explains only an argument of a like name: an id is no amount.
   */
  trace(value: string | number | boolean, name?: string): Origin;
  /**
   * True if a text consists mostly of the user's own sentences, word by word; `trace` requires all of it.
   * Never throws.
   */
  echoes(text: string): boolean;
  /** True if the user explicitly asked to do this to everything of a kind. Never throws. */
  asksForAll(kind: AllOfKind): boolean;
}

export type Origin =
  | { readonly kind: "user" }
  | { readonly kind: "configuration" }
  /** `named`: the user's own words also tell which of the source's values is meant. */
  | { readonly kind: "trusted"; readonly source: string; readonly named?: Naming }
  | { readonly kind: "untrusted"; readonly source: string }
  /** It comes from no text: the model made it up, or the program computed it. */
  | { readonly kind: "invented" };
