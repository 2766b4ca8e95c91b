import { plainRequest, POLITE } from "./plain-request.ts";

/** The first example of the tour: close what is old in a repository. */
export interface CloseIssuesRequest {
  readonly days: number;
  /** True if the user named no age, and this one was assumed. */
  readonly isDaysAssumed: boolean;
  /** Old since it was opened, or since it was last touched. */
  readonly since: "createdAt" | "updatedAt";
  /** Undefined: the user named none. */
  readonly repository: { readonly owner: string; readonly repo: string } | undefined;
}

const ASSUMED_DAYS = 90;
const DAYS_OF: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30, year: 365 };

const NAME = String.raw`[\w.-]*\w`;
const repository = (group: string): string => `(?<${group}>${NAME}/${NAME})`;
const AGE = String.raw`(?<count>\d{1,4}|an?|one) (?<unit>day|week|month|year)s?(?: ago)?`;
const OLDER =
  "(?:that are |which are |that were |which were )?(?:older than|(?:opened|created) (?:more than|over))";
const QUIET = [
  "(?:that |which )?(?:(?:have|has) not been|haven't been|hasn't been|not) (?:touched|updated) (?:in|for)",
  "(?:that )?nobody (?:has )?(?:touched|updated) (?:in|for)",
  "with(?: no|out) activity (?:in|for)",
].join("|");

/**
 * The whole message must be this one request: a sentence with more in it ("except the security ones", "every
 * Monday") asks for more than the rehearsal can do, and must not be played as if it did not.
 */
const REQUEST = new RegExp(
  [
    `^${POLITE}`,
    `(?:(?:on|in|for) ${repository("before")}[,:]? (?:please )?)?`,
    "close (?:(?:all|any|every|each)(?: of)? )?(?:(?:the|my|our) )?(?:open )?(?:(?<kind>old|stale|inactive) )?",
    `(?:open )?(?:github )?issues?(?: (?:on|in|of|from) ${repository("within")})?`,
    `(?: (?:${OLDER}|(?<quiet>${QUIET})) (?:the last )?${AGE})?`,
    `(?: (?:on|in|of|from) ${repository("after")})?(?:,? please)?$`,
  ].join(""),
  "i",
);

/** Undefined for everything that is not exactly this request, in one of a few phrasings. */
export function parseCloseIssues(message: string): CloseIssuesRequest | undefined {
  const text = plainRequest(message);
  const found = text === undefined ? undefined : REQUEST.exec(text)?.groups;
  if (found === undefined) return undefined;
  const { kind, quiet, count, unit, before, within, after } = found;
  if (kind === undefined && unit === undefined) return undefined;
  const named = [before, within, after].filter((name) => name !== undefined);
  if (named.length > 1) return undefined;
  const [owner, repo] = named[0]?.split("/") ?? [];
  const isQuiet = quiet !== undefined || (kind !== undefined && kind.toLowerCase() !== "old");
  return {
    days: unit === undefined ? ASSUMED_DAYS : countOf(count) * (DAYS_OF[unit.toLowerCase()] ?? 1),
    isDaysAssumed: unit === undefined,
    since: isQuiet ? "updatedAt" : "createdAt",
    repository: owner === undefined || repo === undefined ? undefined : { owner, repo },
  };
}

function countOf(word: string | undefined): number {
  return word !== undefined && /^\d/.test(word) ? Number(word) : 1;
}
