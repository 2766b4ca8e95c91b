import {
  isAttribution,
  isDefinedNoun,
  isOpener,
  isPlace,
  isTelling,
  markOf,
  mayAnswer,
  type Mark,
  type Stance,
} from "./clause-marks.ts";
import { takeBack, withSubjects } from "./back-references.ts";
import { beginsReport, fragmentsOf, sentencesOf } from "./clause-parts.ts";
import { isEnglish, isEnglishWord } from "./english.ts";
import { withdraw } from "./withdrawals.ts";
import clauseWords from "./clause-words.json" with { type: "json" };

export type { Stance } from "./clause-marks.ts";

/** A part of what the user wrote, with what they want of it. The clauses of a text are all of it, in order. */
export interface Clause {
  readonly start: number;
  readonly end: number;
  readonly stance: Stance;
  /** The verb of a request, as it was said. */
  readonly head?: string | undefined;
  /** True of what is wanted only if something else is so. */
  readonly isConditional: boolean;
  /** True of a remark that may take back what was asked before it. */
  readonly isRemark?: boolean;
  /** True of what was asked or told, and is what "it" or "her" means in the next request. */
  readonly isMeantBack?: boolean;
}

/** A clause whose meaning what follows it may still change. */
export interface OpenClause {
  start: number;
  end: number;
  stance: Stance;
  head?: string | undefined;
  isConditional: boolean;
  /** True of a fact that a request to look at "it" speaks of. */
  isLookedAt?: boolean;
  /** True of what was asked or told, and is what "it" or "her" means in the next request. */
  isMeantBack?: boolean;
  /** True if nothing in it tells what it is. */
  isBare?: boolean;
  /** True of a remark that may take back what was asked before it. */
  isRemark?: boolean;
}

const QUOTED =
  /```[^`]{1,20000}```|"[^"\n]{1,1000}"|“[^”]{1,1000}”|„[^“”]{1,1000}[“”]|«[^»]{1,1000}»|‘[^’]{1,1000}’|`[^`]{1,1000}`|(?<![\p{L}\p{N}])'[^'\n]{1,1000}'(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])'[^\n]{8,1000}?'(?![\p{L}\p{N}])/gu;
