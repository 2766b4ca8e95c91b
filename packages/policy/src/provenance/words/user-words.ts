import { type ArgumentPlace, singularOf } from "../kinds/kind.ts";
import { createTextIndex } from "../text-index.ts";
import { plainForm } from "../value-forms.ts";
import { findAll, findPhrase, findValue, type ValueReading } from "../value-reading.ts";
import { type AllOfKind, isForAll, readRequestsForAll, type RequestForAll } from "./asks-for-all.ts";
import { type Clause, readClauses, type Stance } from "./clauses.ts";
import { readComparisons } from "./comparisons.ts";
import { createDeeds, type Deeds } from "./deeds.ts";
import deedWords from "./deed-words.json" with { type: "json" };
import { readDictated } from "./dictated.ts";
import { createMarkedNames } from "./marked-names.ts";
import { readRequests } from "./requests.ts";
import { readMoney } from "./said-money.ts";
import { createSaidKinds, namesId, type SaidKinds } from "./said-kinds.ts";
import { createSaidNames } from "./said-names.ts";
import { hasWithdrawal } from "./withdrawals.ts";
import { createSaidNumbers, type SaidNumbers } from "./said-numbers.ts";

/**
 * What a user said, read clause by clause: what stands in a refusal, in a report of what others want, or in a plan or
 * doubt of the user's own is said, but not wanted.
 */
export interface UserWords {
  /** `isTakenBack`: what it asked for was withdrawn since. */
  add(text: string, today?: string, isTakenBack?: boolean): void;
  /**
   * True if a value was refused after the last request that names it; an id, where one of these nouns stands with it,
   * or none. With `verbs`, only a request with one of them asks for it again.
   */
  takesBack(value: string, nouns?: readonly string[], verbs?: readonly string[]): boolean;
  /** True if a value was said at all. */
  mentions(value: ValueReading): boolean;
  /** True if a value was said where the user wants, states or asks something. */
  asksAbout(value: ValueReading): boolean;
  /** True if a value was said where the user wants or states something. */
  states(value: ValueReading): boolean;
  /** True if a value of several parts was said so as one phrase. */
  statesWhole(value: ValueReading): boolean;
  /** True if a name was marked as one: in quotes, by "called". */
  calls(name: string): boolean;
  /** True if a single word was used as a name; `nouns`: what things of that name are called. */
  marks(word: string, place: ArgumentPlace | undefined, nouns: readonly string[]): boolean;
  /** True if a single word stood beside one of these nouns. */
  namesBeside(word: string, nouns: readonly string[]): boolean;
  /** True if a sum of money is to be given back. */
  returnsSum(value: number): boolean;
  /** True of a word that stands within a sentence, not only at the beginning as a verb does: "Rent a car". */
  standsWithin(word: string): boolean;
  /** True if one clause that was wanted, or refused, has all of these words. */
  hasClause(words: readonly string[], which: "wanted" | "refused"): boolean;
  /** True if things of one of these kinds were compared. */
  compares(kinds: readonly string[]): boolean;
  /** True if a thing of one of these kinds was described by what happened there: "the channel where Alice asked". */
  describes(kinds: readonly string[]): boolean;
  /** True if a request has one of these words. */
  asksWith(words: readonly string[]): boolean;
  asksForAll(kind: AllOfKind): boolean;
  /** Which of these words are not part of a run that the user dictated. */
  foreignTo(words: readonly string[], runLength: number): readonly number[];
  readonly kinds: SaidKinds;
  readonly deeds: Deeds;
  readonly numbers: SaidNumbers;
}

/** Nobody writes a request that long: it is around something pasted. */
const LONGEST_REQUEST = 20_000;
const MOST_WORDS = 20_000;
const MOST_CLAUSES = 2_000;
const SENTENCE_END = /[!?;:\n]+|\.(?=\s|$)/;
const DESCRIBED = /(?<!\p{L})(\p{L}{2,})\s+(?:where|(?:in|to|on|from) which)(?!\p{L})/gu;
const RETURNING: ReadonlySet<string> = new Set(deedWords.returning);
const WANTED: ReadonlySet<Stance> = new Set(["request", "statement"]);
const ASKED: ReadonlySet<Stance> = new Set(["request", "statement", "fact"]);
const TAKES_BACK: ReadonlySet<Stance> = new Set(["refusal", "report"]);
const REQUESTED: ReadonlySet<Stance> = new Set(["request"]);

