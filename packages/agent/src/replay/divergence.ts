import { isRecord, shorten } from "@deputy/kit";
import { REDACTED } from "@deputy/secrets";

/** How a text ends that was cut when it was written down. */
const CUT = /…(?: \(\d+ characters in all\))?$/;

/** True for a text that was cut when it was written down. */
export function isCutText(value: unknown): boolean {
  return typeof value === "string" && CUT.test(value);
}

/** The first place where a replay differs from the record. */
export interface Divergence {
  /** Which event of the record it is about. */
  readonly seq: number;
  readonly what: string;
  /** An excerpt of what the record says. */
  readonly expected: string;
  /** An excerpt of what came when it was run again. */
  readonly came: string;
}

export type Difference = Omit<Divergence, "seq">;

/** Compares JSON values; what was redacted when the first was recorded counts as the same. */
export function firstDifference(what: string, recorded: unknown, came: unknown): Difference | undefined {
  if (typeof recorded === "string" && typeof came === "string")
    return isSameButRedacted(recorded, came) ? undefined : { what, ...excerpts(recorded, came) };
  if (Array.isArray(recorded) && Array.isArray(came)) return differenceInLists(what, recorded, came);
  if (isRecord(recorded) && isRecord(came)) return differenceInRecords(what, recorded, came);
  return Object.is(recorded, came) ? undefined : { what, expected: show(recorded), came: show(came) };
}

function differenceInLists(
  what: string,
  recorded: readonly unknown[],
  came: readonly unknown[],
): Difference | undefined {
  for (let n = 0; n < Math.max(recorded.length, came.length); n++) {
    const difference = firstDifference(`${what}[${n}]`, recorded[n], came[n]);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function differenceInRecords(
  what: string,
  recorded: Readonly<Record<string, unknown>>,
  came: Readonly<Record<string, unknown>>,
): Difference | undefined {
  const names = Object.keys(recorded);
  // A name that was redacted then is one of the others' now.
  if (!names.some((name) => name.includes(REDACTED))) names.push(...Object.keys(came));
  for (const name of new Set(names.filter((one) => !one.includes(REDACTED)))) {
    const difference = firstDifference(`${what}.${name}`, memberOf(recorded, name), memberOf(came, name));
    if (difference !== undefined) return difference;
  }
  return undefined;
}

/** Not what every object inherits. */
function memberOf(value: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

const EXCERPT_CHARS = 200;

/** How much of what is still the same stands before the first difference. */
const LEAD_CHARS = 40;

/** The parts around the first difference of two long texts. */
function excerpts(recorded: string, came: string): Pick<Difference, "expected" | "came"> {
  let same = 0;
  while (same < recorded.length && recorded[same] === came[same]) same += 1;
  const isLong = Math.max(recorded.length, came.length) > EXCERPT_CHARS;
  const from = isLong ? Math.max(same - LEAD_CHARS, 0) : 0;
  const cut = (text: string): string => `${from > 0 ? "…" : ""}${shorten(text.slice(from), EXCERPT_CHARS)}`;
  return { expected: cut(recorded), came: cut(came) };
}

export function show(value: unknown): string {
  return value === undefined ? "nothing" : shorten(JSON.stringify(value), EXCERPT_CHARS);
}

/**
 * Is the recorded text the same as this one, apart from redactions? The secrets of that time are not known any more,
 * so any text may stand where one was removed. If the recorded text was also cut, the part after the redaction is
 * compared as far as both texts go.
 */
export function isSameButRedacted(recorded: string, raw: string): boolean {
  if (recorded === raw) return true;
  if (!recorded.includes(REDACTED)) return false;
  const isCut = CUT.test(recorded);
  const [first = "", ...others] = recorded.replace(isCut ? CUT : "", "").split(REDACTED);
  const text = isCut ? raw.replace(CUT, "") : raw;
  const last = others.pop() ?? "";
  if (!text.startsWith(first)) return false;
  let from = first.length;
  for (const piece of others) {
    const at = text.indexOf(piece, from);
    if (at < 0) return isCut;
    from = at + piece.length;
  }
  return isCut || (text.endsWith(last) && text.length - last.length >= from);
}
