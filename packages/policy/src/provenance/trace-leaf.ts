import type { Origin, Origins } from "../origins.ts";
import type { PolicyTool } from "../policy.ts";
import { chosenDeeds, isDelayed } from "./chosen-deeds.ts";
import type { DeclaredInput } from "./declared-input.ts";
import type { InputLeaf } from "./input-leaves.ts";
import { isGiving } from "./is-giving.ts";
import { actionWords } from "../inference/name-effect.ts";
import { type ArgumentPlace, isIdLike, isPerson, kindOfArgument, wordsForKind } from "./kinds/kind.ts";
import { isAddress, withoutExtension } from "./kinds/rows.ts";
import reachWords from "./reach-words.json" with { type: "json" };
import { isFunctionWord, isPlainWord } from "./value-forms.ts";
import {
  isLeastRight,
  isRoleName,
  namesRecipient,
  repeatingWords,
  wideningWords,
  wordsForRepeating,
  wordsForRights,
} from "./who-is-reached.ts";
import type { About } from "./words/about.ts";
import { wordsOfName } from "./words-of-name.ts";

export interface TracedLeaf {
  readonly leaf: InputLeaf;
  readonly origin: Origin;
}

/** What a value is given to. */
export interface CallOfLeaf {
  readonly tool: PolicyTool;
  readonly declared: DeclaredInput;
  readonly all: readonly InputLeaf[];
  readonly placeOf: (leaf: InputLeaf) => ArgumentPlace;
}

/**
 * Yes and no are in no text: the user speaks of them by the argument's name, all of it in one clause, which for a no
 * is refused.
 */
export function traceLeaf(leaf: InputLeaf, call: CallOfLeaf, origins: Origins): Origin {
  const { declared } = call;
  const place = call.placeOf(leaf);
  const { value, name } = leaf;
  const wide = wideningWords(leaf, declared);
  // Who shares a file with somebody does not ask for it to be shared with all: `shared: true` is said by its name.
  const deeds = typeof value === "boolean" && wide !== undefined ? [] : chosenDeeds(leaf, place.toolPath);
  if (deeds.length > 0) return traceDeed(leaf, deeds, call, origins);
  if (typeof value !== "boolean") {
    // Who is given a thing may look at it.
    if (isLeastRight(leaf) && isGiving(place)) return { kind: "user" };
    const repeating = typeof value === "string" ? wordsForRepeating(value) : [];
    const isOffered =
      typeof value === "string" &&
      isPlainWord(value) &&
      !isFunctionWord(value.toLowerCase()) &&
      declared.isOffered(value);
    if (wide === undefined && repeating.length === 0 && !isOffered) return origins.trace(value, place);
    // What is to be done to something else is not said of this.
    const about = stateOf(aboutOf(leaf, call, origins));
    const isWanted = (words: readonly string[]): boolean =>
      origins.says(words, words.length === 1 && wide !== undefined ? "granted" : "wanted", place, about);
    const [only, ...more] = wide ?? [];
    const verb = wide === undefined ? undefined : makingVerb(leaf, call);
    // "Create a file, and share it with Ann for editing": in what is made, that right would be nobody's.
    // "Make Ann its editor" makes nothing.
    const isRight = (words: readonly string[]): boolean =>
      isWanted(words) &&
      (verb === undefined || (verb !== "make" && origins.says([...words, verb], "wanted", place, about)));
    const isGiven =
      repeating.some(isWanted) ||
      (isOffered && isWanted([value.toLowerCase()])) ||
      (wide !== undefined &&
        (isRight(wide) ||
          (only !== undefined &&
            more.length === 0 &&
            !isRightElsewhere(leaf, only, call) &&
            wordsForRights(only).some((word) => isRight([word])))));
    if (isGiven) return { kind: "user" };
    const own = origins.trace(value, place);
    return own.kind === "user" ? { kind: "invented" } : own;
  }
  const words = wordsOfName(name);
  const about = wide === undefined ? undefined : stateOf(aboutOf(leaf, call, origins));
  // "Delete it, but keep its backups": `keep_backups`.
  const isKept = value && KEEPING.has(words[0] ?? "");
  if (origins.says(words, value && !isKept ? "wanted" : "refused", place, about)) return { kind: "user" };
  // "Set up a recurring payment?" speaks of it; what it is for is explained by its other values.
  const repeating = value ? repeatingWords(name) : [];
  const isMentioned = (word: string): boolean =>
    origins.trace(word, { ...place, use: "content" }).kind === "user";
  const isSpokenOf = repeating.length > 0 && repeating.every(isMentioned);
  return { kind: isSpokenOf && !origins.says(repeating, "forbidden", place) ? "user" : "invented" };
}

