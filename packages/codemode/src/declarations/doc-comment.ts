import { makeVisible } from "@deputy/kit";

/** Longer descriptions are cut, because the model reads a comment with every declaration. */
const MAX_DOC_CHARS = 2_000;
/** One line of text that can stand in a comment as it is. */
const PLAIN = /^[ -)+-~]*$/;

/**
 * A JSDoc comment that cannot end early; undefined if there is nothing to say. Its lines are joined by
 * `newLine`, a line break with the indentation of its place.
 */
export function docComment(description: unknown, newLine: string): string | undefined {
  if (typeof description !== "string") return undefined;
  const text = description.trim();
  if (text === "") return undefined;
  const cut = text.length > MAX_DOC_CHARS ? `${text.slice(0, MAX_DOC_CHARS)}…` : text;
  if (PLAIN.test(cut)) return `/** ${cut} */`;
  const lines = cut.split(/\r\n|\r|\n/).map((line) => escapeLine(line.trimEnd()));
  if (lines.length === 1) return `/** ${lines[0]} */`;
  return ["/**", ...lines.map((line) => (line === "" ? " *" : ` * ${line}`)), " */"].join(newLine);
}

function escapeLine(line: string): string {
  if (PLAIN.test(line)) return line;
  return makeVisible(line.replaceAll("\t", " ")).replaceAll("*/", "*\\/");
}
