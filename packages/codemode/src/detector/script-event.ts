/** What a detector says about a model's text, in order. */
export type ScriptEvent =
  /** Text to show unchanged. */
  | { readonly kind: "text"; readonly text: string }
  /** `tag` as written; attributes by lower-case name, the first of each name, not decoded. */
  | {
      readonly kind: "script_started";
      readonly tag: string;
      readonly attributes: ReadonlyMap<string, string>;
    }
  /** More code. There may be very much: the code of a script that is too large passes but is not kept. */
  | { readonly kind: "script_delta"; readonly code: string }
  /** `tag` is the closing tag as written; empty if there was none. */
  | { readonly kind: "script_ended"; readonly tag: string; readonly outcome: ScriptOutcome };

/** Only a complete script has code, because no other may run. */
export type ScriptOutcome =
  | { readonly kind: "complete"; readonly code: string }
  | { readonly kind: "ambiguous"; readonly reason: Ambiguity }
  | { readonly kind: "too_large"; readonly maxCodeChars: number }
  | { readonly kind: "unterminated" };

/**
 * Why the end of a script is unclear: a closing tag is in a line comment, or in a string, template, block
 * comment or regular expression that does not end properly; or an opening tag is in the code.
 */
export type Ambiguity = "tag_in_comment" | "tag_in_literal" | "nested_tag";
