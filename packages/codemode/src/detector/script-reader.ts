import { type CodeContext, createCodeLexer } from "./code-lexer.ts";
import type { Ambiguity } from "./script-event.ts";
import { createClosingTag, createOpeningTag, type TagReader } from "./tag-reader.ts";
import type { Reader } from "./reader.ts";

export interface ScriptReader extends Reader {
  /** Why the end of the script is unclear. */
  doubt(): Ambiguity | undefined;
}

/**
 * Reads code up to its closing tag. Code that ends inside a string, a template, a block comment or a regular
 * expression is not a program, so a tag in there is part of it; in a line comment either could be meant.
 */
export function createScriptReader(): ScriptReader {
  const lexer = createCodeLexer();
  let closing: TagReader | undefined;
  let nested: TagReader | undefined;
  let context: CodeContext = "code";
  let doubt: Ambiguity | undefined;

  const next: Reader["next"] = (unit) => {
    const here = lexer.next(unit);
    const nestedSo = nested?.next(unit);
    if (nestedSo === "whole") doubt = "nested_tag";
    if (nestedSo !== "partial") nested = undefined;

    const closingSo = closing?.next(unit);
    if (closingSo === "partial") return "held";
    closing = undefined;
    if (closingSo === "whole") {
      if (context === "line_comment") doubt ??= "tag_in_comment";
      if (context !== "literal") return "tag";
      lexer.noteTag();
      return "plain";
    }
    if (unit !== "<") return "plain";
    context = here;
    closing = createClosingTag();
    if (here === "code") nested = createOpeningTag();
    return "begins";
  };

  return { next, doubt: () => doubt ?? (lexer.hasDoubt() ? "tag_in_literal" : undefined) };
}
