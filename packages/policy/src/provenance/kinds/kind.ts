import { remembered, rememberedFor } from "../../remembered.ts";
import { splitWords } from "../../inference/split-words.ts";
import { verbOf } from "../../inference/verbs.ts";
import type { PolicyTool } from "../../policy.ts";
import { momentNeeds } from "../read-date.ts";
import kindWords from "./kind-words.json" with { type: "json" };

/**
 * What sort of thing a value stands for: a file, an event, an account. An id means something only together with
 * its kind: file 13 is not event 13.
 */
export interface Kind {
  /** Any of these names it, in the singular: what `mail.list` gives under `messages` is a message, and a mail. */
  readonly heads: readonly string[];
  /** The first part of the tool's path: ids of one service mean nothing in another. */
  readonly space: string;
  /** What the tool says of them besides: a transaction that is scheduled is not just any. */
  readonly states: readonly string[];
  /** True if only the service's name tells what it is: `drive.find` gives whatever is in the drive. */
  readonly isVague: boolean;
  /** True of an argument that may be what such a service has most of: `file_id` of `drive.share`. */
  readonly mayBeMain?: boolean;
}

/** Where in a call a value stands. */
export interface ArgumentPlace {
  /** The name nearest to it. */
  readonly name: string;
  readonly toolPath: string;
  /** What the tool's author says that it is: `drive.file`. */
  readonly declared?: string | undefined;
  /** What the tool does. Absent where nothing is done yet: then every request counts. */
  readonly effect?: PolicyTool["effect"];
  /** True if the call is given nothing else: then nothing is said of what is to change. */
  readonly isOnly?: boolean | undefined;
  /** The verbs of the deeds that the call's values choose: `decision: "deny"`. */
  readonly deeds?: readonly string[] | undefined;
  /**
   * `content`: it decides nothing about who or what is affected, and is part of a text. `look`: it is only looked at, so
   * a question about it is enough. Absent: it acts.
   */
  readonly use?: "content" | "look";
}

const ID_WORDS = new Set(kindWords.ids);
const QUANTITIES = new Set(kindWords.quantities);
const PREPOSITIONS = new Set(kindWords.prepositions);
/** Somebody, too, but no other word for a person: patient 13 is not doctor 13. */
const PERSONS = new Set(kindWords.persons);
const SYNONYMS: ReadonlyMap<string, readonly string[]> = new Map(
  kindWords.synonyms.flatMap((group) => group.map((word) => [word, group] as const)),
);

/** What such a service is known to have: who removes file 3 from a drive says "file 3". */
const SERVICES: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(kindWords.services));

/** The kind of what an argument names. */
export const kindOfArgument = rememberedFor(({ name, toolPath, declared }: ArgumentPlace): Kind => {
  if (declared !== undefined) return readDeclaredKind(declared);
  const own = headOf(nounsOf(name));
  const { noun, isVague } = nounOfTool(toolPath);
  if (own !== undefined) {
    const mayBeMain = isVague && !isPerson(own);
    return { heads: [own], space: spaceOf(toolPath), states: statesOf(name), isVague: false, mayBeMain };
  }
  const usual = isVague ? (SERVICES.get(noun) ?? []) : [];
  return { heads: [noun, ...usual], space: spaceOf(toolPath), states: statesOf(toolPath), isVague };
});

/** Where in a result a value stands. */
export interface FieldPlace {
  readonly name: string;
  readonly toolPath: string;
  /** The key under which its record stands; empty for the result itself and for elements of a list that is one. */
  readonly recordName: string;
  /** True if the record is what the call was about, not a part of that. */
  readonly isTop: boolean;
}

/** The kind of what a field of a result names: an `author_id` names an author, an `id` the record it stands in. */
export function kindOfField({ name, toolPath, recordName, isTop }: FieldPlace): Kind {
  const space = spaceOf(toolPath);
  const own = headOf(nounsOf(name));
  return own === undefined
    ? kindOfRecord({ toolPath, recordName, isTop })
    : { heads: [own], space, states: statesOf(name), isVague: false };
}

/** The kind of the record itself. */
export function kindOfRecord({ toolPath, recordName, isTop }: Omit<FieldPlace, "name">): Kind {
  const named = headOf(nounsOf(recordName));
  const { noun, isVague } = nounOfTool(toolPath);
  const heads = [...(named === undefined ? [] : [named]), ...(isTop || named === undefined ? [noun] : [])];
  const states = [...statesOf(recordName), ...statesOf(toolPath)];
  return { heads, space: spaceOf(toolPath), states, isVague: isVague && named === undefined };
}

/** `drive.file`, as the author of a tool says it. */
export function readDeclaredKind(declared: string): Kind {
  const parts = declared.toLowerCase().split(".");
  const space = parts.length > 1 ? (parts[0] ?? "") : "";
  return { heads: [singularOf(parts.at(-1) ?? "")], space, states: [], isVague: false };
}

/** True if a value of the one kind may be meant where the other is asked for. */
export function isSameKind(one: Kind, asked: Kind): boolean {
  return isSameService(one, asked) && one.heads.some((head) => asked.heads.includes(head));
}

