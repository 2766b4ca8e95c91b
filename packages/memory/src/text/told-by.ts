import type { ForeignPart } from "../document.ts";

/** At the end of a line that Deputy wrote down from somebody else's text: who that was. */
const MARK = /^.*<!-- told by: (.*?) -->[^\S\n]*$/gm;

/** A line for a note, without anything that could be taken for a mark, and with one if it is from others. */
export function markLine(text: string, toldBy: readonly string[]): string {
  const line = withoutMarks(text);
  return toldBy.length === 0 ? line : `${line} <!-- told by: ${toldBy.map(withoutMarks).join("; ")} -->`;
}

/** The lines of a note that are from others. */
export function markedParts(text: string): readonly ForeignPart[] {
  return [...text.matchAll(MARK)].map((match) => ({
    from: match.index,
    to: match.index + match[0].length,
    source: match[1] ?? "",
  }));
}

function withoutMarks(text: string): string {
  let left = text;
  for (let before = ""; before !== left;) {
    before = left;
    left = left.replaceAll(/<!--|-->/g, " ");
  }
  return left.replaceAll(/\s+/g, " ").trim();
}
