/** What a detector says about a model's text, in order. */
export type ScriptEvent =
  /** To be shown as it is. */
  | { readonly kind: "text"; readonly text: string }
  /** `tag` as it was written; attributes by lower-case name, the first of a name, nothing decoded. */
  | {
      readonly kind: "script_started";
      readonly tag: string;
      readonly attributes: ReadonlyMap<string, string>;
    }
  /** More code. There may be a great deal of it: a script that will turn out too large is not kept, but passes. */
  | { readonly kind: "script_delta"; readonly code: string }
  /** `tag` is the closing one as it was written, empty when there was none. */
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
