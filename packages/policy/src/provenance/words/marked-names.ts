import type { ArgumentPlace } from "../kinds/kind.ts";
import { isPerson, kindOfArgument, singularOf, wordsForKind } from "../kinds/kind.ts";
import { isFunctionWord } from "../value-forms.ts";
import { wordsOfName } from "../words-of-name.ts";
import { verbsAlike } from "./deeds.ts";
import type { Clause } from "./clauses.ts";
import clauseWords from "./clause-words.json" with { type: "json" };
import deedWords from "./deed-words.json" with { type: "json" };

/**
 * Single words that somebody uses as a name, not as a word: "the general channel" and "post it in general", but not
 * "a general overview".
 */
export interface MarkedNames {
  /** One clause of a text. */
  add(text: string, clause: Pick<Clause, "stance" | "head">, position: "first" | "later"): void;
  /** True if the word stands beside one of these nouns: "the dentist appointment". */
  isBeside(word: string, nouns: readonly string[]): boolean;
  /** True if the word stands behind a preposition of place: "at Boots". */
  isPlaced(word: string): boolean;
  /** Whether the word was said of where something comes from, or goes; undefined of neither, and of both. */
  directionOf(word: string): Direction | undefined;
  /** True if the word is marked as a name, or as the object of what the call does. */
  has(word: string, place: ArgumentPlace | undefined, nouns: readonly string[]): boolean;
}

export type Direction = "from" | "to";

const DIRECTIONS: ReadonlyMap<string, Direction> = new Map([
  ["from", "from"],
  ["to", "to"],
  ["into", "to"],
]);
/** "From my account 3". */
const MOST_BEHIND = 3;

