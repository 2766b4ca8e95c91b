import { Lexer, type Token, type Tokens } from "marked";

/**
 * How a piece of text looks. `block` is a code block, `quote` somebody else's words. An app that has neither sets each of
 * their lines off, so that none passes for another.
 */
export type Style =
  | { readonly kind: "bold" | "italic" | "strike" | "code" | "quote" }
  | { readonly kind: "block"; readonly language: string }
  | { readonly kind: "link"; readonly url: string };

/** A piece of text with its styles, the outermost first. Texts are as people see them; every app escapes them itself. */
export interface Run {
  readonly text: string;
  readonly styles: readonly Style[];
}

/** Links to anything else could do something on the reader's machine. */
const OPENABLE = /^(?:https?:\/\/|mailto:)/i;
const DEEPEST = 12;

/**
 * A model's Markdown as runs, for apps that have no Markdown, or another one. Tables become aligned text, pictures their
 * description, HTML the text that it is. Never throws, whatever the text is.
 */
export function styledText(markdown: string): readonly Run[] {
  return joinAlike(trimEnds(blockRuns(new Lexer({ gfm: true }).lex(markdown), [], 0)));
}

/** Runs of a text that is no Markdown. */
export function plainText(text: string): readonly Run[] {
  return text === "" ? [] : [{ text, styles: [] }];
}

function blockRuns(tokens: readonly Token[], styles: readonly Style[], depth: number): Run[] {
  const runs: Run[] = [];
  for (const token of tokens) {
    const block = depth > DEEPEST ? [{ text: token.raw, styles }] : oneBlock(token, styles, depth);
    if (block.length === 0) continue;
    if (runs.length > 0) runs.push({ text: "\n\n", styles: [] });
    runs.push(...block);
  }
  return runs;
}

