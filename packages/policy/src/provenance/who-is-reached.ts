import type { PolicyTool } from "../policy.ts";
import type { DeclaredInput } from "./declared-input.ts";
import { findCarriers } from "./find-carriers.ts";
import { CONTENT, isContentName } from "./content-names.ts";
import type { InputLeaf } from "./input-leaves.ts";
import reachWords from "./reach-words.json" with { type: "json" };
import { momentNeeds } from "./read-date.ts";
import { wordsOfName } from "./words-of-name.ts";

const RECIPIENTS: ReadonlySet<string> = new Set(reachWords.recipients);
const WIDENING: ReadonlySet<string> = new Set(reachWords.widening);
const NARROWING: ReadonlySet<string> = new Set(reachWords.narrowing);
const AUDIENCES: ReadonlySet<string> = new Set(reachWords.audiences);
const ATTACHED: ReadonlySet<string> = new Set(reachWords.attached);
const REPEATS: ReadonlySet<string> = new Set(reachWords.repeats);
const LASTING: ReadonlySet<string> = new Set(reachWords.lasting);
const ROLES: ReadonlySet<string> = new Set(reachWords.roles);
const POWERS: ReadonlySet<string> = new Set(reachWords.powers);
const EXECUTED: ReadonlySet<string> = new Set(reachWords.executed);
const LEAST_RIGHTS: ReadonlySet<string> = new Set(reachWords.leastRights);
const REQUESTS: ReadonlySet<string> = new Set(reachWords.requests);
const GUARDS: ReadonlySet<string> = new Set(reachWords.guards);
const ONE_LINE: ReadonlySet<string> = new Set(reachWords.oneLine);
const PROSE: ReadonlySet<string> = new Set(reachWords.prose);
const SUMS: ReadonlySet<string> = new Set(reachWords.sums);
const TELEPHONE_DIGITS = 7;
const MOST_WORDS = 4;

/** True if the argument's name says who gets something, whatever else the tool's author listed as critical. */
export function namesRecipient({ names, value }: InputLeaf): boolean {
  if (typeof value === "boolean") return false;
  if (typeof value === "number" && String(value).length < TELEPHONE_DIGITS) return false;
  if (momentNeeds(String(value).toLowerCase()).length > 0) return false;
  return names.some(isRecipientName);
}

export function isRecipientName(name: string): boolean {
  return name.toLowerCase() === "replyto" || wordsOfName(name).some((word) => RECIPIENTS.has(word));
}

/**
 * True if a value decides where something goes, or what goes with it, whatever the author listed as critical: it leads
 * somewhere and stands where no text is asked for, or the argument's name says so.
 */
export function decidesTarget(
  leaf: InputLeaf,
  tool: Pick<PolicyTool, "effect" | "critical" | "describedBy">,
  declared: Pick<DeclaredInput, "isUncritical" | "isDeclared" | "isRequired">,
): boolean {
  if (namesRecipient(leaf)) return true;
  const { name, value } = leaf;
  if (typeof value === "string" && (MAIL_ADDRESS.test(name) || LINK.test(name))) return true;
  if (typeof value === "boolean" || isWaived(leaf, tool, declared)) return false;
  const words = wordsOfName(name);
  const has = (among: ReadonlySet<string>): boolean => words.some((word) => among.has(word));
  if (has(ATTACHED) || (leaf.names.some(isAttachedName) && (name === "name" || !has(CONTENT)))) return true;
  if (has(REPEATS) || has(LASTING) || (tool.effect === "destructive" && !has(PROSE))) return true;
  if (has(GUARDS)) return true;
  if (typeof value !== "string") return false;
  if (has(EXECUTED) || CHANGES_DATA.test(value)) return true;
  // Behind a line break in a subject, other lines of a mail's head begin.
  const isText = has(CONTENT) && !(has(ONE_LINE) && /[\r\n]/.test(value));
  return (
    !isText &&
    (REPEATING.test(value) || findCarriers(value).length > 0 || findCarriers(decoded(value)).length > 0)
  );
}

/** Whatever stands there is an address, in whatever disguise; not `email_subject`. */
const MAIL_ADDRESS = /(?:^|[_-])e-?mails?(?:[_-]?address(?:es)?)?$|Emails?(?:Address(?:es)?)?$/i;

/** The same of links, also in letters that no domain has: `link`, `imageUrl`; not `link_text`. */
const LINK =
  /(?:^|[_-])(?:ur[li]|link|href|website|hostname)s?$|(?:Ur[li]|URL|Link|Href|Website|Hostname)s?$/;

/** A statement of SQL that does more than look. */
const CHANGES_DATA =
  /^\s*(?:delete\s+from|insert\s+into|drop\s+(?:table|database|schema|index|view|user)|truncate\s+(?:table\s+)?|alter\s+(?:table|user|role|database)|update\s+\S+\s+set|grant\s+.{1,80}\s+(?:on|to)|merge\s+into)\s*\S/i;
/** What says how often, under whatever name. */
const REPEATING =
  /(?<!\p{L})(?:every|each|daily|weekly|monthly|quarterly|hourly|yearly|annually|FREQ=)(?!\p{L})|^(?:[\d*,/-]+\s+){4}[\d*,/A-Z-]+$/iu;
const ENCODED = /^[\w+/-]{12,2000}={0,2}$/;

/** What one long word says in base64; empty where it says nothing in plain letters. */
function decoded(value: string): string {
  if (!ENCODED.test(value)) return "";
  try {
    const text = atob(value.replaceAll("-", "+").replaceAll("_", "/"));
    return /^[\t\n\r -~]+$/.test(text) ? text : "";
  } catch {
    return "";
  }
}