const TOKEN = /[#@]?[\p{L}\p{N}][\p{L}\p{N}_'’-]*|[^\s\p{L}\p{N}]/gu;
const WORD = /^[\p{L}\p{N}][\p{L}\p{N}_-]*$/u;
const BEFORE_OBJECT = new Set("to in into with for from at on as by".split(" "));
const BEFORE_PERSON = new Set("to with for".split(" "));
/** "Schedule lunch tomorrow." */
const DAYS = new Set(
  "today tomorrow tonight monday tuesday wednesday thursday friday saturday sunday".split(" "),
);
const PLACING = new Set("at in into to via through near with from by".split(" "));
const DETERMINERS = new Set("the my our your his her their".split(" "));
const SET_TO = new Set("to as it them this that".split(" "));
/** What somebody does: "Spotify sent me a note". Other words begin with a capital at the beginning, too. */
const ACTING: ReadonlySet<string> = new Set(clauseWords.acting);
const SETTING: ReadonlySet<string> = new Set(deedWords.setting);
const MOST_WORDS = 20_000;

/** Takes time linear in the text. */
export function createMarkedNames(): MarkedNames {
  const marked = new Set<string>();
  const pairs = new Set<string>();
  const placed = new Set<string>();
  const behind = { from: new Set<string>(), to: new Set<string>() };
  /** With the verb of the request whose object it is. */
  const objects = new Set<string>();
  /** Whom something goes to in a request, and whose something is: "share it with ann", "reset ann's password". */
  const people = new Set<string>();
  /** Words of requests, with the last word of the same one. */
  const ends = new Set<string>();
  return {
    add(text, { stance, head }, position) {
      if (marked.size + pairs.size + objects.size > MOST_WORDS) return;
      const tokens = text.normalize("NFC").match(TOKEN) ?? [];
      const lower = tokens.map(bare);
      const hasLower = /\p{Ll}/u.test(text);
      for (const [at, token] of tokens.entries()) {
        if (/^[#@]/.test(token)) marked.add(bare(token));
        const isName = at > 0 || position === "later" || ACTING.has(lower[1] ?? "");
        if (hasLower && isName && /^\p{Lu}/u.test(token)) marked.add(bare(token));
        const [one = "", next = ""] = [lower[at], lower[at + 1]];
        // "In acme/website" names both.
        if (next === "/" && BEFORE_OBJECT.has(lower[at - 1] ?? ""))
          for (const name of [one, lower[at + 2] ?? ""]) marked.add(name);
        if (WORD.test(one) && WORD.test(next)) pairs.add(`${one} ${next}`);
        const direction = DIRECTIONS.get(one);
        if (direction !== undefined) for (const word of nextWords(lower, at + 1)) behind[direction].add(word);
        if (PLACING.has(one)) placed.add((DETERMINERS.has(next) ? lower[at + 2] : next) ?? "");
        const named = BEFORE_NAME.has(next) ? nameFrom(lower, at + 2) : undefined;
        if (named !== undefined && WORD.test(one)) pairs.add(`${one} ${named}`);
      }
      if (stance !== "request" || head === undefined) return;
      for (const word of objectsIn(lower, head)) objects.add(`${head} ${word}`);
      for (const word of objectsIn(lower, undefined, BEFORE_PERSON)) people.add(word);
      for (const word of ownersIn(tokens)) people.add(word);
      const end = lower.findLastIndex((word) => WORD.test(word));
      const before = lower[end - 1] ?? "";
      // "… from Carla's minutes" sets nothing to minutes.
      const isOwned = /['’]s$/u.test(tokens[end - 1] ?? "");
      // "Set the priority to high", "make it public".
      if (SETTING.has(head) && !isOwned && (!isFunctionWord(before) || SET_TO.has(before)))
        for (const word of lower) ends.add(`${singularOf(word)} ${lower[end] ?? ""}`);
    },
    isBeside: (word, nouns) => nouns.some((noun) => areBeside(pairs, bare(word), noun)),
    isPlaced: (word) => placed.has(bare(word)),
    directionOf(word) {
      const [isFrom, isTo] = [behind.from.has(bare(word)), behind.to.has(bare(word))];
      if (isFrom === isTo) return undefined;
      return isFrom ? "from" : "to";
    },
    has(word, place, nouns) {
      const plain = bare(word);
      if (marked.has(plain)) return true;
      if (nouns.some((noun) => areBeside(pairs, plain, noun))) return true;
      if (people.has(plain) && nouns.some(isPerson)) return true;
      if (place === undefined) return false;
      const own = wordsOfName(place.name).map(singularOf);
      if ([...own, ...wordsForKind(kindOfArgument(place))].some((noun) => areBeside(pairs, plain, noun)))
        return true;
      if ([...verbsAlike(place.toolPath)].some((verb) => objects.has(`${verb} ${plain}`))) return true;
      return (
        own.some((noun) => ends.has(`${noun} ${plain}`)) ||
        [...SETTING].some((verb) => ends.has(`${verb} ${plain}`))
      );
    },
  };
}

/** "The code of the painter" is the painter's. */
const BEFORE_NAME = new Set(["of", "about"]);

/** A word that ends what is said there: "about tulips", and not "about general questions". */
function nameFrom(words: readonly string[], from: number): string | undefined {
  const at = DETERMINERS.has(words[from] ?? "") ? from + 1 : from;
  const [word = "", next] = [words[at], words[at + 1]];
  const isEnd = next === undefined || !WORD.test(next) || isFunctionWord(next) || DAYS.has(next);
  return isEnd && WORD.test(word) && !isFunctionWord(word) ? word : undefined;
}

function* nextWords(words: readonly string[], from: number): Generator<string> {
  for (const word of words.slice(from, from + MOST_BEHIND)) {
    if (BEFORE_OBJECT.has(word) || word === "and" || word === "," || word === ".") return;
    yield word;
  }
}

function areBeside(pairs: ReadonlySet<string>, word: string, noun: string): boolean {
  return [noun, `${noun}s`].some((one) => pairs.has(`${word} ${one}`) || pairs.has(`${one} ${word}`));
}

/** The words that the verb, or a preposition, is followed by, and that end there: "mail bob and ann", "in general". */
function* objectsIn(
  words: readonly string[],
  head: string | undefined,
  before: ReadonlySet<string> = BEFORE_OBJECT,
): Generator<string> {
  let isOpen = false;
  for (const [at, word] of words.entries()) {
    const isList = (word === "," || word === "and") && isOpen;
    if (word === head || before.has(word) || isList || (head !== undefined && isOfThing(words, at)))
      isOpen = true;
    else if (isOpen && DETERMINERS.has(word)) continue;
    else {
      const next = words[at + 1];
      const isEnd = next === undefined || !WORD.test(next) || isFunctionWord(next) || DAYS.has(next);
      if (isOpen && isEnd && WORD.test(word)) yield word;
      else isOpen = false;
    }
  }
}

/** "Ann's password"; not "the manager's". */
function* ownersIn(tokens: readonly string[]): Generator<string> {
  for (const [at, token] of tokens.entries())
    if (/\p{L}['’]s$/u.test(token) && !DETERMINERS.has(bare(tokens[at - 1] ?? ""))) yield bare(token);
}

/** "Of" behind a thing: "issue 3 of acme", and not "3 of the drafts". */
function isOfThing(words: readonly string[], at: number): boolean {
  const [noun = "", number = ""] = [words[at - 2], words[at - 1]];
  return words[at] === "of" && /^\d+$/.test(number) && /^\p{L}/u.test(noun) && !isFunctionWord(noun);
}

function bare(word: string): string {
  return word
    .normalize("NFC")
    .toLowerCase()
    .replace(/^[#@]/, "")
    .replace(/['’]s?$/, "");
}