function oneBlock(token: Tokens.Generic, styles: readonly Style[], depth: number): Run[] {
  switch (token.type) {
    case "space":
    case "def":
      return [];
    case "heading":
      return inlineRuns(token.tokens ?? [], [...styles, { kind: "bold" }], depth);
    case "code": {
      const { text, lang = "" } = token as Tokens.Code;
      const language = /^[\w+#.-]{1,30}/.exec(lang)?.[0] ?? "";
      return text === "" ? [] : [{ text, styles: [...styles, { kind: "block", language }] }];
    }
    case "blockquote":
      return blockRuns(token.tokens ?? [], [...styles, { kind: "quote" }], depth + 1);
    case "list":
      return listRuns(token as Tokens.List, styles, depth);
    case "table":
      return [
        { text: tableText(token as Tokens.Table), styles: [...styles, { kind: "block", language: "" }] },
      ];
    case "hr":
      return [{ text: "———", styles }];
    case "html":
      return [{ text: String(token["text"] ?? token.raw).trim(), styles }].filter(({ text }) => text !== "");
    default:
      return token.tokens === undefined
        ? [{ text: String(token["text"] ?? token.raw), styles }]
        : inlineRuns(token.tokens, styles, depth);
  }
}

function listRuns(list: Tokens.List, styles: readonly Style[], depth: number): Run[] {
  const first = typeof list.start === "number" ? list.start : 1;
  return list.items.flatMap((item, at) => {
    const box = item.task ? (item.checked === true ? "☑ " : "☐ ") : "";
    const mark = list.ordered ? `${first + at}. ` : box === "" ? "• " : "";
    const inner = itemRuns(item.tokens, styles, depth + 1);
    const indented = inner.map(({ text, styles: own }) => ({
      text: own.some(({ kind }) => kind === "block") ? text : text.replaceAll("\n", "\n   "),
      styles: own,
    }));
    return [{ text: `${at === 0 ? "" : "\n"}${mark}${box}`, styles }, ...indented];
  });
}

/** What a list's item holds: its blocks are a line apart, not two. */
function itemRuns(tokens: readonly Token[], styles: readonly Style[], depth: number): Run[] {
  const runs: Run[] = [];
  for (const token of tokens) {
    // The box is drawn with the item's mark.
    if (token.type === "checkbox") continue;
    const block = depth > DEEPEST ? [{ text: token.raw, styles }] : oneBlock(token, styles, depth);
    if (runs.length > 0 && block.length > 0) runs.push({ text: "\n", styles: [] });
    runs.push(...block);
  }
  return runs;
}

function inlineRuns(tokens: readonly Token[], styles: readonly Style[], depth: number): Run[] {
  return tokens.flatMap((token) => {
    const { type, raw, text, tokens: inner } = token as Tokens.Generic;
    const within = (style: Style): Run[] =>
      depth > DEEPEST ? [{ text: raw, styles }] : inlineRuns(inner ?? [], [...styles, style], depth + 1);
    switch (type) {
      case "strong":
        return within({ kind: "bold" });
      case "em":
        return within({ kind: "italic" });
      case "del":
        return within({ kind: "strike" });
      case "codespan":
        return [{ text: String(text), styles: [...styles, { kind: "code" as const }] }];
      case "br":
        return [{ text: "\n", styles }];
      case "checkbox":
        return [];
      case "link": {
        const { href } = token as Tokens.Link;
        return OPENABLE.test(href)
          ? within({ kind: "link", url: href })
          : inlineRuns(inner ?? [], styles, depth + 1);
      }
      case "image": {
        const { href } = token as Tokens.Image;
        const words = String(text) === "" ? "picture" : String(text);
        const style = OPENABLE.test(href) ? [{ kind: "link" as const, url: href }] : [];
        return [{ text: words, styles: [...styles, ...style] }];
      }
      case "text":
        return inner === undefined || depth > DEEPEST
          ? [{ text: String(text), styles }]
          : inlineRuns(inner, styles, depth + 1);
      default:
        return [{ text: String(text ?? raw), styles }];
    }
  });
}

const WIDEST_CELL = 40;
const CHARACTERS = new Intl.Segmenter(undefined, { granularity: "grapheme" });

function charactersOf(text: string): readonly string[] {
  return [...CHARACTERS.segment(text)].map(({ segment }) => segment);
}

function tableText({ header, rows }: Tokens.Table): string {
  const cut = ({ text }: Tokens.TableCell): string => {
    const characters = charactersOf(text.replaceAll("\n", " "));
    return characters.length > WIDEST_CELL
      ? `${characters.slice(0, WIDEST_CELL - 1).join("")}…`
      : characters.join("");
  };
  const cells = [header, ...rows].map((row) => row.map(cut));
  const widths = header.map((_, column) =>
    Math.max(...cells.map((row) => charactersOf(row[column] ?? "").length)),
  );
  const lines = cells.map((row) =>
    widths
      .map(
        (width, column) => (row[column] ?? "") + " ".repeat(width - charactersOf(row[column] ?? "").length),
      )
      .join("  "),
  );
  return [lines[0], widths.map((width) => "-".repeat(width)).join("  "), ...lines.slice(1)]
    .map((line) => (line ?? "").trimEnd())
    .join("\n");
}

function trimEnds(runs: readonly Run[]): Run[] {
  const kept = runs.filter(({ text }) => text !== "");
  const last = kept.at(-1);
  if (last !== undefined) kept[kept.length - 1] = { ...last, text: last.text.trimEnd() };
  return kept.filter(({ text }) => text !== "");
}

/** Neighbours with the same styles become one. */
export function joinAlike(runs: readonly Run[]): readonly Run[] {
  const joined: Run[] = [];
  for (const run of runs) {
    const last = joined.at(-1);
    if (last !== undefined && sameStyles(last.styles, run.styles) && !isBlock(run))
      joined[joined.length - 1] = { text: last.text + run.text, styles: last.styles };
    else joined.push(run);
  }
  return joined;
}

function isBlock({ styles }: Run): boolean {
  return styles.some(({ kind }) => kind === "block");
}

export function sameStyles(one: readonly Style[], other: readonly Style[]): boolean {
  return one.length === other.length && one.every((style, at) => sameStyle(style, other[at]));
}

export function sameStyle(one: Style, other: Style | undefined): boolean {
  if (one.kind !== other?.kind) return false;
  if (one.kind === "link") return one.url === (other as typeof one).url;
  return one.kind !== "block" || one.language === (other as typeof one).language;
}
