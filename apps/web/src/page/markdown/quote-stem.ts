import type { Token, Tokens } from "marked";
import { settledCount } from "./settled-count.ts";
import type { Stem } from "./stem.ts";

/** The blocks in a quotation that are done, and the stem of the one after them. */
export function quoteStem(begun: {
  readonly raw: string;
  readonly done: readonly Token[];
  readonly inner: Stem;
  /** The stem of a block that has just begun. */
  readonly none: Stem;
}): Stem {
  const { raw, done, inner, none } = begun;
  const lead = inner.lead.replace(/^(?=.)/gm, "> ");
  const firstOf = (rest: Token): Token | undefined => {
    const [first] = rest.type === "blockquote" ? (rest as Tokens.Blockquote).tokens : [];
    return first === undefined ? undefined : inner.join(first);
  };
  const stem: Stem = {
    raw,
    lead,
    join(rest) {
      const first = firstOf(rest);
      if (first === undefined) return undefined;
      const { tokens } = rest as Tokens.Blockquote;
      const whole = raw + rest.raw.slice(lead.length);
      return { ...rest, raw: whole, tokens: [...done, first, ...tokens.slice(1)] };
    },
    grow(rest) {
      const first = firstOf(rest);
      if (first === undefined) return stem;
      const { tokens, text } = rest as Tokens.Blockquote;
      if (charsIn(tokens) !== text.length) return stem;
      const settled = settledCount(tokens);
      const next = tokens[settled];
      const grown = next === undefined ? none : (settled === 0 ? inner : none).grow(next);
      const before =
        settled === 0 ? -inner.raw.length : charsIn(tokens.slice(0, settled)) - inner.lead.length;
      const own = rest.raw.slice(lead.length);
      const chars = quotedChars(own, before + grown.raw.length, lead === "" || lead.endsWith("\n"));
      if (chars === undefined || chars === 0) return stem;
      return quoteStem({
        raw: raw + own.slice(0, chars),
        done: settled === 0 ? done : [...done, first, ...tokens.slice(1, settled)],
        inner: grown,
        none,
      });
    },
  };
  return stem;
}

function charsIn(tokens: readonly Token[]): number {
  return tokens.reduce((chars, { raw }) => chars + raw.length, 0);
}

const MARK = /^ {0,3}>[ \t]?/;

/** Where in a quotation so many characters of what is quoted end; undefined if a line before that has no mark. */
function quotedChars(quotation: string, chars: number, isAtLine: boolean): number | undefined {
  let left = chars;
  let at = 0;
  for (const [index, line] of quotation.split("\n").entries()) {
    if (left === 0) return at;
    const mark = index === 0 && !isAtLine ? "" : MARK.exec(line)?.[0];
    if (mark === undefined) return undefined;
    const content = line.length - mark.length;
    if (left <= content) return at + mark.length + left;
    left -= content + 1;
    at += line.length + 1;
  }
  return undefined;
}
