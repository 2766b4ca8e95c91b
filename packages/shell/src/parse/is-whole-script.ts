import { parse } from "unbash";

/** False if more lines must come before it can be run: a quote, a here-document or a loop is still open. */
export function isWholeScript(text: string): boolean {
  if (/(?:^|[^\\])(?:\\\\)*\\\n?$/.test(text) || waitsForHereDocument(text)) return false;
  const end = text.trimEnd().length;
  const errors = parse(text).errors ?? [];
  return !errors.some(({ message, pos }) => pos >= end || message.startsWith("unterminated"));
}

/** The parser takes the end of the text for the end of a here-document. */
function waitsForHereDocument(text: string): boolean {
  const lines = text.split("\n");
  return lines.some((line, at) =>
    [...line.matchAll(/(?<![<(\d])<<(-?)\s*(["']?)([A-Za-z_]\w*)\2/g)].some(([, tabs, , delimiter]) => {
      const isEnd = (each: string): boolean => (tabs === "-" ? each.replace(/^\t+/, "") : each) === delimiter;
      return !lines.slice(at + 1).some(isEnd);
    }),
  );
}
