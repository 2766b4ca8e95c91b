import { inflectedVerbOf } from "../../inference/verbs.ts";
import { isFunctionWord } from "../value-forms.ts";
import { singularOf } from "../kinds/kind.ts";
import { type Request, requestsIn } from "./requests.ts";
import clauseWords from "./clause-words.json" with { type: "json" };
import saidWords from "./said-words.json" with { type: "json" };

/** Ids that a text gives together with what they are ids of: "file 13", "issues 3, 7 and 12", "delete 42". */
export interface SaidKinds {
  /** True if an id was said at all as one: most are not, and nothing more need be asked of them. */
  knows(id: string): boolean;
  /** `requests`: what the text asks for; without, they are read from it. */
  add(text: string, requests?: readonly Request[]): void;
  /** True if the text names the thing of this kind, in one of these words, by this id. */
  has(words: readonly string[], id: string): boolean;
  /** True if the text names any thing of this kind by its id. */
  hasAny(words: readonly string[]): boolean;
  /** True if the text names a thing by this id, and each time one of another kind: "order W13" is no account. */
  isOfOther(words: readonly string[], id: string): boolean;
  /** True if one of these verbs is asked of the id, which is marked by a sign: "comment on #13". */
  hasSign(verbs: Iterable<string>, id: string): boolean;
  /** True if one of these verbs stands directly before the id: "delete 42". */
  hasVerb(verbs: readonly string[], id: string): boolean;
}