/**
 * True if the author says that this decides nothing, or that nothing of what the tool writes does; the latter is not
 * believed of an argument that may be left out.
 */
export function isWaived(
  { name, argument }: InputLeaf,
  { effect, critical, describedBy }: Pick<PolicyTool, "effect" | "critical" | "describedBy">,
  { isUncritical, isDeclared, isRequired }: Pick<DeclaredInput, "isUncritical" | "isDeclared" | "isRequired">,
): boolean {
  const isExtra = isDeclared(argument) && !isRequired(argument);
  return (
    (effect === "write" && critical.length === 0 && !isExtra) ||
    (describedBy === undefined && isUncritical(name))
  );
}

/** True of an argument that takes what is to be run. */
export function isCommandName(name: string): boolean {
  return wordsOfName(name).some((word) => EXECUTED.has(word));
}

/** True of an argument that takes what somebody is asked to do. */
export function isRequestName(name: string): boolean {
  return wordsOfName(name).some((word) => REQUESTS.has(word));
}

function isAttachedName(name: string): boolean {
  return wordsOfName(name).some((word) => ATTACHED.has(word));
}

/** True of an argument that says how much is given, or of what, and of no other numbers. */
export function namesSum({ name, value }: InputLeaf): boolean {
  const words = wordsOfName(name);
  if (typeof value === "boolean") return false;
  if (isCurrencyName(name)) return true;
  return isFigure(value) ? words.some((word) => SUMS.has(word)) : SUMS.has(words.at(-1) ?? "");
}

/** True of an argument that says of what a sum is. */
export function isCurrencyName(name: string): boolean {
  return wordsOfName(name).some((word) => CURRENCY_WORDS.has(word));
}

const CURRENCY_WORDS: ReadonlySet<string> = new Set("currency denomination asset coin".split(" "));
const SCALES: ReadonlySet<string> = new Set("unit units scale magnitude factor multiple".split(" "));

/** True of what says how many times a sum of the same call counts: `{ amount: 20, unit: "thousand" }`. */
export function scalesSum({ name, value }: InputLeaf, all: readonly InputLeaf[]): boolean {
  if (typeof value === "boolean" || !wordsOfName(name).some((word) => SCALES.has(word))) return false;
  return all.some((one) => one.name !== name && isFigureValue(one) && namesSum(one));
}

function isFigureValue({ value }: InputLeaf): boolean {
  return typeof value !== "boolean" && isFigure(value);
}

/** A number, a date or a time, also as text. */
export function isFigure(value: string | number): boolean {
  return typeof value === "number" || (/^[\s\d.,:+%$€£¥tz'’/-]+$/i.test(value) && !/\d{8}/.test(value));
}

/**
 * The words with which the user would say a value that lets more people see or hear of something, or loses more of it:
 * `is_public: true`, `private: false`, `visibility: "public"`. Undefined of other values.
 */
export function wideningWords(
  { name, value }: InputLeaf,
  { isOffered }: Pick<DeclaredInput, "isOffered">,
): readonly string[] | undefined {
  const words = wordsOfName(name);
  if (typeof value === "boolean") {
    const isWide = value ? hasWidening(words) : words.some((word) => NARROWING.has(word));
    return isWide ? words : undefined;
  }
  if (typeof value !== "string") return undefined;
  const isChoice = words.some((word) => AUDIENCES.has(word)) || isOffered(value);
  const chosen = wordsOfName(value);
  const isPower = chosen.some((word) => POWERS.has(word)) || value.includes("*");
  if (words.some((word) => ROLES.has(word)) && isPower)
    return chosen.length === 0 ? ["all", ...words] : chosen;
  return isChoice && chosen.length <= MOST_WORDS && hasWidening(chosen) ? chosen : undefined;
}

/** True of an argument for somebody's rights. */
export function isRoleName(name: string): boolean {
  return wordsOfName(name).some((word) => ROLES.has(word));
}

/** Words with which the user may give the same rights: "for editing" makes a writer. */
export function wordsForRights(word: string): readonly string[] {
  return reachWords.sameRights.find((words) => words.includes(word)) ?? [word];
}

/** True of the right to read, which is in being given a thing at all. */
export function isLeastRight({ name, value }: InputLeaf): boolean {
  return typeof value === "string" && LEAST_RIGHTS.has(value.toLowerCase()) && isRoleName(name);
}

/** How often something is done, as a value says it, in the words with which the user would: `monthly`. */
export function wordsForRepeating(value: string): readonly (readonly string[])[] {
  const adverb = value.trim().toLowerCase();
  const every = EVERY[adverb];
  return every === undefined ? [] : [[adverb], ["every", every], ["each", every], ["per", every]];
}

const EVERY: Readonly<Record<string, string>> = {
  hourly: "hour",
  daily: "day",
  weekly: "week",
  monthly: "month",
  quarterly: "quarter",
  yearly: "year",
  annually: "year",
};

/** The words by which an argument's name says that something is done again and again. */
export function repeatingWords(name: string): readonly string[] {
  return wordsOfName(name).filter((word) => REPEATS.has(word));
}

/** "All" only at the end: `notify_all`, not `all_day`. */
function hasWidening(words: readonly string[]): boolean {
  return words.at(-1) === "all" || words.some((word) => WIDENING.has(word));
}

/** True of what may be somebody's name or handle, where no text is asked for. Plain words such as "high" are none. */
export function mayBeName({ name, names, value }: InputLeaf): boolean {
  return (
    typeof value === "string" &&
    (/[\s\d@#_]/.test(value.trim()) || wordsOfName(name).includes("owner")) &&
    value.trim().split(/\s+/).length <= MOST_WORDS &&
    !names.some(isContentName)
  );
}
