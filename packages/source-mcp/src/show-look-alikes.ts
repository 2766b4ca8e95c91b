import { findLookAlikes, spellOut } from "@deputy/kit";
import type { McpDefinition } from "./definition.ts";
import { showHidden } from "./show-hidden.ts";

const MOST_WORDS = 10;
/** More than a name can have. */
const ALL = 1_000;

/** A tool's name with nothing hidden in it, and with letters that look like others spelt out. */
export function showName(name: string): string {
  const plain = findLookAlikes(name, ALL).reduce((text, word) => text.replaceAll(word, spellOut(word)), name);
  return showHidden(plain);
}

/** Words that could be taken for others in what a server calls and says of a tool, each with how it is spelt. */
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
