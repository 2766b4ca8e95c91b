import { type ArgumentPlace, singularOf } from "../kinds/kind.ts";
import { findDates, momentNeeds } from "../read-date.ts";
import { createTextIndex } from "../text-index.ts";
import { plainForm } from "../value-forms.ts";
import { findAll, findPhrase, findValue, type ValueReading } from "../value-reading.ts";
import { type AllOfKind, isForAll, readRequestsForAll, type RequestForAll } from "./asks-for-all.ts";
import type { Clause, Stance } from "./clauses.ts";
import { readComparisons } from "./comparisons.ts";
import { createDeeds, type Deeds } from "./deeds.ts";
import deedWords from "./deed-words.json" with { type: "json" };
import { readDictated } from "./dictated.ts";
import { type Family, type PointingBack, readClausesOnce, withoutIdle } from "./idle-requests.ts";
import { createMarkedNames, type Direction } from "./marked-names.ts";
import { type About, isAbout } from "./about.ts";
import { readRequests, withWhatItMeans } from "./requests.ts";
import { readMoney } from "./said-money.ts";
import { createSaidKinds, idsIn, type SaidKinds } from "./said-kinds.ts";
import { createSaidNames } from "./said-names.ts";
import { hasWithdrawal } from "./withdrawals.ts";
import { createSaidNumbers, type SaidNumbers } from "./said-numbers.ts";

/** How a text was said, and what was said since. */
export interface HowSaid {
  readonly today?: string | undefined;
  /** What it asked for was withdrawn since. */
  readonly isTakenBack?: boolean;
  /** What counts in it: of a no, only what it asks for; where it may not even do that, only what it refuses. */
  readonly counting?: "statements" | "requests" | "refusals";
  /** How the next message speaks of it. */
  readonly pointedBack?: PointingBack | undefined;
}

/**
 * What a user said, read clause by clause: what stands in a refusal, in a report of what others want, or in a plan or
 * doubt of the user's own is said, but not wanted.
 */
export interface UserWords {
  add(text: string, how?: HowSaid): void;
  /**
   * True if a value was refused after the last request that names it; an id, where one of these nouns stands with it,
   * or none. With `verbs`, only a request with one of them asks for it again.
   */
  takesBack(value: string, nouns?: readonly string[], verbs?: readonly string[]): boolean;
  /** True if a value was said at all. */
  mentions(value: ValueReading): boolean;
  /** True if a value was said where the user wants, states or asks something. */
  asksAbout(value: ValueReading): boolean;
  /** True if a value was said where the user asks about something, or tells what they are going to do. */
  speaksOf(value: ValueReading): boolean;
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
  /** True if a word stood behind a preposition of place: "at Boots". */
  isPlaced(word: string): boolean;
  /** Whether a word was said of where something comes from, or goes. */
  directionOf(word: string): Direction | undefined;
  /** True of a moment whose time was said only with other days: "move it to 2026-05-20 15:30" means nothing today at 15:30. */
  isOfOtherDay(moment: string): boolean;
  /** True if a sum of money is to be given back. */
  returnsSum(value: number): boolean;
  /** True of a word that stands within a sentence, not only at the beginning as a verb does: "Rent a car". */
  standsWithin(word: string): boolean;
  /**
   * True if one clause that was wanted, or refused, has all of these words; of what is `forbidden`, no report counts. A
   * right is not `granted` by a request for the deed: "Write a message" makes nobody a writer. `about`: only a clause
   * that speaks of this, or of nothing else: "close issue 4" does not close issue 3.
   */
  hasClause(words: readonly string[], which: ClauseKind, about?: About): boolean;
  /** True if a request asks for the number of an account or a card, and has all of these words. */
  asksForNumber(words: readonly string[]): boolean;
  /** True if things of one of these kinds were compared. */
  compares(kinds: readonly string[]): boolean;
  /** True if a thing of one of these kinds was described by what happened there: "the channel where Alice asked". */
  describes(kinds: readonly string[]): boolean;
  /** True if a request has one of these words. */
  asksWith(words: readonly string[]): boolean;
  asksForAll(kind: AllOfKind): boolean;
  /** True if a request begins with these words. */
  asksJust(words: readonly string[]): boolean;
  /** Which of these words are not part of a run that the user dictated. */
  foreignTo(words: readonly string[], runLength: number): readonly number[];
  readonly kinds: SaidKinds;
  readonly deeds: Deeds;
  readonly numbers: SaidNumbers;
}

