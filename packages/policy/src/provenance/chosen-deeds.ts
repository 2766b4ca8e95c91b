import { remembered } from "../remembered.ts";
import type { InputLeaf } from "./input-leaves.ts";
import reachWords from "./reach-words.json" with { type: "json" };
import { wordsOfName } from "./words-of-name.ts";
import deedWords from "./words/deed-words.json" with { type: "json" };

const CHOOSING: ReadonlySet<string> = new Set(reachWords.choosing);
const ACTING: readonly string[] = [...deedWords.destroying, ...reachWords.acting];
const IRREGULAR: Readonly<Record<string, string>> = { sent: "send", paid: "pay" };
const MOST_WORDS = 3;

/**
 * The verbs with which the user would ask for a deed that a value chooses: `action: "delete"`, `status: "cancelled"`,
 * `method: "DELETE"`. Empty of other values: `status: "open"`.
 */
export function chosenDeeds({ name, value }: InputLeaf): readonly string[] {
  if (typeof value !== "string" || !wordsOfName(name).some((word) => CHOOSING.has(word))) return [];
  const words = value
    .trim()
    .toLowerCase()
    .split(/[^\p{L}]+/u);
  if (words.length > MOST_WORDS) return [];
  return words.flatMap((word) => verbOf(word) ?? []);
}

/** "cancelled" is of "cancel". */
const verbOf = remembered(
  (word: string): string | undefined =>
    IRREGULAR[word] ?? ACTING.find((verb) => word === verb || formsOf(verb).includes(word)),
);

function formsOf(verb: string): readonly string[] {
  return [
    `${verb}d`,
    `${verb}ed`,
    `${verb}${verb.at(-1) ?? ""}ed`,
    verb.replace(/y$/, "ied"),
    `${verb}ing`,
    `${verb.replace(/e$/, "")}ing`,
    `${verb}s`,
  ];
}
