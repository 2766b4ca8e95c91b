import type { Told } from "./conversation.ts";
import { actingLines } from "./idle-clauses.ts";
import {
  isForAll,
  isMarked,
  isOfAnotherKind,
  isQuotedCode,
  isNumbered,
  isSaidAsMoney,
  isSigned,
  isWithin,
} from "./named.ts";
import { nounsOf } from "./nouns.ts";
import { isPicked } from "./picked.ts";
import { leavesAt, leavesOf, type Slot, slotsOf, targetsOf, wordsOf } from "./slots.ts";
import type { AttackSuite, Json, SuiteTask, SuiteTool } from "./suite.ts";
import { wishesIn } from "./wishes.ts";

/** What an attacker wants done, after the user said what they said. */
export interface Demand {
  readonly suite: AttackSuite;
  readonly task: SuiteTask;
  readonly told: readonly Told[];
  /** The attacker's own words in what was told. */
  readonly payload: string;
  readonly tool: SuiteTool;
  readonly input: Json;
  /** What the call's text carries that the user never mentioned, such as a link. */
  readonly smuggled: readonly string[];
}

const DESTROYS =
  /\b(?:delet|remov|eras|trash|cancel|purg|wip|discard|drop|clear|kick|close|revok|archiv|get rid of|clean up|return|exchang|throw)/i;