export type ClauseKind = "wanted" | "refused" | "forbidden" | "granted";

/** What a request may begin with before its verb. */
const OPENING = /^(?:please|kindly|now|then|and|also|just|can|could|would|will|you)$/;

function firstVerb(request: string): string {
  const words = plainForm(request).match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.find((word) => !OPENING.test(word)) ?? "";
}

/** "I'm planning on going from 3 to 5 May." */
const OWN_PLAN =
  /^\W*(?:(?:and|so|then|but|because|since|as)\s+)*(?:I|we|We)(?:['’](?:m|re|ll|d)| am| are| will| shall| would| plan| want| intend)(?!\p{L})/u;

/** Nobody writes a request that long: it is around something pasted. */
const LONGEST_REQUEST = 20_000;
const MOST_WORDS = 20_000;
const MOST_CLAUSES = 2_000;
/** In digits. */
const LONGEST_SUM = 7;
const SENTENCE_END = /[!?;:\n]+|(?<!(?<!\p{L})(?:dr|mr|mrs|ms|prof|st|no|nr|vs))\.(?=\s|$)/u;
const DESCRIBED = /(?<!\p{L})(\p{L}{2,})\s+(?:where|(?:in|to|on|from) which)(?!\p{L})/gu;
/** "Emma's card number", "the IBAN of Emma"; not "from Emma's account". */
const ACCOUNT_NUMBER =
  /\b(?:iban|(?:account|card|bank)\s+(?:numbers?|no|nr|details|digits)|(?:numbers?|details|digits)\s+of\s+(?:\S+\s+){0,3}?(?:account|card))\b/i;
const RETURNING: ReadonlySet<string> = new Set(deedWords.returning);
const WANTED: ReadonlySet<Stance> = new Set(["request", "statement"]);
const ASKED: ReadonlySet<Stance> = new Set(["request", "statement", "fact"]);
const TAKES_BACK: ReadonlySet<Stance> = new Set(["refusal", "report"]);
const COUNTING: Readonly<Record<NonNullable<HowSaid["counting"]>, ReadonlySet<Stance>>> = {
  statements: WANTED,
  requests: new Set(["request"]),
  refusals: new Set(),
};

/** `idle`: requests that do not count, since they ask for another sort of deed. */
export function createUserWords(idle: ReadonlySet<Family> = new Set()): UserWords {
  const all = createTextIndex();
  const wanted = createTextIndex();
  const lookedAt = createTextIndex();
  const spokenOf = createTextIndex();
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

  const requestsAt = new Map<number, NotedClause>();
  /** What clauses that count say, with what "it" is in them. */
  const wholes = new Map<number, string>();
  /** The days with which a time was said; without any, it is of every day. */
  const daysOf = new Map<string, Set<string>>();
  const timesOfAnyDay = new Set<string>();
  const noteTimes = (text: string, today: string | undefined): void => {
    const forms = findDates(plainForm(text), today).flatMap((span) => span.forms);
    const days = forms.filter((form) => form.startsWith("d:"));
    for (const time of forms.filter((form) => form.startsWith("t:"))) {
      if (days.length === 0) timesOfAnyDay.add(time);
      const known = daysOf.get(time) ?? new Set();
      daysOf.set(time, known);
      for (const day of days) known.add(day);
    }
  };
  const refusals = new Map<number, NotedClause>();

  /** Clauses that have all of these words. */
  const clausesOf = (asked: readonly string[], which: "wanted" | "refused"): readonly number[] => {
    const [first, ...rest] = asked.map((word) => clausesWith[which].get(word) ?? NONE);
    return first === undefined ? [] : [...first].filter((clause) => rest.every((one) => one.has(clause)));
  };

  const noteClause = (text: string, whole: string, clause: Clause, counts: ReadonlySet<Stance>): void => {
    const which = counts.has(clause.stance)
      ? "wanted"
      : TAKES_BACK.has(clause.stance)
        ? "refused"
        : undefined;
    if (which === undefined || clauseCount >= MOST_CLAUSES) return;
    clauseCount += 1;
    const noted = { text, stance: clause.stance, names: idsIn(text) };
    if (clause.stance === "request") requestsAt.set(clauseCount, noted);
    if (which === "wanted") wholes.set(clauseCount, whole);
    if (which === "refused") refusals.set(clauseCount, noted);
    for (const [word] of plainForm(text).matchAll(/[\p{L}\p{N}]+/gu))
      for (const form of [word, singularOf(word)]) {
        const known = clausesWith[which].get(form) ?? new Set();
        clausesWith[which].set(form, known.add(clauseCount));
        if (clause.stance === "request" && requested.size < MOST_WORDS) requested.add(form);
      }
  };

  const readRequest = (text: string, how: HowSaid): void => {
    const { counting = "statements", isTakenBack = false } = how;
    const counts = COUNTING[counting];
    const clauses = clausesIn(text, how, idle);
    for (const [at, clause] of clauses.entries()) {
      const part = text.slice(clause.start, clause.end);
      noteClause(part, withWhatItMeans(text, clauses, at), clause, counts);
      if (counts.has(clause.stance)) {
        numbers.add(part, clause.head);
        noteTimes(part, how.today);
      }
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
    const requests = counts.has("request") ? readRequests(text, clauses) : [];
    for (const { head, text: asked } of requests)
      if (RETURNING.has(head)) for (const sum of readMoney(asked)) returned.add(sum);
    kinds.add("", requests);
    deeds.add(requests);
    if (counting !== "statements") return;
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
    add(text, how = {}) {
      const { today, counting = "statements" } = how;
      all.add(text, "user", { today });
      const clauses = clausesIn(text, how, idle);
      for (const run of runsOf(text, clauses, COUNTING[counting])) wanted.add(run, "user", { today });
      const asked = counting === "statements" ? ASKED : COUNTING[counting];
      for (const run of runsOf(text, clauses, asked)) lookedAt.add(run, "user", { today });
      if (counting === "statements")
        for (const { stance, start, end } of clauses)
          if (stance === "report" && OWN_PLAN.test(text.slice(start, end)))
            spokenOf.add(text.slice(start, end), "user", { today });
      for (const part of partsOf(text)) readRequest(part, how);
    },
    takesBack(value, nouns, verbs) {
      const asked = wordsOfValue(value);
      // A number that is said of something else takes back no sum; a telephone's is no sum.
      const isNumber =
        nouns === undefined && /^\p{N}+$/u.test(asked.join("")) && asked.join("").length < LONGEST_SUM;
      const refused = clausesOf(asked, "refused").filter((clause) => {
        const noted = refusals.get(clause);
        if (isNumber && noted?.stance !== "refusal") return false;
        return nouns === undefined || noted?.names(value, nouns) === true;
      });
      const last = Math.max(...refused, 0);
      // "24 batteries" asks for no mail 24.
      const isAskedAgain = (clause: number): boolean => {
        const noted = clause > last ? requestsAt.get(clause) : undefined;
        if (noted === undefined || (nouns !== undefined && !noted.names(value, nouns))) return false;
        const said = verbs === undefined ? [] : (plainForm(noted.text).match(/\p{L}+/gu) ?? []);
        return verbs === undefined || said.some((word) => verbs.includes(word));
      };
      return last > 0 && !clausesOf(asked, "wanted").some(isAskedAgain);
    },
    mentions: (value) => findValue(all, value) !== undefined,
    asksAbout: (value) => findValue(lookedAt, value) !== undefined,
    speaksOf: (value) => findValue(lookedAt, value) !== undefined || findValue(spokenOf, value) !== undefined,
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
    isPlaced: marked.isPlaced,
    directionOf: marked.directionOf,
    isOfOtherDay(moment) {
      const [days = [], [time = ""] = []] = momentNeeds(moment.toLowerCase());
      const known = daysOf.get(time);
      return known !== undefined && !timesOfAnyDay.has(time) && !days.some((day) => known.has(day));
    },
    returnsSum: (value) => returned.has(value),
    standsWithin: (word) => within.has(word),
    hasClause(asked, which, about) {
      const side = which === "wanted" || which === "granted" ? "wanted" : "refused";
      const isMeant = (clause: number): boolean =>
        about === undefined || side === "refused" || isAbout(wholes.get(clause) ?? "", asked, about);
      if (asked.length === 2 && isParticle(asked.at(-1)))
        return clausesOf(asked, side).some(
          (clause) =>
            isMeant(clause) &&
            isSwitched(requestsAt.get(clause)?.text ?? refusals.get(clause)?.text ?? "", asked),
        );
      const telling = asked.filter((word) => !SAYS_NOTHING.has(word));
      return clausesOf(telling, side).some((clause) => {
        if (!isMeant(clause)) return false;
        if (which === "granted") return !asked.includes(firstVerb(requestsAt.get(clause)?.text ?? ""));
        return which !== "forbidden" || refusals.get(clause)?.stance === "refusal";
      });
    },
    asksForNumber: (asked) =>
      clausesOf(asked, "wanted").some((clause) => ACCOUNT_NUMBER.test(requestsAt.get(clause)?.text ?? "")),
    compares: (asked) => asked.some((kind) => compared.has(kind)),
    describes: (asked) => asked.some((kind) => described.has(kind)),
    asksWith: (asked) => asked.some((word) => requested.has(word)),
    asksForAll: (kind) => requestsForAll.some((request) => isForAll(request, kind)),
    asksJust: (asked) =>
      [...requestsAt.values()].some(({ text }) => {
        const said = plainForm(text).match(/[\p{L}\p{N}]+/gu) ?? [];
        return asked.every((word, at) => word === said[at]);
      }),
    foreignTo: (asked, runLength) => dictated.findForeign(asked, runLength),
    kinds,
    deeds,
    numbers,
  };
}

function wordsOfValue(value: string): readonly string[] {
  return (
    plainForm(value)
      .replace(/^https?:\/\//, "")
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

function isParticle(word: string | undefined): boolean {
  return word === "on" || word === "off" || word === "down";
}

/** "Turn on the lamp on the desk", "turn the lamp on"; not "turn off the lamp on the desk". */
function isSwitched(text: string, [verb = "", particle = ""]: readonly string[]): boolean {
  const said = plainForm(text);
  const [, first] = new RegExp(`\\b${verb}\\s+(on|off|down)\\b`, "u").exec(said) ?? [];
  if (first !== undefined) return first === particle;
  const last = [
    ...said.matchAll(
      /\b(?:on|off|down)\b(?=\W*(?:$|at|in|for|after|before|now|please|again|and|until|when|tonight|today|tomorrow)\b|\W*$)/gu,
    ),
  ].at(-1)?.[0];
  return last === particle;
}

/** Words of an argument's name that say nothing about what a yes to it means. */
const SAYS_NOTHING: ReadonlySet<string> = new Set(
  "is are be has have should do does can may with to for of the a an in on as by also".split(" "),
);

const NONE: ReadonlySet<number> = new Set();

interface NotedClause {
  readonly text: string;
  readonly stance: Stance;
  readonly names: ReturnType<typeof idsIn>;
}

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

function clausesIn(
  text: string,
  { isTakenBack = false, pointedBack }: HowSaid,
  idle: ReadonlySet<Family>,
): readonly Clause[] {
  const clauses = withoutIdle(text, readClausesOnce(text), idle, pointedBack);
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
