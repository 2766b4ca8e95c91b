import { verbOf } from "../../inference/verbs.ts";
import { singularOf } from "../kinds/kind.ts";
import { isFunctionWord, plainForm } from "../value-forms.ts";
import { idsIn, numberedIn } from "./said-kinds.ts";

/** What a call is about: what its things are named, and what such things are called. */
export interface About {
  readonly names: readonly string[];
  readonly kinds: readonly string[];
  /** True if what is asked is a noun or an adverb ("make him an admin", "pay it monthly"); else it is a verb. */
  readonly isState?: boolean;
}

/** What says nothing about which thing is meant. */
const FILLERS: ReadonlySet<string> = new Set(
  (
    "it its them those that this these one ones both there and or then also so please kindly now just yes ok okay " +
    "can could would will you i want like to be is for me again too after afterwards finally first next right away " +
    "immediately today tomorrow at once"
  ).split(" "),
);
/** Behind these stands a noun: "the close date" closes nothing. */
const BEFORE_NOUNS =
  /(?:^| )(?:the|a|an|my|our|its|his|her|their|your|this|that|each|every|any|no|of|with|by)$/;
/** Ids that are more than a number are names. */
const NUMBER = /^#?\p{N}+$/u;

/**
 * True if a clause that has these words speaks of what a call is about, or of nothing in particular ("close it").
 * `asked`: the words of the deed, which must not be a noun there. Takes time linear in the clause.
 */
export function isAbout(
  clause: string,
  asked: readonly string[],
  { names, kinds, isState = false }: About,
): boolean {
  const text = ` ${spaced(clause)} `;
  const words = text.trim().split(" ");
  const [only, ...more] = asked;
  if (!isState && only !== undefined && more.length === 0 && !isVerbIn(text, only)) return false;
  const rest = words.filter((word) => !asked.includes(word) && !FILLERS.has(word));
  if (rest.length === 0) return true;
  const isNamed = (name: string): boolean =>
    NUMBER.test(name) ? idsIn(clause)(name, [...kinds, ...asked]) : text.includes(` ${spaced(name)} `);
  if (names.some((name) => spaced(name) !== "" && isNamed(name))) return true;
  const numbered = numberedIn(clause);
  // "Give him admin rights", but not "make user 9 an admin".
  if (isState && !/[@\p{N}]/u.test(clause)) return true;
  return rest.map(singularOf).some((word) => kinds.includes(word) && !numbered.has(word));
}

/** "Lock it" and "then lock it", but not "the lock", nor "archive lock 7" and "access to lock 7". */
function isVerbIn(text: string, word: string): boolean {
  const parts = text.split(` ${word} `);
  if (parts.length === 1) return true;
  const isAlsoNoun = verbOf(word)?.isAlsoNoun === true;
  return parts.slice(0, -1).some((before, at) => {
    if (BEFORE_NOUNS.test(before)) return false;
    const last = before.split(" ").at(-1) ?? "";
    if (!isAlsoNoun || last === "") return true;
    const isNumbered = /^#?\p{N}/u.test(parts[at + 1] ?? "");
    return FILLERS.has(last) ? last !== "to" || !isNumbered : isFunctionWord(last) && !isNumbered;
  });
}

function spaced(text: string): string {
  return plainForm(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