/** True if nothing speaks against it, but one of the two does not say what it is. */
export function isPerhapsSameKind(one: Kind, asked: Kind): boolean {
  return isSameService(one, asked) && (asked.isVague || (one.isVague && asked.mayBeMain === true));
}

function isSameService(one: Kind, asked: Kind): boolean {
  const isSame = one.space === asked.space || one.space === "" || asked.space === "";
  return isSame && asked.states.every((state) => one.states.includes(state));
}

/** All words for things of a kind, in the singular. */
export function wordsForKind({ heads }: Pick<Kind, "heads">): readonly string[] {
  const [only = "", ...more] = heads;
  return more.length === 0 ? wordsFor(only) : heads.flatMap(wordsFor);
}

const wordsFor = remembered((head: string): readonly string[] => [head, ...(SYNONYMS.get(head) ?? [])]);

/** True of a word for things that services have: a file, a mail. */
export function isKindWord(word: string): boolean {
  return SYNONYMS.has(singularOf(word));
}

/** True of a word for somebody. */
export function isPerson(head: string): boolean {
  return PERSONS.has(head) || SYNONYMS.get(head)?.includes("person") === true;
}

/** True if a value only points to a thing, and says nothing about it: most often a number. */
export function isIdLike(value: string | number | boolean, name: string): boolean {
  if (typeof value === "boolean") return false;
  const text = String(value).trim();
  if (text === "" || /\s/.test(text)) return false;
  const words = splitWords(name);
  const isId = words.some((word) => ID_WORDS.has(word));
  if (!isId && words.some((word) => QUANTITIES.has(singularOf(word)))) return false;
  if (typeof value === "number") return Number.isInteger(value) && value >= 0;
  if (/^#?\d{1,15}$/.test(text)) return true;
  if (isId) return !/^\p{L}{3,}$/u.test(text) && momentNeeds(text.toLowerCase()).length === 0;
  return text.length <= 3 && /\d/.test(text);
}

/** True if a field holds what tells its record from others, but says nothing about it. */
export function isIdName(name: string): boolean {
  return splitWords(name).some((word) => ID_WORDS.has(word));
}

/** True of an argument or field that says how much or how many. */
export function isQuantityName(name: string): boolean {
  const words = splitWords(name);
  return !words.some((word) => ID_WORDS.has(word)) && words.some((word) => QUANTITIES.has(singularOf(word)));
}

/** True of a name that says that something is an id, and not of what. */
export function saysOnlyId(name: string): boolean {
  return isIdName(name) && nounsOf(name).length === 0;
}

/**
 * True of a value that only one thing can mean, wherever it is said. A long number is one of an account, but where
 * an id is asked for it may as well be a telephone's.
 */
export function isDistinctive(value: string | number, name: string): boolean {
  const text = String(value).trim();
  if (/^#?\d+$/.test(text)) return text.replace("#", "").length >= 7 && !isIdName(name);
  if (text.length < 5 || /\s/.test(text)) return false;
  return /\p{L}/u.test(text) && /[\p{N}@/_.-]/u.test(text.slice(1));
}

const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ["people", "person"],
  ["children", "child"],
  ["women", "woman"],
  ["men", "man"],
]);

/** `emails`, `entries`, `boxes`: email, entry, box. */
export function singularOf(word: string): string {
  const irregular = IRREGULAR.get(word);
  if (irregular !== undefined) return irregular;
  if (!word.endsWith("s") || word.length < 4 || /(?:ss|us|is|news)$/.test(word)) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(?:sses|xes|ches|shes)$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

/** `scheduled`, `archived`. */
const statesOf = remembered((name: string): readonly string[] =>
  splitWords(name.split(".").at(-1) ?? "")
    .slice(0, -1)
    .filter((word) => /[a-z]{3}ed$/.test(word)),
);

function spaceOf(toolPath: string): string {
  return (toolPath.split(".")[0] ?? "").toLowerCase();
}

/** The words of a name that say what it is, without those that only say that it is an id. */
function nounsOf(name: string): readonly string[] {
  return splitWords(name).filter((word) => !ID_WORDS.has(word));
}

function headOf(words: readonly string[]): string | undefined {
  const end = words.findIndex((word, at) => at > 0 && PREPOSITIONS.has(word));
  // A pull request is no request.
  if (words.at(-1) === "request" && words.at(-2) === "pull") return "pull";
  const noun = (end === -1 ? words : words.slice(0, end)).findLast((word) => !/^\d+$/.test(word));
  return noun === undefined ? undefined : singularOf(noun);
}

/** What a tool is about: `search_files` and `files.search` both files; `drive.remove` the drive. */
const nounOfTool = remembered((toolPath: string): { readonly noun: string; readonly isVague: boolean } => {
  const segments = toolPath.split(".").toReversed();
  for (const [at, segment] of segments.entries()) {
    const words = splitWords(segment);
    const isLast = at === segments.length - 1;
    const [first = ""] = words;
    const isVerb = !isLast && verbOf(first) !== undefined && (words.length > 1 || at === 0);
    const head = headOf(isVerb ? words.slice(1) : words);
    if (head !== undefined && !ID_WORDS.has(head) && !PREPOSITIONS.has(head))
      return { noun: head, isVague: isLast };
  }
  return { noun: spaceOf(toolPath), isVague: true };
});
