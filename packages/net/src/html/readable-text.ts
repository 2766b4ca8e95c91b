import { cutText, throwIfAborted } from "@deputy/kit";
import { BLOCKS, createElementStack } from "./element-stack.ts";
import { isUnseen } from "./is-unseen.ts";
import { createTextWriter, type TextWriter } from "./text-writer.ts";
import { type HtmlToken, tokenizeHtml } from "./tokenize-html.ts";

export interface ReadableOptions {
  /** The address of the page, to which its links are relative. */
  readonly base: URL;
  /** `markdown` keeps link targets, and marks headings, code and tables. */
  readonly format: "text" | "markdown";
  readonly maxChars: number;
}

export interface ReadableText {
  /** Empty if there is none. */
  readonly title: string;
  readonly text: string;
  readonly truncated: boolean;
}

interface Element {
  readonly isUnseen: boolean;
  /** Called when it is closed. */
  readonly onClose?: () => void;
}

type Opening = HtmlToken & { kind: "open" };

const VOID: ReadonlySet<string> = new Set(
  "area base br col embed hr img input link meta param source track wbr".split(" "),
);
const HEADING = /^h([1-6])$/;
const MAX_TITLE_CHARS = 300;
const MAX_LINK_CHARS = 2_000;
/** Deeper levels look like this one, because a line must not begin with thousands of spaces. */
const MAX_INDENTS = 8;
/** Takes a few milliseconds. */
const TOKENS_AT_ONCE = 5_000;

/**
 * The text of a page that a person sees. Takes linear time, lets other work run meanwhile, and fails only with the
 * signal's reason, whatever the input is.
 */
export async function readableText(
  html: string,
  options: ReadableOptions,
  signal: AbortSignal,
): Promise<ReadableText> {
  const writer = createTextWriter();
  const renderer = createRenderer(writer, options);
  const elements = createElementStack<Element>((_, element) => element.onClose?.());
  let title = "";
  let tokens = 0;
  for (const token of tokenizeHtml(html)) {
    tokens += 1;
    if (tokens % TOKENS_AT_ONCE === 0) {
      await new Promise((resolve) => setTimeout(resolve));
      throwIfAborted(signal);
    }
    if (writer.length > options.maxChars) break;
    const isHidden = elements.top?.isUnseen === true;
    if (token.kind === "close") elements.close(token.name);
    else if (token.kind === "text") {
      if (!elements.has("title")) {
        if (!isHidden) renderer.text(token.text);
      } else if (title === "" && !elements.has("svg"))
        title = token.text.trim().replaceAll(/\s+/g, " ").slice(0, MAX_TITLE_CHARS);
    } else if (VOID.has(token.name)) {
      if (!isHidden && !isUnseen(token.name, token.attributes)) renderer.single(token);
    } else if (!(token.isSelfClosing && /^(?:svg|math)$/.test(token.name))) {
      // Links cannot be nested.
      if (token.name === "a") elements.close("a");
      // The elements that it ends are closed first, because it is not inside them.
      elements.open(token.name, () => {
        const unseen = elements.top?.isUnseen === true || isUnseen(token.name, token.attributes);
        return unseen ? { isUnseen: true } : { isUnseen: false, onClose: renderer.open(token) };
      });
    }
  }
  elements.closeAll();
  const text = writer.text();
  const truncated = text.length > options.maxChars;
  return { title, text: truncated ? cutText(text, options.maxChars) : text, truncated };
}

/** These characters would end the link. */
function withoutBrackets(href: string): string {
  return href.replaceAll("(", "%28").replaceAll(")", "%29");
}

interface Renderer {
  text(text: string): void;
  /** An element without content. */
  single(token: Opening): void;
  /** Returns what to do at its end. */
  open(token: Opening): () => void;
}

