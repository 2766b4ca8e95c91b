import { marked, type Token, type Tokens, type TokensList } from "marked";
import remend from "remend";

/** One block of a text, with a key that stays while the block does. */
export interface Block {
  readonly key: number;
  readonly token: Token;
  /** It is whole: what is written after it cannot change it. */
  readonly isDone: boolean;
}

/** Reads Markdown that grows. Blocks that are done stay the same objects, so nothing of them is drawn again. */
export interface GrowingMarkdown {
  /** The blocks of the text, which begins with the one before unless it is another text. */
  read(text: string, isStreaming: boolean): readonly Block[];
}

/** One block beyond this is shown as plain text: nobody reads it as anything else. */
const LONGEST_BLOCK = 40_000;
/** A definition such as `[x]: https://…` changes what stands before it. */
const DEFINITION = /^ {0,3}\[[^\]]+\]:/m;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

export function createGrowingMarkdown(): GrowingMarkdown {
  let done: Block[] = [];
  let doneChars = 0;
  let before = "";
  let keys = 0;

  const reset = (): void => {
    done = [];
    doneChars = 0;
    keys = 0;
  };

  return {
    read(text, isStreaming) {
      if (!text.startsWith(before.slice(0, doneChars)) || DEFINITION.test(text)) reset();
      before = text;
      const tail = text.slice(doneChars);
      const tokens = lex(isStreaming ? withoutHalfFence(tail) : tail);
      // Of what is still being written, the last two blocks can change: a list can go on after a blank line.
      const settled = isStreaming && !DEFINITION.test(text) ? settledCount(tokens) : 0;
      for (const token of tokens.slice(0, settled)) {
        if (token.type !== "space") done.push({ key: (keys += 1), token, isDone: true });
        doneChars += token.raw.length;
      }
      const rest = tokens.slice(settled);
      const open = (isStreaming ? withHealedEnd(rest) : rest)
        .filter(({ type }) => type !== "space")
        .map((token, at): Block => ({ key: keys + 1 + at, token, isDone: !isStreaming }));
      return [...done, ...open];
    },
  };
}

/** How many of the first blocks stay as they are, whatever is written next. */
function settledCount(tokens: readonly Token[]): number {
  const last = tokens.findLastIndex(({ type }) => type !== "space");
  const lastButOne = tokens.slice(0, Math.max(last, 0)).findLastIndex(({ type }) => type !== "space");
  return Math.max(lastButOne, 0);
}

/** What is open at the end is closed for now: `**bold` is bold while it is being written. An open fence is code as far as it goes. */
function withHealedEnd(tokens: readonly Token[]): readonly Token[] {
  const last = tokens.at(-1);
  if (last === undefined || (last.type === "code" && FENCE.test(last.raw))) return tokens;
  return [...tokens.slice(0, -1), ...lex(remend(last.raw))];
}

/** A last line that may become a fence is held back, so that its marks do not flash as text. */
function withoutHalfFence(text: string): string {
  return text.replace(/(^|\n) {0,3}(?:`{1,2}|~{1,2})$/, "$1");
}

function lex(text: string): readonly Token[] {
  const tokens: TokensList = marked.lexer(text, { gfm: true, breaks: true });
  return tokens.map((token) => (token.raw.length <= LONGEST_BLOCK ? token : plain(token.raw)));
}

function plain(raw: string): Tokens.Paragraph {
  return { type: "paragraph", raw, text: raw, tokens: [{ type: "text", raw, text: raw, escaped: false }] };
}
