import { makeVisible, findLookAlikes, spellOut } from "@deputy/kit";
import type { McpDefinition } from "./definition.ts";

/** A server's text with everything visible that a terminal, an editor or a rendered page would hide. */
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

const MOST_WORDS = 10;
/** Longer than any name. */
const ALL = 1_000;

/** A tool's name with nothing hidden in it, and with letters that look like others spelt out. */
export function showName(name: string): string {
  const plain = findLookAlikes(name, ALL).reduce((text, word) => text.replaceAll(word, spellOut(word)), name);
  return showHidden(plain);
}

/** Words in a tool's name and description that could be mistaken for others, each spelled out. */
export function lookAlikesIn({
  name,
  title = "",
  description = "",
  annotations,
}: McpDefinition): readonly string[] {
  const other = annotations?.["title"];
  const texts = [name, title, typeof other === "string" ? other : "", description];
  return findLookAlikes(texts.join("\n"), MOST_WORDS).map(
    (word) => `“${showHidden(word)}” has letters that look like others: ${spellOut(word)}`,
  );
}
