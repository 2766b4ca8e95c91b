import { makeVisible } from "@deputy/kit";

const MAX_LINE_CHARS = 100;
/** How much of a long line stands before the place. */
const LEAD_CHARS = 60;

export interface ExcerptPlace {
  /** 1-based. */
  readonly line: number;
  readonly column: number;
  readonly chars: number;
}

/** The line of code a place is in, with the place marked below; what one cannot see is made visible. */
export function sourceExcerpt(code: string, place: ExcerptPlace): string {
  const text = (code.split("\n")[place.line - 1] ?? "").replace(/\r$/, "").replaceAll("\t", " ");
  const at = Math.min(place.column - 1, text.length);
  const start = text.length <= MAX_LINE_CHARS ? 0 : Math.max(0, at - LEAD_CHARS);
  const end = Math.min(text.length, start + MAX_LINE_CHARS);
  const before = `${start > 0 ? "…" : ""}${makeVisible(text.slice(start, at))}`;
  const marked = makeVisible(text.slice(at, Math.min(at + place.chars, end)));
  const after = `${makeVisible(text.slice(Math.min(at + place.chars, end), end))}${end < text.length ? "…" : ""}`;
  const margin = `  ${place.line} | `;
  return [
    `${margin}${before}${marked}${after}`.trimEnd(),
    `${" ".repeat(margin.length - 2)}| ${" ".repeat(before.length)}${"^".repeat(Math.max(marked.length, 1))}`,
  ].join("\n");
}
