import { highlightLine } from "./highlight-line.ts";
import type { Styles } from "./styles.ts";
import { tableLength, tableLines } from "./table-lines.ts";

/** One line of text with styles in it; where it is broken, what follows begins with `hang`. */
export interface StyledLine {
  readonly text: string;
  readonly hang: string;
}

/**
 * Markdown as lines for a terminal: headings, lists, quotes, rules, code, bold, tables that fit into `width`. Links show
 * where they lead.
 * Anything else stays as it was written. `source` must have been made visible; nothing in it becomes an
 * escape sequence.
 */
export function markdownLines(source: string, styles: Styles, width = Infinity): readonly StyledLine[] {
  const lines: StyledLine[] = [];
  const written = source.split("\n");
  let fence: string | undefined;
  let language = "";
  for (let at = 0; at < written.length; at += 1) {
    const line = written[at] ?? "";
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) === true && line.trim() === mark) fence = undefined;
      else lines.push({ text: `  ${highlightLine(line, language, styles)}`, hang: "    " });
      continue;
    }
    const rows = mark === undefined ? tableLength(written, at) : 0;
    const table =
      rows === 0
        ? undefined
        : tableLines(written.slice(at, at + rows), styles, (text) => inline(text, styles), width);
    if (table !== undefined) {
      lines.push(...table.map((text) => ({ text, hang: "  " })));
      at += rows - 1;
    } else if (mark === undefined) lines.push(proseLine(line, styles));
    else {
      fence = mark;
      language = line.trim().slice(mark.length).trim();
      if (language !== "") lines.push({ text: `  ${styles.soft(language)}`, hang: "" });
    }
  }
  return lines;
}

function proseLine(line: string, styles: Styles): StyledLine {
  const [, heading] = /^ {0,3}#{1,6}\s+(.*?)\s*#*$/.exec(line) ?? [];
  if (heading !== undefined) return { text: styles.heading(heading), hang: "" };
  if (/^ {0,3}([-*_])(?:\s*\1){2,}\s*$/.test(line)) return { text: styles.soft("───"), hang: "" };
  const [, indent = "", bullet, item = ""] = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/.exec(line) ?? [];
  if (bullet !== undefined) {
    const mark = /\d/.test(bullet) ? bullet : "•";
    return {
      text: `${indent}${mark} ${inline(item, styles)}`,
      hang: " ".repeat(indent.length + mark.length + 1),
    };
  }
  const [, quote] = /^ {0,3}>\s?(.*)$/.exec(line) ?? [];
  if (quote !== undefined) return { text: `${styles.soft("│")} ${inline(quote, styles)}`, hang: "  " };
  return { text: inline(line, styles), hang: "" };
}

const INLINE =
  /(?<!`)(?<ticks>`+)(?!`)(?<code>[^\n]+?)(?<!`)\k<ticks>(?!`)|\*\*(?<bold>[^*\n]+)\*\*|__(?<strong>[^_\n]+)__|!?\[(?<label>[^[\]\n]*)\]\((?<url>[^)\s]+)\)/g;

function inline(text: string, styles: Styles): string {
  return text.replace(INLINE, (...match) => {
    const { code, bold, strong, label, url } = match.at(-1) as Record<string, string | undefined>;
    if (code !== undefined) return styles.code(/^ .*[^ ].* $/.test(code) ? code.slice(1, -1) : code);
    const marked = bold ?? strong;
    if (marked !== undefined) return styles.strong(marked);
    return label === "" || label === url ? (url ?? "") : `${label} (${url})`;
  });
}
