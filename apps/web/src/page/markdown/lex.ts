import { Lexer, type Links, type Token, type Tokens, type TokensList } from "marked";
import remend from "remend";
import { BoundedTokenizer } from "./bounded-tokenizer.ts";
import { settledCount } from "./settled-count.ts";
import { NO_STEM, type Stem } from "./stem.ts";

/** One block of a text, with a key that stays while the block does. */
export interface Block {
  readonly key: number;
  readonly token: Token;
  /** It is whole: what is written after it cannot change it. */
  readonly isDone: boolean;
}

/** Reads Markdown that grows. Blocks that are done stay the same objects, so nothing of them is drawn again. */
export interface BlockReader {
  /** The blocks of the text, which begins with the one before unless it is another text. */
  read(text: string, isStreaming: boolean): readonly Block[];
  /** How many characters at the end are read again with the next piece. */
  openChars(): number;
}

/** One block beyond this is shown as plain text: nobody reads it as anything else. */
const LONGEST_BLOCK = 40_000;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

export function createBlockReader(): BlockReader {
  let done: Block[] = [];
  let doneChars = 0;
  /** Of the first block that is not done. */
  let stem: Stem = NO_STEM;
  let before = "";
  let keys = 0;
  /** Definitions such as `[x]: https://…` in what is done, and those known so far in all of the text. */
  let doneLinks: Links = {};
  let links: Links = {};

  const reset = (): void => {
    done = [];
    doneChars = 0;
    stem = NO_STEM;
    keys = 0;
    doneLinks = {};
    links = {};
  };
  /** A definition changes what stands before it. */
  const knowLinks = (now: Links): void => {
    const tags = Object.keys({ ...links, ...now });
    const changed = tags.filter((tag) => links[tag]?.href !== now[tag]?.href);
    links = now;
    if (changed.length === 0) return;
    const isMeant = ({ token: { raw } }: Block): boolean => {
      const words = raw.toLowerCase().replace(/\s+/g, " ");
      return changed.some((tag) => words.includes(`[${tag}]`));
    };
    done = done.map((block) => (isMeant(block) ? { ...block, token: readAgain(block.token, links) } : block));
  };

  /** The blocks that are not done; the first of them in full. */
  const readOpen = (text: string, isStreaming: boolean): OpenBlocks => {
    const rest = text.slice(doneChars + stem.raw.length);
    const source = stem.lead + (isStreaming ? withoutHalfFence(rest) : rest);
    const tokens = lex(source, doneLinks);
    const [first] = tokens;
    const hasNewLinks = Object.keys(tokens.links).length > Object.keys(doneLinks).length;
    const isOther = hasNewLinks && stem !== NO_STEM;
    const whole = first === undefined || isOther ? undefined : stem.join(first);
    if (first !== undefined && whole !== undefined) {
      const shown = isStreaming ? withHealedEnd(tokens, tokens.links) : tokens;
      const [shownFirst = first] = shown;
      return {
        first,
        tokens: [whole, ...tokens.slice(1)],
        shown: [stem.join(shownFirst) ?? whole, ...shown.slice(1)],
        links: tokens.links,
        hasNewLinks,
        isComplete: tokens.reduce((chars, { raw }) => chars + raw.length, 0) === source.length,
      };
    }
    if (stem === NO_STEM)
      return { first, tokens: [], shown: [], links: tokens.links, hasNewLinks, isComplete: true };
    stem = NO_STEM;
    return readOpen(text, isStreaming);
  };

  return {
    read(text, isStreaming) {
      if (!text.startsWith(before.slice(0, doneChars + stem.raw.length))) reset();
      before = text;
      const open = readOpen(text, isStreaming);
      knowLinks(open.links);
      const settled = isStreaming && open.isComplete ? settledCount(open.tokens) : 0;
      for (const token of open.tokens.slice(0, settled)) {
        if (token.type !== "space") done.push({ key: (keys += 1), token: shortened(token), isDone: true });
        doneChars += token.raw.length;
      }
      if (settled > 0) {
        if (open.hasNewLinks) doneLinks = { ...definedIn(open.tokens.slice(0, settled)), ...doneLinks };
        stem = NO_STEM;
      }
      const next = settled > 0 ? open.tokens[settled] : open.first;
      // What a definition changes is read as a whole.
      if (isStreaming && open.isComplete && !open.hasNewLinks && next !== undefined) stem = stem.grow(next);
      const rest = open.shown
        .slice(settled)
        .filter(({ type }) => type !== "space")
        .map((token, at): Block => ({ key: keys + 1 + at, token: shortened(token), isDone: !isStreaming }));
      return [...done, ...rest];
    },
    openChars: () => before.length - doneChars - stem.raw.length,
  };
}

interface OpenBlocks {
  /** The first without its stem, as it was read. */
  readonly first: Token | undefined;
  readonly tokens: readonly Token[];
  /** The same, with what is open at the end closed for now. */
  readonly shown: readonly Token[];
  readonly links: Links;
  /** Definitions are among them. */
  readonly hasNewLinks: boolean;
  /** The tokens are all of the text: a definition that is there twice is in none. */
  readonly isComplete: boolean;
}

/** Among more marks than any text has, an open one is not looked for. */
const MOST_MARKS = 300;
const MARKS = /[*_]/g;

/** What is open at the end is closed for now: `**bold` is bold while it is being written. An open fence is code as far as it goes. */
function withHealedEnd(tokens: readonly Token[], links: Links): readonly Token[] {
  const last = tokens.at(-1);
  if (last === undefined || (last.type === "code" && FENCE.test(last.raw))) return tokens;
  if ((last.raw.match(MARKS)?.length ?? 0) > MOST_MARKS) return tokens;
  const healed = remend(last.raw);
  return healed === last.raw ? tokens : [...tokens.slice(0, -1), ...lex(healed, links)];
}

/** A last line that may become a fence is held back, so that its marks do not flash as text. */
function withoutHalfFence(text: string): string {
  return text.replace(/(^|\n) {0,3}(?:`{1,2}|~{1,2})$/, "$1");
}

function lex(text: string, links: Links): TokensList {
  const lexer = new Lexer({ gfm: true, breaks: true, tokenizer: new BoundedTokenizer() });
  Object.assign(lexer.tokens.links, links);
  return lexer.lex(text);
}

/** The first definition of a tag counts. */
function definedIn(tokens: readonly Token[], links: Links = {}): Links {
  for (const token of tokens) {
    if (token.type === "def") {
      const { tag, href, title } = token as Tokens.Def;
      links[tag] ??= { href, title };
    }
    const { tokens: inner = [], items = [] } = token as {
      readonly tokens?: Token[];
      readonly items?: Token[];
    };
    definedIn([...inner, ...items], links);
  }
  return links;
}

function readAgain(token: Token, links: Links): Token {
  const [again] = lex(token.raw, links);
  return again?.raw === token.raw ? again : token;
}

function shortened(token: Token): Token {
  return token.raw.length <= LONGEST_BLOCK ? token : plain(token.raw);
}

function plain(raw: string): Tokens.Paragraph {
  return { type: "paragraph", raw, text: raw, tokens: [{ type: "text", raw, text: raw, escaped: false }] };
}
