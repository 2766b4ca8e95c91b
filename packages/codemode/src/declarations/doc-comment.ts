import { makeVisible } from "@deputy/kit";

/** Longer descriptions are cut: a comment is read by the model with every declaration. */
const MAX_DOC_CHARS = 2_000;

/** A JSDoc comment that ends nowhere but at its end, or undefined when there is nothing to say. */
export function docComment(description: unknown): string | undefined {
  if (typeof description !== "string") return undefined;
  const text = description.trim();
  const cut = text.length > MAX_DOC_CHARS ? `${text.slice(0, MAX_DOC_CHARS)}…` : text;
  const lines = cut.split(/\r\n|\r|\n/).map((line) => escapeLine(line.trimEnd()));
  if (lines.join("") === "") return undefined;
  if (lines.length === 1) return `/** ${lines[0]} */`;
  return ["/**", ...lines.map((line) => ` * ${line}`.trimEnd()), " */"].join("\n");
}

function escapeLine(line: string): string {
  return makeVisible(line.replaceAll("\t", " ")).replaceAll("*/", "*\\/");
}
