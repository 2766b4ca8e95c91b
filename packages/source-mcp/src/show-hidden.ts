import { makeVisible } from "@deputy/kit";

/** A server's text with nothing in it that a terminal, an editor or a rendered page would leave out. */
export function showHidden(text: string): string {
  return makeVisible(text).replaceAll("<!--", "\\u{3c}!--");
}

/** Keywords of a schema that are text for its reader. */
const PROSE: ReadonlySet<string> = new Set(["description", "title", "$comment"]);

/**
 * The same schema, with hidden characters shown in its descriptions; values that a call must match stay unchanged.
 */
export function showHiddenIn(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(showHiddenIn);
  if (typeof schema !== "object" || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      PROSE.has(key) && typeof value === "string" ? showHidden(value) : showHiddenIn(value),
    ]),
  );
}