/** `counting`: a no says what is wanted instead only where it asks for it. */
export function createUserWords(counting: "statements" | "requests" = "statements"): UserWords {
  const all = createTextIndex();
  const wanted = createTextIndex();
  const lookedAt = createTextIndex();
  const dictated = createTextIndex();
  const names = createSaidNames();
  const marked = createMarkedNames();
  const kinds = createSaidKinds();
  const deeds = createDeeds();
  const numbers = createSaidNumbers("counts");
  const compared = new Set<string>();
  const described = new Set<string>();
  const returned = new Set<number>();
  const requested = new Set<string>();
  const within = new Set<string>();
  const requestsForAll: RequestForAll[] = [];
  const clausesWith = { wanted: new Map<string, Set<number>>(), refused: new Map<string, Set<number>>() };
  let clauseCount = 0;
  const counts = counting === "statements" ? WANTED : REQUESTED;

  const requestsAt = new Map<number, string>();
  const refusals = new Map<number, { readonly text: string; readonly stance: Stance }>();

  /** Clauses that have all of these words. */
  const clausesOf = (asked: readonly string[], which: "wanted" | "refused"): readonly number[] => {
    const [first, ...rest] = asked.map((word) => clausesWith[which].get(word) ?? NONE);
    return first === undefined ? [] : [...first].filter((clause) => rest.every((one) => one.has(clause)));
  };

  const noteClause = (text: string, clause: Clause): void => {
    const which = counts.has(clause.stance)
      ? "wanted"
      : TAKES_BACK.has(clause.stance)
        ? "refused"
        : undefined;
    if (which === undefined || clauseCount >= MOST_CLAUSES) return;
    clauseCount += 1;
    if (clause.stance === "request") requestsAt.set(clauseCount, text);
    if (which === "refused") refusals.set(clauseCount, { text, stance: clause.stance });
    for (const [word] of plainForm(text).matchAll(/[\p{L}\p{N}]+/gu))
      for (const form of [word, singularOf(word)]) {
        const known = clausesWith[which].get(form) ?? new Set();
        clausesWith[which].set(form, known.add(clauseCount));
        if (clause.stance === "request" && requested.size < MOST_WORDS) requested.add(form);
      }
  };

  const readRequest = (text: string, isTakenBack: boolean): void => {
    const clauses = clausesIn(text, isTakenBack);
    for (const clause of clauses) {
      const part = text.slice(clause.start, clause.end);
      noteClause(part, clause);
      if (counts.has(clause.stance)) numbers.add(part, clause.head);
      const isFirst =
        clause.start === 0 || /[.!?;:\n]\s*$/.test(text.slice(Math.max(0, clause.start - 8), clause.start));
      if (counts.has(clause.stance)) marked.add(part, clause, isFirst ? "first" : "later");
    }
    for (const run of runsOf(text, clauses, counts)) {
      names.add(run);
      kinds.add(run, []);
      numbers.add(run);
      for (const word of readComparisons(run)) compared.add(word);
      for (const [, noun = ""] of run.toLowerCase().matchAll(DESCRIBED)) described.add(singularOf(noun));
    }
    const requests = readRequests(text, clauses);
    for (const { head, text: asked } of requests)
      if (RETURNING.has(head)) for (const sum of readMoney(asked)) returned.add(sum);
    kinds.add("", requests);
    deeds.add(requests);
    if (!isTakenBack && !hasWithdrawal(text, clauses)) requestsForAll.push(...readRequestsForAll(text));
    for (const { text: part, at } of readDictated(text)) {
      const stance = clauses.find(({ end }) => end > at)?.stance;
      if (stance !== "refusal") dictated.add(part, "user");
    }
    for (const sentence of plainForm(text).split(SENTENCE_END)) {
      const [, ...rest] = sentence.match(/\p{L}+/gu) ?? [];
      for (const word of rest) if (within.size < MOST_WORDS) within.add(word);
    }
  };

  return {
    add(text, today, isTakenBack = false) {
      all.add(text, "user", { today });
      const clauses = clausesIn(text, isTakenBack);
      for (const run of runsOf(text, clauses, counts)) wanted.add(run, "user", { today });
      for (const run of runsOf(text, clauses, ASKED)) lookedAt.add(run, "user", { today });
      for (const part of partsOf(text)) readRequest(part, isTakenBack);
    },
    takesBack(value, nouns, verbs) {
      const asked =
        plainForm(value)
          .replace(/^https?:\/\//, "")
          .match(/[\p{L}\p{N}]+/gu) ?? [];
      // A number that is said of something else takes back no sum.
      const isNumber = nouns === undefined && asked.every((word) => /^\p{N}+$/u.test(word));
      const refused = clausesOf(asked, "refused").filter((clause) => {
        const { text = "", stance } = refusals.get(clause) ?? {};
        if (isNumber && stance !== "refusal") return false;
        return nouns === undefined || namesId(text, value, nouns);
      });
      const last = Math.max(...refused, 0);
      // "24 batteries" asks for no mail 24.
      const isAskedAgain = (clause: number): boolean => {
        const text = clause > last ? requestsAt.get(clause) : undefined;
        if (text === undefined || (nouns !== undefined && !namesId(text, value, nouns))) return false;
        const said = verbs === undefined ? [] : (plainForm(text).match(/\p{L}+/gu) ?? []);
        return verbs === undefined || said.some((word) => verbs.includes(word));
      };
      return last > 0 && !clausesOf(asked, "wanted").some(isAskedAgain);
    },
    mentions: (value) => findValue(all, value) !== undefined,
    asksAbout: (value) => findValue(lookedAt, value) !== undefined,
    states: (value) => findValue(wanted, value) !== undefined,
    statesWhole: ({ needs, parts }) =>
      findAll(wanted, needs) !== undefined ||
      findPhrase(
        wanted,
        parts.flatMap((part) => part.words),
      ) !== undefined,
    calls: names.has,
    marks: marked.has,
    namesBeside: marked.isBeside,
    returnsSum: (value) => returned.has(value),
    standsWithin: (word) => within.has(word),
    hasClause: (asked, which) =>
      clausesOf(
        asked.filter((word) => !SAYS_NOTHING.has(word)),
        which,
      ).length > 0,
    compares: (asked) => asked.some((kind) => compared.has(kind)),
    describes: (asked) => asked.some((kind) => described.has(kind)),
    asksWith: (asked) => asked.some((word) => requested.has(word)),
    asksForAll: (kind) => requestsForAll.some((request) => isForAll(request, kind)),
    foreignTo: (asked, runLength) => dictated.findForeign(asked, runLength),
    kinds,
    deeds,
    numbers,
  };
}

/** Words of an argument's name that say nothing about what a yes to it means. */
const SAYS_NOTHING: ReadonlySet<string> = new Set(
  "is are be has have should do does can may with to for of the a an in on as by also".split(" "),
);

const NONE: ReadonlySet<number> = new Set();

/** The parts of a text whose clauses count, each as long as possible: a phrase may go over several clauses. */
function runsOf(text: string, clauses: readonly Clause[], counts: ReadonlySet<Stance>): readonly string[] {
  const runs: string[] = [];
  let start: number | undefined;
  for (const clause of clauses) {
    const isCounted = counts.has(clause.stance);
    if (isCounted) start ??= clause.start;
    else if (start !== undefined) {
      runs.push(text.slice(start, clause.start));
      start = undefined;
    }
  }
  if (start !== undefined) runs.push(text.slice(start));
  return runs;
}

function clausesIn(text: string, isTakenBack: boolean): readonly Clause[] {
  const clauses = readClauses(text);
  if (!isTakenBack) return clauses;
  return clauses.map((clause) =>
    clause.stance === "request" ? Object.assign({}, clause, { stance: "refusal" as const }) : clause,
  );
}

function partsOf(text: string): readonly string[] {
  return text.length <= LONGEST_REQUEST
    ? [text]
    : [text.slice(0, LONGEST_REQUEST / 2), text.slice(-LONGEST_REQUEST / 2)];
}
