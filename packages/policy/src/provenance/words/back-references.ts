import clauseWords from "./clause-words.json" with { type: "json" };
import idleWords from "./idle-words.json" with { type: "json" };
import { refusedPartOf } from "./clause-marks.ts";
import type { OpenClause } from "./clauses.ts";
import { isEnglishWord } from "./english.ts";
import { verbOf } from "../../inference/verbs.ts";
import { isPerson as isSomebody, singularOf } from "../kinds/kind.ts";
import { momentNeeds } from "../read-date.ts";

const LOOKING: ReadonlySet<string> = new Set(idleWords.looking);
const PERSON = /(?<!\p{L})(?:them|him|her)(?!\p{L})/u;
const SUBJECT = new RegExp(
  String.raw`^\W*(?:[^\s,]+\s+){1,2}?(?:${[...clauseWords.attributing, "called", "rang"].join("|")})(?=\s)`,
  "u",
);
/** Points back to a thing; "tell him" does not say that what he asked for is wanted, nor "the note that has it". */
const BACK_TO_THING =
  /(?<!\p{L})(?:(?:it|its|them|him|her|this|those|these|there)|(?<=^\W*\p{L}+\s+|(?<!\p{L})(?:to|of|for|about|from|with|in|on|at|by|and|do)\s+)that)(?!\p{L})/u;
/** "Can you reserve?", "Please order." */
const DEED_ALONE =
  /^\W*(?:(?:and|so|then|now|please|kindly|(?:can|could|would|will) you) )*\p{L}{3,}(?:,? (?:please|now|for (?:me|us)|asap|right away|thanks|thank you))*\W*$/u;
const BACK = new RegExp(String.raw`\S\s+${clauseWords.back}(?!\p{L})`, "u");
const BACK_AT_END = new RegExp(
  String.raw`(?<!\p{L})(\p{L}+)\s+(?:to\s+|with\s+)?${clauseWords.back}(?:\s+(?:yet|now|anymore|at all|after all|please|ever))*\W*$`,
  "u",
);

/**
 * "Who is she? Never write to *her*": what is refused was named before. A request is taken back by its own verb, and a
 * request for *it* makes what was said before the user's wish.
 */
export function takeBack(
  plain: string,
  text: string,
  clauses: readonly OpenClause[],
  sentences: ReadonlySet<number>,
): void {
  for (const [at, clause] of clauses.entries()) {
    const before = clauses[at - 1];
    if (before === undefined) continue;
    const said = plain.slice(clause.start, clause.end).trim();
    if (clause.stance === "request" && (BACK_TO_THING.test(said) || DEED_ALONE.test(said)))
      makeWish(plain, text, clauses, at - 1, sentences);
    if (clause.stance !== "refusal" || !BACK.test(refusedPartOf(said))) continue;
    if (before.stance !== "request") before.stance = "refusal";
    else if (before.head !== undefined && BACK_AT_END.exec(said)?.[1] === before.head)
      before.stance = "refusal";
  }
}

/**
 * What a request for *it* speaks of: what was asked about or told before it, or what somebody else wants done; no
 * further back than the nearest sentence that names something.
 */
function makeWish(
  plain: string,
  text: string,
  clauses: readonly OpenClause[],
  last: number,
  sentences: ReadonlySet<number>,
): void {
  let isNamed = false;
  const request = clauses[last + 1];
  const head = request?.head;
  const isPerson = PERSON.test(plain.slice(request?.start, request?.end));
  const isLooking = head !== undefined && (LOOKING.has(head) || verbOf(head)?.kind === "read");
  for (let at = last; at >= 0; at -= 1) {
    const clause = clauses[at];
    if (clause === undefined) return;
    if (clause.stance === "content") continue;
    // "They sent too much. Look it up, and send them back the rest."
    if (clause.stance === "request" && clause.isLookedAt !== true && isPerson && isLook(plain, clause))
      continue;
    // "He wants me to pay. Do it."
    const isDeed =
      head === "do" || (head !== undefined && plain.slice(clause.start, clause.end).includes(head));
    const isReport = clause.stance === "report" && at === last && clause.isRemark !== true && isDeed;
    if (clause.stance !== "fact" && clause.isLookedAt !== true && !isReport) return;
    // "Why was it slow? Look at its log" asks for a look, too.
    if (isLooking) [clause.stance, clause.head, clause.isLookedAt] = ["request", head, true];
    else [clause.stance, clause.head, clause.isLookedAt] = ["statement", undefined, false];
    clause.isMeantBack = true;
    isNamed ||= namesThing(plain, text, clause);
    // "What is … about? Which are open? Put them in a table": the last question is what "them" means.
    const said = plain.slice(clause.start, clause.end);
    const isQuestion = /\?\s*$/.test(said) && !BACK_TO_THING.test(said);
    if ((isNamed || isQuestion) && sentences.has(at)) return;
  }
}

/** True of a request that only looks at something: who is acted on after it was not named in it. */
function isLook(plain: string, { head = "", start, end }: OpenClause): boolean {
  const words = plain.slice(start, end).match(/\p{L}+/gu) ?? [];
  return verbOf(head)?.kind === "read" && !words.some((word) => isSomebody(singularOf(word)));
}

const CODE = /^(?=.*\d)(?=.*[\p{L}@_]).{5,}$|@|^\p{Nd}{7,}$/u;

/** True if a clause has a name, an address, or a code: something that "it" can mean. A sum of money is none. */
function namesThing(plain: string, text: string, { start, end }: OpenClause): boolean {
  if (plain.slice(start, end).includes("·")) return true;
  return (text.slice(start, end).match(/[^\s,;:()!?]+/gu) ?? []).some((token, at) => {
    const word = token.replace(/['’.].*$/u, "");
    const isCapital = /^\p{Lu}\p{L}+$/u.test(word) && momentNeeds(`1 ${word.toLowerCase()}`).length === 0;
    return (isCapital && (at > 0 || !isEnglishWord(word.toLowerCase()))) || CODE.test(token);
  });
}

/** "Acme called and said that it is due. Pay them": who is meant is said, whatever they said. */
export function withSubjects(
  plain: string,
  clauses: readonly OpenClause[],
  sentences: readonly number[],
): readonly OpenClause[] {
  const meant = new Set(
    sentences.flatMap((first, at) => {
      const isMeant = clauses
        .slice(first, sentences[at + 1])
        .some(({ stance, start, end }) => stance === "request" && PERSON.test(plain.slice(start, end)));
      return isMeant && at > 0 ? [sentences[at - 1]] : [];
    }),
  );
  return clauses.flatMap((clause, at) => {
    if (clause.stance !== "report" || clause.isRemark === true || !meant.has(at)) return [clause];
    const length = SUBJECT.exec(plain.slice(clause.start, clause.end))?.[0].length;
    if (length === undefined) return [clause];
    const end = clause.start + length;
    return [
      Object.assign({}, clause, { end, stance: "statement" as const }),
      Object.assign({}, clause, { start: end }),
    ];
  });
}