/** The verb of a call that makes something, gives a right in it, and names nobody who would have that. */
function makingVerb({ name }: InputLeaf, { tool, all, placeOf }: CallOfLeaf): string | undefined {
  const [verb = ""] = actionWords(tool.path);
  if (!MAKING.has(verb) || !isRoleName(name)) return undefined;
  const isSomebody = (leaf: InputLeaf): boolean =>
    namesRecipient(leaf) ||
    isAddress(String(leaf.value)) ||
    kindOfArgument(placeOf(leaf)).heads.some(isPerson);
  return all.some(isSomebody) ? undefined : verb;
}

const MAKING: ReadonlySet<string> = new Set(reachWords.making);

/** True if the call gives the same right by another word: who is made an admin is not made a manager besides. */
function isRightElsewhere(leaf: InputLeaf, right: string, { all }: CallOfLeaf): boolean {
  const same = wordsForRights(right);
  return all.some((one) => one !== leaf && same.includes(String(one.value).toLowerCase()));
}

const KEEPING: ReadonlySet<string> = new Set("keep preserve retain skip exclude".split(" "));

/** A deed is asked for with what the call is about: that something else is to be cancelled does not ask for this to be. */
function traceDeed(
  leaf: InputLeaf,
  deeds: readonly (readonly string[])[],
  call: CallOfLeaf,
  origins: Origins,
): Origin {
  const { value, name } = leaf;
  const place = call.placeOf(leaf);
  const about = aboutOf(leaf, call, origins);
  const isWanted = (words: readonly string[]): boolean => origins.says(words, "wanted", place, about);
  const isAsked = deeds.some(isWanted);
  if (typeof value === "boolean")
    return { kind: isAsked || (value && isWanted(wordsOfName(name))) ? "user" : "invented" };
  const own = origins.trace(value, place);
  // When it is to happen is not said by that it is.
  if (isAsked && (!isDelayed(leaf) || own.kind === "user")) return { kind: "user" };
  const isChosen = own.kind === "user" && !isDelayed(leaf) && isWanted(wordsOfName(String(value)));
  return isExplained(own) && !isChosen ? { kind: "invented" } : own;
}

function stateOf(about: About | undefined): About | undefined {
  return about === undefined ? undefined : { ...about, isState: true };
}

/** Undefined of a call that has nothing but its deeds, and rights. */
function aboutOf(
  asked: InputLeaf,
  { tool, all, placeOf, declared }: CallOfLeaf,
  origins: Origins,
): About | undefined {
  const things = all.filter(
    (leaf) =>
      leaf !== asked &&
      typeof leaf.value !== "boolean" &&
      (tool.critical === "all" || tool.critical.includes(leaf.argument) || isIdLike(leaf.value, leaf.name)) &&
      chosenDeeds(leaf, tool.path).length === 0 &&
      wideningWords(leaf, declared) === undefined,
  );
  if (things.length === 0) return undefined;
  const names = things.flatMap((leaf) => {
    const origin = origins.trace(leaf.value, placeOf(leaf));
    const clue = "clue" in origin ? origin.clue : undefined;
    return clue === undefined ? [String(leaf.value)] : [String(leaf.value), clue, withoutExtension(clue)];
  });
  return { names, kinds: things.flatMap((leaf) => wordsForKind(kindOfArgument(placeOf(leaf)))) };
}

/** True unless nobody vouches for a value. */
export function isExplained({ kind }: Origin): boolean {
  return kind !== "untrusted" && kind !== "invented";
}
