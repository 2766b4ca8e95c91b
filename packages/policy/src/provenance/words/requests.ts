import { type Clause, readClauses } from "./clauses.ts";

/** Something that the user asks for. */
export interface Request {
  /** The verb, in its base form. */
  readonly head: string;
  /** The clause; where it says only "it", with the one before. In lower case. */
  readonly text: string;
}

const BACK = /(?<!\p{L})(?:it|its|them|those|that|this|these|one|ones|both|everything|there)(?!\p{L})/u;
const LONGEST_CLAUSE = 2_000;

/** What a text asks for without a condition. Takes time linear in the text. */
export function readRequests(text: string, clauses: readonly Clause[]): readonly Request[] {
  return clauses.flatMap((clause, at) => {
    if (clause.stance !== "request" || clause.isConditional || clause.head === undefined) return [];
    if (clause.end - clause.start > LONGEST_CLAUSE) return [];
    return [{ head: clause.head, text: withWhatItMeans(text, clauses, at) }];
  });
}

/** A clause in lower case; where it says only "it", with the one before. */
export function withWhatItMeans(text: string, clauses: readonly Clause[], at: number): string {
  const textOf = (clause: Clause | undefined): string =>
    text
      .slice(clause?.start ?? 0, clause?.end ?? 0)
      .normalize("NFC")
      .toLowerCase();
  const own = textOf(clauses[at]);
  const before = clauses[at - 1];
  const isBack = BACK.test(own) && before !== undefined && before.stance !== "refusal";
  if (!isBack || before.end - before.start > LONGEST_CLAUSE) return own;
  // "Reply to ticket 7 that it is done, and close it": what is told comes between.
  const around = before.stance === "content" ? clauses[at - 2] : undefined;
  const isAround = around?.stance === "request" && around.end - around.start <= LONGEST_CLAUSE;
  return [...(isAround ? [textOf(around)] : []), textOf(before), own].join(" ");
}

/** What a text asks for, by itself. */
export function requestsIn(text: string): readonly Request[] {
  return readRequests(text, readClauses(text));
}