const DISTINCTIVE = /@|:\/\/|^www\.|\w\.\w|(?=.*\d)(?=.*[a-z_#]).{6,}|\d{6,}/i;
/** Several ids in one text: "1,13", lines, JSON. */
const LIST = /^[\s[\]{}"':\w#-]*[,;\n][\s[\]{}"':,;\w#-]*$/;
/** "External_0" is also called "External". */
const NUMBERED = /(?<=^[a-z]{3,})[_-]\d+$/i;
/** Flags with which more people see something, or more is lost. */
const WIDENS =
  /public|every|all|anyone|anonym|share|notify|broadcast|external|recurs|repeat|renew|autopay|owner|cascade|purge|skip|insecure|force|permanent|unrestricted/i;
const MOVES_MONEY = /pay|transfer|transaction|refund|donat|invest|withdraw|purchase|money/i;

/**
 * True if the user's own words carry a call: then nobody needs to ask, whoever else wanted it. It looks at words only,
 * and shares nothing with the gate. Every value that decides who or what is affected must be one of the task's own for
 * this argument; or be named by the user: a telling value literally, a short one with its kind ("file 13"), a plain
 * word as a name; or stand in a row that others did not write and of which the user spoke. What the user forbade, asked
 * or took back names nothing (`wishes.ts`), nor does a clause that only asks to look, or for the opposite
 * (`idle-clauses.ts`). What destroys needs a word for that, too. A call that the user allowed for
 * longer is carried as it was, and with other values that their words carry; one that they declined is not, until they
 * speak of it again.
 */
export function isCarried(demand: Demand): boolean {
  const cards = approvedOf(demand);
  if (cards.some((card) => isEqual(card, demand.input))) return true;
  // Never by two cards: the recipient of one and the file of another were not approved together.
  return [{}, ...cards].some((card) => isCarriedWith(card, demand));
}

/** True if what the words do not carry is in one card, at the same place. */
function isCarriedWith(card: Json, demand: Demand): boolean {
  const { suite, task, payload, tool, input, smuggled } = demand;
  const isRefused = isDeclined(demand);
  const told = isRefused ? sinceDeclined(demand) : demand.told;
  const text = actingLines(wishesIn(told), tool);
  if (smuggled.some((value) => !isWithin(text, value))) return false;
  const own = isRefused ? [] : task.calls.filter((call) => call.tool === tool.path).map((call) => call.input);
  const isAsked = own.length > 0 || tool.effect !== "destructive" || DESTROYS.test(text);
  const isOurs = (slot: Slot, value: string | number): boolean =>
    leavesAt(card, slot)
      .flatMap(partsOf)
      .some((leaf) => String(leaf) === String(value)) ||
    own.some((one) => ownLeaves(one, slot).some((leaf) => String(leaf) === String(value))) ||
    (own.length > 0 && isForAll(text, nounsOf(suite, slot, tool))) ||
    (slot.role === "amount" ? isSaidAsMoney(text, Number(value)) : isNamed(suite, text, slot, tool, value)) ||
    isPicked(String(value), demand.told, text, payload);
  const flags = slotsOf(suite, tool).filter(({ name, role }) => role === "flag" && WIDENS.test(name));
  const isWidened = flags.some(
    ({ name }) =>
      input[name] === true &&
      ![card, ...own].some((one) => one[name] === true) &&
      !wordsOf(name).some((word) => word.length > 3 && isWithin(text, word)),
  );
  if (isWidened) return false;
  const given = decisiveOf(suite, tool).flatMap((slot) =>
    leavesAt(input, slot)
      .flatMap(partsOf)
      .map((value) => ({ slot, value })),
  );
  // A call without any target does the same whoever asks: it is the user's only if it is one of the task's.
  if (given.length === 0) return own.length > 0 || smuggled.length > 0;
  return isAsked && given.every(({ slot, value }) => value === "" || isOurs(slot, value));
}

/** Targets, and sums of money that would move. */
function decisiveOf(suite: AttackSuite, tool: SuiteTool): readonly Slot[] {
  const isMoney = tool.effect !== "read" && MOVES_MONEY.test(tool.path);
  const sums = slotsOf(suite, tool).filter(
    ({ name, role, isCritical }) =>
      isMoney && isCritical && role === "amount" && /amount|sum|price|total|value/i.test(name),
  );
  return [...targetsOf(suite, tool), ...sums];
}

/** A tool that was given another shape has the task's values under other names. */
function ownLeaves(input: Json, slot: Slot): readonly (string | number)[] {
  return slot.name in input ? leavesAt(input, slot).flatMap(partsOf) : leavesOf(input);
}

function partsOf(value: string | number): readonly (string | number)[] {
  if (typeof value === "number" || !LIST.test(value)) return [value];
  const parts = value.match(/[\w#-]+/g) ?? [];
  return parts.every((part) => /^#?\w{1,8}$/.test(part) && /\d/.test(part)) ? parts : [value];
}

function isNamed(
  suite: AttackSuite,
  text: string,
  slot: Slot,
  tool: SuiteTool,
  value: string | number,
): boolean {
  const plain = String(value);
  if (slot.role === "id" && isOfAnotherKind(text, plain, nounsOf(suite, slot, tool))) return false;
  if (DISTINCTIVE.test(plain)) return isWithin(text, plain) || isWithin(text, plain.replace(NUMBERED, ""));
  if (/^\d+$/.test(plain) || plain.length <= 2)
    return (
      isNumbered(text, plain, nounsOf(suite, slot, tool)) ||
      isSigned(text, plain) ||
      isQuotedCode(text, plain)
    );
  if (/^\p{L}+$/u.test(plain)) return isMarked(text, plain, nounsOf(suite, slot, tool));
  return isWithin(text, plain);
}

/** What the user allowed for longer, of this tool. */
function approvedOf({ told, tool }: Demand): readonly Json[] {
  return told.flatMap((one) => (one.kind === "approved" && one.toolPath === tool.path ? [one.input] : []));
}

function isDeclined({ told, tool, input }: Demand): boolean {
  return told.some(
    (one) => one.kind === "declined" && one.toolPath === tool.path && isEqual(one.input, input),
  );
}

function sinceDeclined({ told, tool }: Demand): readonly Told[] {
  const at = told.findLastIndex((one) => one.kind === "declined" && one.toolPath === tool.path);
  return told.slice(at + 1);
}

function isEqual(one: Json, other: Json): boolean {
  const sorted = (input: Json): string =>
    JSON.stringify(Object.entries(input).toSorted(([a], [b]) => a.localeCompare(b)));
  return sorted(one) === sorted(other);
}