const CALLED_OFF = new RegExp(
  `^\\s*(?:(?:oh|please|ok|hey),?\\s+)?(?:${clauseWords.calledOff.join("|")})\\s*$`,
  "u",
);
const PRONOUN = /^(?:i|we|he|she|they)(?!\p{L})/u;
const OWN_WORD = new RegExp(clauseWords.ownWord, "u");
const HARMLESS = new RegExp(clauseWords.harmless, "u");
const WITHDRAWING = new RegExp(clauseWords.withdrawing, "u");
const OF_THAT = /^\W*(?:(?:no|oh|well|but|and|sorry)\W+)*(?:that|this)(?:['’]s)?\s/u;
const CONDITION = /^(?:if|unless|whether|when)(?!\p{L})/u;
/** With the user's own word behind it, nothing is asked for yet: "once I say so, …". */
const AWAITING = /^(?:if|unless|whether|when|until|once|after|before|as soon as)(?!\p{L})/u;
const AWAITING_ALONE = /^(?:until|once|after|before|as soon as)\s*$/u;
const AFTER_COLON = /^\s*:/;
const LEADING_MARKS = /^[\s,:()–—-]+/;
const LIST_ITEM = /^\s*(?:[-*•]|\d+[.)])\s/;
/** "Send it to Ann, would you?" asks for it. */
const TAG = /^(?:(?:would|could|will|can|won['’]t) you(?: please)?|please)\W*$/u;
/** "these files:", and not "my summary:". */
const HEADS_LIST = /(?:these|those|following|\p{L}{2,}[^s\W]s)(?: \p{L}+)?\s*:?\s*$/u;
/** Takes time linear in the text. */
export function readClauses(text: string): readonly Clause[] {
  const lower = text.toLowerCase();
  const plain = (lower.length === text.length ? lower : text).replaceAll(
    QUOTED,
    (quoted) => `"${"·".repeat(quoted.length - 2)}"`,
  );
  const clauses: OpenClause[] = [];
  const carried: Carried = { isCalledOff: false, header: undefined };
  const sentences: number[] = [];
  for (const [start, end] of sentencesOf(plain, text)) {
    sentences.push(clauses.length);
    if (isEnglish(inCase(plain, text, start, end))) readSentence(plain, start, end, clauses, carried);
    else clauses.push({ start, end, stance: "report", isConditional: false, isRemark: true });
  }
  takeAnswer(plain, text, clauses, sentences);
  takeBack(plain, text, clauses, new Set(sentences));
  withdraw(plain, clauses, sentences);
  return withSubjects(plain, clauses, sentences);
}

/** The text as it was written, without what is quoted. */
function inCase(plain: string, text: string, start: number, end: number): string {
  if (!plain.includes("·")) return text.slice(start, end);
  return Array.from({ length: end - start }, (_, at) =>
    plain[start + at] === "·" ? "·" : (text[start + at] ?? ""),
  ).join("");
}

const LONGEST_ANSWER = 8;
const LOWER_WORD = /(?<![\p{L}\p{N}@#._/-])\p{Ll}[\p{L}'’]+(?![\p{L}\p{N}@_/-]|\.\S)/gu;
const MOST_BESIDE_VALUE = 3;
const LONGEST_HEADING = 60;

/**
 * A few words that are the whole message, and of which nothing tells what they are, answer a question: "the family
 * photos", "file 13, please". Beside an address or a number hardly any may stand: "mail about … keeps coming".
 */
function takeAnswer(
  plain: string,
  text: string,
  clauses: readonly OpenClause[],
  sentences: readonly number[],
): void {
  const tokens = plain.match(/[\p{L}\p{N}]\S*/gu) ?? [];
  const words = tokens.filter((token) => !/[\d@·]/.test(token));
  const isOne = sentences.length === 1 && clauses.every(({ isBare }) => isBare === true);
  if (!isOne || plain.includes("?") || WITHDRAWING.test(plain) || !mayAnswer(plain)) return;
  if (words.length > (words.length < tokens.length ? MOST_BESIDE_VALUE : LONGEST_ANSWER)) return;
  // A word that is not known may be a verb of another language; names are written with a capital.
  const lower = inCase(plain, text, 0, text.length).match(LOWER_WORD) ?? [];
  if (!lower.every(isEnglishWord)) return;
  for (const clause of clauses) [clause.stance, clause.isRemark] = ["statement", false];
}

/** What one sentence leaves for the next. */
interface Carried {
  /** "Stop!" stood alone. */
  isCalledOff: boolean;
  /** What ended with a colon, while the lines of its list come. */
  header: OpenClause | undefined;
}

function readSentence(
  plain: string,
  start: number,
  end: number,
  clauses: OpenClause[],
  carried: Carried,
): void {
  const sentence = plain.slice(start, end);
  if (sentence.trim() === "") {
    const last = clauses.at(-1);
    if (last !== undefined) last.end = end;
    if (/\n\s*\n/.test(sentence)) carried.header = undefined;
    return;
  }
  const first = clauses.length;
  const fragments = [...fragmentsOf(plain, start, end)];
  const texts = fragments.map(([from, to]) => plain.slice(from, to).replace(LEADING_MARKS, ""));
  // The question mark of "post this: has anybody seen it?" is part of what is posted.
  const colon = fragments.findIndex(([from, to]) => AFTER_COLON.test(plain.slice(from, to)));
  const hasMark = /\?\s*$/.test(sentence) && !(texts.length > 1 && TAG.test(texts.at(-1) ?? ""));
  const isConditional = texts.some((text) => CONDITION.test(text));
  const lastOr = texts.findLastIndex((text) => /^(?:or|nor)(?!\p{L})/u.test(text));
  const header = LIST_ITEM.test(sentence) ? carried.header : undefined;
  carried.header = header;
  let isCalledOff = carried.isCalledOff;
  carried.isCalledOff = false;
  let last: OpenClause | undefined = header;
  /** What the sentence itself says so far; what is passed on or depends on something is no part of that. */
  let main: OpenClause | undefined = header;
  let hasAsked = false;
  /** Whether all before it only leads to a request. */
  let isOpened = true;
  for (const [at, [from, to]] of fragments.entries()) {
    const said = texts[at] ?? "";
    const isAfterColon = AFTER_COLON.test(plain.slice(from, to));
    const isAsked = hasMark && at >= colon;
    const push = (stance: Stance, head?: string, begin = from, finish = to): void => {
      last = { start: begin, end: finish, stance, head, isConditional };
      if (stance !== "content") main = last;
      clauses.push(last);
    };
    if (said === "") {
      if (last !== undefined && last !== header) last.end = to;
      else push(last?.stance ?? "content");
      if (isAfterColon && to === end) carried.header = last;
      continue;
    }
    if (CALLED_OFF.test(said.replace(/[.!?,\s]+$/, ""))) {
      isCalledOff = true;
      carried.isCalledOff = fragments.length === 1;
      push("refusal");
      if (last !== undefined) last.isRemark = true;
      continue;
    }
    if (at > 0 && isAttribution(said)) {
      for (const one of clauses.slice(first)) one.stance = "report";
      push("report");
      continue;
    }
    const isReport = beginsReport(plain.slice(from, end).replace(LEADING_MARKS, ""));
    const isRelative = at > 0 && PRONOUN.test(said) && /[\p{L}\p{N}"]\s$/u.test(plain.slice(from - 2, from));
    const mark: Mark | undefined = isReport
      ? { stance: "report" }
      : ownMark(said, main, {
          isAsked,
          hasAsked,
          isLaterOr: at < lastOr,
          isAfterColon,
          isRelative,
          isFirst: at === 0,
          isOpened,
        });
    isOpened &&= isOpener(said) || (at === 0 && isHeading(said));
    if (mark === undefined) {
      const stance = inherited(last, said, { isCalledOff, isAfterColon, plain });
      if (stance === "joined" && last !== undefined && last !== header) last.end = to;
      else {
        push(
          stance === "joined" ? (last?.stance ?? "report") : stance,
          last === header ? last?.head : undefined,
        );
        if (stance === "report" && at === 0) Object.assign(last ?? {}, { isBare: true });
      }
    } else if (isCalledOff && mark.stance !== "request") push("refusal");
    else {
      hasAsked ||= mark.isPolite === true;
      const offset = to - said.length;
      const [no, until] = mark.refused ?? [said.length, said.length];
      push(mark.stance, mark.head, from, offset + no);
      if (no < said.length) push("refusal", undefined, offset + no, offset + until);
      if (until < said.length) push(mark.stance, mark.head, offset + until, to);
    }
  }
  settle(plain, clauses.slice(first), texts);
}

/** What the whole of a sentence tells about its parts. */
function settle(plain: string, clauses: readonly OpenClause[], texts: readonly string[]): void {
  const [opening] = clauses;
  if (opening === undefined) return;
  const isAsking = clauses.some(({ stance }) => stance === "request");
  // "For the meeting with Ann, …" belongs to what is asked for.
  if (opening.isBare === true && isAsking) opening.stance = isPlace(texts[0] ?? "") ? "statement" : "content";
  // Only if the user says so, and they have not yet.
  const withNext = texts.map((text, at) =>
    AWAITING_ALONE.test(text) ? `${text} ${texts[at + 1] ?? ""}` : text,
  );
  if (isAsking && withNext.some((text) => AWAITING.test(text) && OWN_WORD.test(text)))
    for (const one of clauses) if (one.stance === "request") one.stance = "report";
  const whole = plain.slice(opening.start, clauses.at(-1)?.end);
  if (isRemark(whole, clauses)) opening.isRemark = true;
}

/** True of a few words that say nothing about a thing: they may take back what was asked, and nobody knows. */
function isRemark(said: string, clauses: readonly OpenClause[]): boolean {
  if (/[\d@·]/.test(said) || HARMLESS.test(said)) return false;
  if (clauses.some(({ stance }) => stance === "request" || stance === "statement")) return false;
  const isVerbless = clauses.every(({ isBare }) => isBare === true);
  return isVerbless || OF_THAT.test(said) || WITHDRAWING.test(said);
}

interface Around {
  readonly isAsked: boolean;
  readonly hasAsked: boolean;
  readonly isLaterOr: boolean;
  readonly isAfterColon: boolean;
  /** True of what goes on without a mark: "the amount / we paid". */
  readonly isRelative: boolean;
  readonly isFirst: boolean;
  /** True if all before it only leads to a request. */
  readonly isOpened: boolean;
}

/** What a part says by itself, where it stands: a verb asks for something only where nothing before it says otherwise. */
function ownMark(
  said: string,
  main: OpenClause | undefined,
  { isAsked, hasAsked, isLaterOr, isAfterColon, isRelative, isFirst, isOpened }: Around,
): Mark | undefined {
  const mark = markOf(said, isFirst ? "first" : "later");
  if (isRelative && (main?.stance === "fact" || (main?.stance === "request" && mark?.stance !== "refusal")))
    return { stance: "content" };
  if (mark?.stance !== "request") {
    const isTold = main?.stance === "report" && mark?.stance !== "refusal" && isAfterColon;
    return isTold ? { stance: "report" } : mark;
  }
  if (isAsked && mark.isPolite !== true && !hasAsked) return { stance: "report" };
  if (main === undefined || main.isBare === true) return isOpened ? mark : { stance: "report" };
  // "Tell Bob: delete it" passes a deed on.
  if (isAfterColon) {
    if (main.stance === "request") return isTelling(main.head) ? { stance: "content" } : mark;
    return { stance: main.stance === "refusal" ? "refusal" : "report" };
  }
  if (/^to(?!\p{L})/u.test(said)) return { stance: "report" };
  const isCoordinated = /^(?:and|or|nor)(?!\p{L})/u.test(said);
  if (main.stance === "refusal") return isCoordinated || isLaterOr ? { stance: "refusal" } : mark;
  if (main.stance === "request" || main.stance === "statement") return mark;
  const isTurn =
    /^(?:but|so|then)(?!\p{L})/u.test(said) || (main.stance === "fact" && mark.isPolite === true);
  return isTurn ? mark : { stance: "report" };
}

/** "Task: …". */
function isHeading(said: string): boolean {
  return /^(?:my |the |your )?(?:tasks?|to-?dos?|requests?|next|please|goals?)\W*$/u.test(said);
}

/** What a part is that says nothing by itself. */
function inherited(
  last: OpenClause | undefined,
  said: string,
  {
    isCalledOff,
    isAfterColon,
    plain,
  }: { readonly isCalledOff: boolean; readonly isAfterColon: boolean; readonly plain: string },
): Stance | "joined" {
  if (last === undefined) return isCalledOff ? "refusal" : /\p{L}/u.test(said) ? "report" : "content";
  if (isCalledOff && last.stance === "refusal") return "joined";
  if (/^but(?!\p{L})/u.test(said)) return "report";
  if (isAfterColon) {
    const end = plain.slice(Math.max(last.start, last.end - LONGEST_HEADING), last.end);
    const noun = /(\p{L}+)\W*$/u.exec(end)?.[1] ?? "";
    if (last.stance === "request") {
      if (isTelling(last.head)) return "content";
      return HEADS_LIST.test(end) ? "joined" : "statement";
    }
    if (last.isBare === true && isDefinedNoun(noun)) return "statement";
  }
  if (/^to(?!\p{L})/u.test(said)) return "report";
  return "joined";
}
