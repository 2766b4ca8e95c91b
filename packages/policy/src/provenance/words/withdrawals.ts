import type { Clause, Stance } from "./clauses.ts";
import { verbOf } from "../../inference/verbs.ts";
import clauseWords from "./clause-words.json" with { type: "json" };

const { before, phrases, after } = clauseWords.withdrawals;
const WITHDRAWS = new RegExp(
  String.raw`^\W*(?:(?:${before.join("|")})(?!\p{L})\W*)*(?:${phrases.join("|")})(?:\W+(?:${after.join("|")}))*\W*$`,
  "u",
);
const WANTED: ReadonlySet<Stance> = new Set(["request", "statement"]);

const UNDOING = new RegExp(clauseWords.withdrawals.undoing, "u");

const NARROWS = new RegExp(clauseWords.withdrawals.narrowing, "u");

type Changing = { -readonly [Key in keyof Clause]: Clause[Key] };

/** True of a clause that takes back what was asked before it, and names nothing itself: "never mind". Lower case. */
function withdraws(said: string): boolean {
  return said.length < 200 && WITHDRAWS.test(said);
}

/**
 * A withdrawal takes back the request before it: all of that sentence, and what was said since. `sentences`: where the
 * clauses of each sentence begin.
 */
export function withdraw(plain: string, clauses: readonly Changing[], sentences: readonly number[]): void {
  for (const [at, clause] of clauses.entries()) {
    const said = plain.slice(clause.start, clause.end);
    if (clause.isRemark !== true && !withdraws(said) && !undoes(said, clauses, at)) continue;
    if (isKeptAsDraft(said, clauses, at)) continue;
    clause.stance = "refusal";
    let isFound = false;
    for (let last = at - 1; last >= 0; last -= 1) {
      const one = clauses[last];
      if (one === undefined) break;
      isFound ||= one.stance === "request";
      if (WANTED.has(one.stance)) one.stance = "refusal";
      if (isFound && sentences.includes(last)) break;
    }
  }
}

/** "Draft an answer. Don't send it yet": it is still to be written. */
function isKeptAsDraft(said: string, clauses: readonly Changing[], at: number): boolean {
  const head = clauses.slice(0, at).findLast(({ head: verb }) => verb !== undefined)?.head;
  return head !== undefined && DRAFTING.has(head) && NOT_SENT.test(said);
}

const DRAFTING: ReadonlySet<string> = new Set(["draft", "outline", "sketch", "prepare"]);
const NOT_SENT =
  /^\W*(?:(?:but|and|please|just) )*(?:do not|don['’]t|dont) (?:send|post|mail|publish|submit)(?: (?:it|them|anything))?(?: (?:yet|for now|out|off|now|though|please))*\W*$/u;

/** "Cancel that" is about the request before it; "cancel it" is, unless that only looked for something. */
function undoes(said: string, clauses: readonly Changing[], at: number): boolean {
  const what = UNDOING.exec(said)?.[1];
  if (what === undefined) return false;
  const kind = verbOf(clauses.slice(0, at).findLast(({ stance }) => stance === "request")?.head ?? "")?.kind;
  return what !== "it" || (kind !== "read" && kind !== "browse");
}

export function hasWithdrawal(text: string, clauses: readonly Clause[]): boolean {
  return clauses.some(
    ({ start, end, isRemark }) => isRemark === true || withdraws(text.slice(start, end).toLowerCase()),
  );
}

/**
 * True if a message takes back what was asked in the one before: it withdraws, narrows down ("only file 4"), or undoes
 * it, and asked for nothing until then. `asked`: the verb of the last request before it.
 */
export function withdrawsEarlier(text: string, clauses: readonly Clause[], asked = ""): boolean {
  const kind = verbOf(asked)?.kind;
  const isLook = kind === "read" || kind === "browse";
  const at = clauses.findIndex(({ start, end, isRemark }) => {
    const said = text.slice(start, end).toLowerCase();
    if (isRemark === true || withdraws(said) || NARROWS.test(said)) return true;
    const what = UNDOING.exec(said)?.[1];
    return what !== undefined && !(what === "it" && isLook);
  });
  return at !== -1 && clauses.slice(0, at).every(({ head }) => head === undefined);
}
