import reachWords from "./reach-words.json" with { type: "json" };
import { wordsOfName } from "./words-of-name.ts";

export const CONTENT: ReadonlySet<string> = new Set(reachWords.content);

/** True of an argument that takes a text, or what something is called. */
export function isContentName(name: string): boolean {
  return wordsOfName(name).some((word) => CONTENT.has(word));
}

const OWN_NAMES: ReadonlySet<string> = new Set("name label labels filename folder file".split(" "));

/** True of an argument that takes what something is called, and no text. */
export function isOwnName(name: string): boolean {
  return wordsOfName(name).some((word) => OWN_NAMES.has(word));
}