function createRenderer(writer: TextWriter, { base, format }: ReadableOptions): Renderer {
  const isMarkdown = format === "markdown";
  const indents: string[] = [];
  /** The open lists: the number of the last item, or undefined for a list without numbers. */
  const lists: (number | undefined)[] = [];
  const rows: { cells: number; isFirst: boolean }[] = [];
  let cells = 0;
  let preformatted = 0;
  let isFirstLine = false;
  let links = base;

  const indentation = (): string => indents.slice(0, MAX_INDENTS).join("");
  const indented = (own: string, first: string | undefined): (() => void) => {
    const outer = indentation();
    indents.push(own);
    writer.indent(indentation(), first === undefined ? undefined : outer + first);
    return () => {
      indents.pop();
      writer.indent(indentation());
    };
  };
  const block = (lines: 1 | 2, onClose: () => void = () => undefined): (() => void) => {
    writer.breakLine(lines);
    return () => {
      onClose();
      writer.breakLine(lines);
    };
  };
  const marked = (before: string, after: string): (() => void) => {
    if (!isMarkdown || preformatted > 0) return () => undefined;
    writer.openMark(before);
    return () => writer.closeMark(after);
  };

  const item = (): (() => void) => {
    const last = lists.at(-1);
    if (last !== undefined) lists[lists.length - 1] = last + 1;
    writer.breakLine(1);
    const outdent = indented("  ", last === undefined ? "- " : `${last + 1}. `);
    return () => {
      outdent();
      writer.breakLine(1);
    };
  };
  const list = (first: number | undefined): (() => void) => {
    lists.push(first);
    return block(lists.length > 1 ? 1 : 2, () => void lists.pop());
  };
  const row = (): (() => void) => {
    const table = rows.at(-1);
    const isFirst = table?.isFirst === true;
    if (table !== undefined) Object.assign(table, { cells: 0, isFirst: false });
    writer.breakLine(1);
    return () => {
      const count = table?.cells ?? 0;
      if (count === 0 || cells > 0) return;
      delimit();
      writer.breakLine(1);
      if (!isFirst || !isMarkdown) return;
      writer.verbatim(`|${" --- |".repeat(Math.min(count, 100))}`);
      writer.breakLine(1);
    };
  };
  const delimit = (): void => {
    writer.words(" ");
    writer.verbatim("|");
    writer.words(" ");
  };
  const cell = (): (() => void) => {
    const table = rows.at(-1);
    if (table === undefined) return block(1);
    delimit();
    table.cells += 1;
    cells += 1;
    writer.setInline(true);
    return () => {
      cells -= 1;
      writer.setInline(cells > 0);
    };
  };
  const table = (): (() => void) => {
    rows.push({ cells: 0, isFirst: true });
    return block(2, () => void rows.pop());
  };
  const pre = (): (() => void) => {
    writer.breakLine(2);
    const unmark = marked("```\n", "\n```");
    preformatted += 1;
    isFirstLine = true;
    return () => {
      preformatted -= 1;
      unmark();
      writer.breakLine(2);
    };
  };
  const link = (href: string | undefined): (() => void) => {
    const url = href === undefined || href.length > MAX_LINK_CHARS ? null : URL.parse(href.trim(), links);
    const leads = url !== null && /^(?:https?|mailto|tel):$/.test(url.protocol) && !href?.startsWith("#");
    return leads ? marked("[", `](${withoutBrackets(url.href)})`) : () => undefined;
  };

  return {
    text(text) {
      if (preformatted > 0) {
        const lines = text.replaceAll("\r", "");
        writer.verbatim(isFirstLine ? lines.replace(/^\n/, "") : lines);
        isFirstLine = false;
      } else writer.words(cells > 0 && isMarkdown ? text.replaceAll("|", "\\|") : text);
    },
    single({ name, attributes }) {
      if (name === "base") links = URL.parse(attributes.get("href") ?? "", base) ?? links;
      else if (name === "br") writer.breakLine(1);
      else if (name === "hr") {
        writer.breakLine(2);
        if (isMarkdown) writer.verbatim("---");
        writer.breakLine(2);
      } else if (name === "img") {
        const alt = attributes.get("alt")?.trim() ?? "";
        if (alt !== "") writer.words(`(image: ${alt})`);
      }
    },
    open({ name, attributes }) {
      const level = HEADING.exec(name)?.[1];
      if (level !== undefined) return block(2, marked(`${"#".repeat(Number(level))} `, ""));
      switch (name) {
        case "a":
          return link(attributes.get("href"));
        case "code":
        case "kbd":
        case "samp":
        case "tt":
          return marked("`", "`");
        case "pre":
          return pre();
        case "blockquote": {
          writer.breakLine(2);
          const outdent = indented("> ", undefined);
          return () => {
            outdent();
            writer.breakLine(2);
          };
        }
        case "ul":
        case "menu":
          return list(undefined);
        case "ol":
          return list(Number.parseInt(attributes.get("start") ?? "1", 10) - 1 || 0);
        case "li":
          return item();
        case "table":
          return table();
        case "tr":
          return row();
        case "td":
        case "th":
          return cell();
        case "p":
          return block(2);
        default:
          return BLOCKS.has(name) ? block(1) : () => undefined;
      }
    },
  };
}
