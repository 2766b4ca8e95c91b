import { actionWords } from "../inference/name-effect.ts";
import { verbOf } from "../inference/verbs.ts";
import { remembered } from "../remembered.ts";
import type { ArgumentPlace } from "./kinds/kind.ts";
import deedWords from "./words/deed-words.json" with { type: "json" };
import { wordsOfName } from "./words-of-name.ts";

/** Verbs for deleting, whatever the tool itself calls it. */
export const DESTROYING: readonly string[] = deedWords.destroying;
const GIVING: ReadonlySet<string> = new Set([...deedWords.admitting, ...deedWords.booking]);
/** In the name of an argument: `new_item_ids`, `replacement`. */
const NEW_THINGS: ReadonlySet<string> = new Set("new add added additional extra replacement".split(" "));

/**
 * True of an argument that says what is sent, added or put in the place of something. Who asks for a thing to be
 * destroyed does not ask for that.
 */
export function isGiving({ toolPath, name }: Pick<ArgumentPlace, "toolPath" | "name">): boolean {
  const way = wayOf(toolPath);
  return way === "gives" || (way === "changes" && wordsOfName(name).some((word) => NEW_THINGS.has(word)));
}

const wayOf = remembered((toolPath: string): "destroys" | "gives" | "changes" => {
  const [first = "", ...rest] = actionWords(toolPath);
  // `update_order` orders nothing.
  const verbs = [first, ...rest.filter((word) => verbOf(word)?.isAlsoNoun === false)];
  if (verbs.some((verb) => DESTROYING.includes(verb) || verbOf(verb)?.kind === "destructive"))
    return "destroys";
  return verbs.some((verb) => GIVING.has(verb) || verbOf(verb)?.kind === "egress") ? "gives" : "changes";
});