const TOKEN = /\n|[\p{L}\p{N}#@_][\p{L}\p{N}#@_'’./–-]*|[.,;:!?&=()[\]%–-]/gu;
const ID = /^#?[\p{L}\p{N}_/.-]*\p{N}[\p{L}\p{N}_/-]*$/u;
const RANGE = /^(\d{1,9})[-–](\d{1,9})$/;
const ID_WORDS = new Set(saidWords.idWords);
const LINKS = new Set(saidWords.links);
const BETWEEN = new Set(saidWords.between);
const RANGES = new Set(saidWords.ranges);
const AFTERWARDS = new Set(saidWords.afterwards);
const COUNTS = new Set(saidWords.counts);
const OWNERS = new Set(saidWords.owners);
const PLACES = new Set(saidWords.places);
const COLLECTIVES = new Set(saidWords.collectives);
const AUXILIARIES = new Set(saidWords.auxiliaries);
const TEXTS = new Set(saidWords.texts);
const COMPOUNDS: ReadonlyMap<string, string> = new Map(
  saidWords.compounds.flatMap(([said = "", kind = ""]) => [[said, kind] as const]),
);
const KEEPING: ReadonlySet<string> = new Set(clauseWords.keeping);
const MARKS = new Set([".", "!", "?", ";", "\n"]);
/** A name with the word for what it is: "the evecorp repository". */
const LONGEST_OWNER = 3;
/** Who names more by their first and last does not name each of them. */
const LONGEST_RANGE = 100;

/** Takes time linear in the text. */
export function createSaidKinds(): SaidKinds {
  const said = new Map<string, Set<string>>();
  /** The same without what may be a verb: "order 13". */
  const things = new Map<string, Set<string>>();
  const numbered = new Set<string>();
  const signs = new Map<string, Set<string>>();
  const verbs = new Map<string, Set<string>>();
  const note = (into: Map<string, Set<string>>, id: string, word: string): void => {
    const known = into.get(id);
    if (known === undefined) into.set(id, new Set([word]));
    else known.add(word);
  };
  const isIn = (words: Iterable<string>, known: ReadonlySet<string> | undefined): boolean => {
    if (known !== undefined) for (const word of words) if (known.has(word)) return true;
    return false;
  };
  return {
    add(text, requests = requestsIn(text)) {
      for (const { noun, id, isVerb } of readKinds(tokensOf(text))) {
        note(said, id, singularOf(noun));
        if (isVerb) continue;
        note(things, id, singularOf(noun));
        numbered.add(singularOf(noun));
      }
      for (const { head, text: asked } of requests) {
        const tokens = tokensOf(asked);
        for (const id of signedIn(tokens)) note(signs, id, head);
        for (const id of idsAfter(tokens, head)) note(verbs, id, head);
      }
    },
    knows(id) {
      const plain = id.toLowerCase();
      return said.has(plain) || signs.has(plain) || verbs.has(plain);
    },
    hasAny: (words) => isIn(words, numbered),
    has: (words, id) => isIn(words, said.get(id.toLowerCase())),
    isOfOther(words, id) {
      const plain = id.toLowerCase().replace(/^#/, "");
      const known = things.get(plain);
      return known?.size === said.get(plain)?.size && known !== undefined && !isIn(words, known);
    },
    hasSign: (asked, id) => isIn(asked, signs.get(id.toLowerCase())),
    hasVerb: (asked, id) => isIn(asked, verbs.get(id.toLowerCase())),
  };
}

/** The kinds of which a text gives ids, in the singular. */
export function numberedIn(text: string): ReadonlySet<string> {
  return new Set([...readKinds(tokensOf(text))].map(({ noun }) => singularOf(noun)));
}

/** Whether a text names an id: with one of these nouns, or with none. The text is read once, when it is first asked about. */
export function idsIn(text: string): (id: string, nouns: readonly string[]) => boolean {
  let read: { readonly nouns: Map<string, Set<string>>; readonly alone: Set<string> } | undefined;
  return (id, nouns) => {
    const plain = id.toLowerCase().replace(/^#/, "");
    read ??= readIds(tokensOf(text));
    const kinds = read.nouns.get(plain);
    if (kinds === undefined) return read.alone.has(plain);
    return [...kinds].some((noun) => nouns.includes(noun) || ID_WORDS.has(noun));
  };
}

function readIds(tokens: readonly Token[]) {
  const nouns = new Map<string, Set<string>>();
  // "Leave F2 out of it" speaks of F2, whatever it is.
  for (const { noun, id, isVerb } of readKinds(tokens))
    if (!(isVerb && KEEPING.has(noun))) nouns.set(id, (nouns.get(id) ?? new Set()).add(singularOf(noun)));
  const alone = new Set<string>();
  for (const [at, { word }] of tokens.entries())
    if (!isCount(tokens, at + 1)) alone.add(word.replace(/^#/, ""));
  return { nouns, alone };
}

interface SaidId {
  readonly noun: string;
  readonly id: string;
  /** True if the noun may be the verb of a request: "archive 13", at the beginning. */
  readonly isVerb: boolean;
}

function* readKinds(tokens: readonly Token[]): Generator<SaidId> {
  /** The word that the ids of the list we are in belong to. */
  let noun: string | undefined;
  let isList = false;
  /** Between the noun and a number stands a word that makes it an id only together with "number". */
  let isLinked = false;
  let isNumbered = false;
  let isVerb = false;
  const begin = (word: string | undefined, before?: string): void => {
    const isFirst =
      before === undefined || MARKS.has(before) || BETWEEN.has(before) || AFTERWARDS.has(before);
    const isKnown = word !== undefined && (inflectedVerbOf(word) !== undefined || KEEPING.has(word));
    isVerb = isKnown && (isFirst || inflectedVerbOf(word)?.isAlsoNoun === false);
    [noun, isList, isLinked, isNumbered] = [word, false, false, false];
  };
  for (const [at, { word }] of tokens.entries()) {
    if (noun !== undefined && ID.test(word)) {
      const isPlural = singularOf(noun) !== noun;
      const range = rangeAt(tokens, at, isPlural);
      const isMeant = isList || !isLinked || isNumbered || word.startsWith("#");
      if (!isMeant || (!isPlaceCode(word) && isCount(tokens, at + (range?.length ?? 1)))) {
        begin(undefined);
        continue;
      }
      for (const id of [word.replace(/^#/, ""), ...(range?.ids ?? [])]) yield { noun, id, isVerb };
      isList = true;
    } else if (MARKS.has(word)) begin(undefined);
    // "Set ticket 13 to 2" speaks of one ticket.
    else if (isList && (BETWEEN.has(word) || (RANGES.has(word) && singularOf(noun ?? "") !== noun))) continue;
    else if (noun !== undefined && !isList && ID_WORDS.has(word)) isNumbered = true;
    else if (noun !== undefined && !isList && LINKS.has(word))
      isLinked ||= !(isNumbered || (word === ":" && singularOf(noun) !== noun));
    else begin(nounAt(tokens, at), tokens[at - 1]?.word);
  }
}

function nounAt(tokens: readonly Token[], at: number): string | undefined {
  const { word } = tokens[at] ?? NO_TOKEN;
  if (!/^\p{L}/u.test(word) || isFunctionWord(word)) return undefined;
  return COMPOUNDS.get(`${tokens[at - 1]?.word ?? ""} ${singularOf(word)}`) ?? word;
}

/** "3-5", "3 to 5": all of them, where several are spoken of. */
function rangeAt(
  tokens: readonly Token[],
  at: number,
  isPlural: boolean,
): { readonly ids: readonly string[]; readonly length: number } | undefined {
  if (!isPlural) return undefined;
  const { word } = tokens[at] ?? NO_TOKEN;
  const inOne = RANGE.exec(word);
  const isSpaced = RANGES.has(tokens[at + 1]?.word ?? "") && /^\d{1,9}$/.test(word);
  const first = Number(inOne?.[1] ?? word);
  const last = Number(inOne?.[2] ?? (isSpaced ? tokens[at + 2]?.word : undefined));
  if (!(last > first && last - first < LONGEST_RANGE)) return undefined;
  const ids = Array.from({ length: last - first + 1 }, (_, more) => String(first + more));
  return { ids, length: inOne === null ? 3 : 1 };
}

/** Ids with a sign, with no word before them that they would belong to: "on #31", not "locker #31". */
function* signedIn(tokens: readonly Token[]): Generator<string> {
  for (const [at, { word }] of tokens.entries()) {
    if (!/^#\p{N}/u.test(word) || isCount(tokens, at + 1)) continue;
    const before = tokens[at - 1]?.word ?? "";
    const isNoun = /^\p{L}/u.test(before) && !isFunctionWord(before);
    if (!isNoun || inflectedVerbOf(before)?.isAlsoNoun === false || before === tokens[0]?.word)
      yield word.slice(1);
  }
}

/** "delete 42", "delete 42 and 43"; not "delete 42 from the sum". */
function* idsAfter(tokens: readonly Token[], head: string): Generator<string> {
  const start = tokens.findIndex(({ word }) => word === head) + 1;
  if (start === 0) return;
  for (let at = start; ID.test(tokens[at]?.word ?? ""); at += 2) {
    const next = tokens[at + 1]?.word;
    const isEnd = next === undefined || MARKS.has(next) || BETWEEN.has(next) || AFTERWARDS.has(next);
    if (!isEnd || isCount(tokens, at + 1)) return;
    yield (tokens[at]?.word ?? "").replace(/^#/, "");
    if (next === undefined || !BETWEEN.has(next)) return;
  }
}

interface Token {
  readonly word: string;
  readonly isCapital: boolean;
}

const NO_TOKEN: Token = { word: "", isCapital: false };

function tokensOf(text: string): readonly Token[] {
  return [...text.normalize("NFC").matchAll(TOKEN)].flatMap(([token]) =>
    cut(token.toLowerCase()).map((word) => ({ word, isCapital: /^\p{Lu}/u.test(token) })),
  );
}

/** A point behind a word may end the sentence, but not in "no. 13". */
function cut(token: string): readonly string[] {
  const word = token.length > 1 ? token.replace(/[.'’/–-]+$/, "") : token;
  return word !== token && token.endsWith(".") && !ID_WORDS.has(word) ? [word, "."] : [word];
}

/** Nothing is counted with letters: "well C3 of plate 7". */
function isPlaceCode(word: string): boolean {
  return /^\p{L}{1,2}\p{N}{1,4}$/u.test(word);
}

/**
 * True if the number before this place says how many, or when, not which: any word with a meaning of its own that
 * follows is what is counted.
 */
function isCount(tokens: readonly Token[], after: number): boolean {
  const next = tokens[after];
  if (next === undefined || MARKS.has(next.word)) return false;
  const then = tokens[after + 1];
  if (next.word === "%") return true;
  if (next.word === ":") return /^\d/.test(then?.word ?? "");
  // An address: "13, Main St".
  if (next.word === ",") return then?.isCapital === true && then.word !== "i";
  if (!/^\p{L}/u.test(next.word)) return false;
  // "13 in its title".
  const end = tokens[after + 2]?.word ?? "";
  if (next.word === "in" && (/^(?:its|their)$/.test(then?.word ?? "") || TEXTS.has(end))) return true;
  const word = next.word.replace(/['’].*$/, "");
  if (word === "of") return !isOwnerAt(tokens, after + 1);
  if (COUNTS.has(word)) return true;
  // "13 or 24 likes".
  if (BETWEEN.has(word)) return ID.test(then?.word ?? "") && isCounted(end);
  return isCounted(word);
}

/** True of what a thing may belong to, "of evecorp", "of my project"; not of what there are many of, "of my friends". */
function isOwnerAt(tokens: readonly Token[], from: number): boolean {
  const start = OWNERS.has(tokens[from]?.word ?? "") ? from + 1 : from;
  let end = start;
  while (isCounted(tokens[end]?.word ?? "")) end += 1;
  const last = tokens[end - 1]?.word ?? "";
  // "Row 5 of Members 2026": what has a name and a number is no crowd.
  if (tokens[start]?.isCapital === true && ID.test(tokens[end]?.word ?? "")) return true;
  const isName = end === start + 1 || (end <= start + LONGEST_OWNER && PLACES.has(last));
  return (
    end > start &&
    isName &&
    singularOf(last) === last &&
    !COLLECTIVES.has(last) &&
    !AUXILIARIES.has(tokens[end]?.word ?? "")
  );
}

function isCounted(word: string): boolean {
  if (!/^\p{L}/u.test(word)) return false;
  return !isFunctionWord(word) && !AFTERWARDS.has(word) && !/\p{L}{3}ly$/u.test(word);
}
