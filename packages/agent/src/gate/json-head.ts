import type { Redactor } from "@deputy/secrets";
import { endOfString } from "./json-size.ts";

/** A value that was made shorter, and where that happened: the parts of it that are not whole. */
export interface FittedValue {
  readonly value: unknown;
  readonly parts: readonly CutPart[];
}

export interface CutPart {
  /** As a program would write it, such as `data.rows`; empty for the value itself. */
  readonly path: string;
  readonly unit: "items" | "fields" | "characters";
  readonly shown: number;
  readonly of: number;
}

/** A cut is remembered by its position, because names may be redacted later. */
type Cuts = Map<string, { readonly at: Position; readonly of: number }>;
type Position = readonly number[];

/** A collection with more members is cut to whole members; one with fewer shares its room among all of them. */
const FEW = 12;
/** A member is not cut to less than this: then it is left out. */
const LEAST_CHARS = 24;
/** More parts are counted, not named. */
const NAMED_PARTS = 20;

/**
 * Makes a JSON value so short that its text has about as many characters as asked for: of long lists the first items,
 * each whole; what is short beside them stays; a text that is cut ends in `…`. Of a value far too long, only so much
 * is redacted as may be shown.
 */
export function fitJson(
  value: unknown,
  chars: { readonly redacted: number; readonly shown: number },
  redactor: Pick<Redactor, "json" | "stream">,
): FittedValue {
  const cuts: Cuts = new Map();
  const certain = (text: string, room: number, key: string | undefined): string =>
    certainOf(redactor, key, text.slice(0, room));
  const near = shrink(value, chars.redacted, { cuts, cut: certain }, [], undefined);
  const redacted = redactor.json(near);
  const plain = (text: string, room: number): string => wholeCharacters(text.slice(0, room));
  const shown = shrink(redacted, chars.shown, { cuts, cut: plain }, [], undefined);
  return { value: shown, parts: namedParts(shown, cuts) };
}

interface Shrinking {
  readonly cuts: Cuts;
  readonly cut: (text: string, room: number, key: string | undefined) => string;
}

function shrink(value: unknown, room: number, to: Shrinking, at: Position, key: string | undefined): unknown {
  if (charsOf(value, room) <= room) return value;
  const note = (of: number): void => {
    const id = at.join();
    if (!to.cuts.has(id)) to.cuts.set(id, { at, of });
  };
  if (typeof value === "string") {
    const isCut = to.cuts.has(at.join());
    note(value.length);
    // Escapes count as well, so that a text of nothing else is not six times as long.
    const escaped = charsOf(value, Infinity) / Math.max(value.length, 1);
    const kept = to.cut(isCut ? value.slice(0, -1) : value, Math.floor((room - 3) / escaped), key);
    return `${kept}…`;
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const kept =
    entries.length > FEW ||
    room < entries.reduce((sum, [name]) => sum + besides(name, value) + LEAST_CHARS, 2)
      ? wholeMembers(entries, value, room, to, at)
      : sharedMembers(entries, value, room, to, at);
  if (kept.length < entries.length) note(entries.length);
  return Array.isArray(value) ? kept.map(([, one]) => one) : Object.fromEntries(kept);
}

type Entry = readonly [string, unknown];

/** As many from the first as have room. If not even the first has, it is cut itself. */
function wholeMembers(
  entries: readonly Entry[],
  of: object,
  room: number,
  to: Shrinking,
  at: Position,
): readonly Entry[] {
  let left = room - 2;
  const kept: Entry[] = [];
  for (const [key, one] of entries) {
    left -= charsOf(one, left) + besides(key, of);
    if (left < 0) break;
    kept.push([key, one]);
  }
  const [first] = entries;
  if (kept.length > 0 || first === undefined) return kept;
  const [key, one] = first;
  const inside = room - 2 - besides(key, of);
  return inside < LEAST_CHARS ? [] : [[key, shrink(one, inside, to, [...at, 0], named(key, of))]];
}

/** What is short stays whole; the long ones share what is left. */
function sharedMembers(
  entries: readonly Entry[],
  of: object,
  room: number,
  to: Shrinking,
  at: Position,
): readonly Entry[] {
  let left = room - 2 - entries.reduce((sum, [key]) => sum + besides(key, of), 0);
  const sizes = entries.map(([, one], index) => ({ index, chars: charsOf(one, room) }));
  const rooms = new Map<number, number>();
  for (const [nth, { index, chars }] of sizes.toSorted((a, b) => a.chars - b.chars).entries()) {
    const share = Math.max(Math.min(chars, Math.floor(left / (sizes.length - nth))), LEAST_CHARS);
    rooms.set(index, share);
    left -= share;
  }
  return entries.map(([key, one], index): Entry => {
    const inside = rooms.get(index) ?? LEAST_CHARS;
    return [key, shrink(one, inside, to, [...at, index], named(key, of))];
  });
}

/** The characters around a member: its name, a colon, a comma. */
function besides(key: string, of: object): number {
  return Array.isArray(of) ? 1 : key.length + 4;
}

function named(key: string, of: object): string | undefined {
  return Array.isArray(of) ? undefined : key;
}

/** How many characters a value has as JSON, counted only until they are more than `most`. */
function charsOf(value: unknown, most: number): number {
  if (typeof value === "string") return value.length > most ? value.length : JSON.stringify(value).length;
  if (typeof value !== "object" || value === null) return String(value).length;
  let chars = 2;
  for (const key in value) {
    if (chars > most) break;
    chars += charsOf((value as Record<string, unknown>)[key], most - chars) + besides(key, value);
  }
  return chars;
}

function namedParts(shown: unknown, cuts: Cuts): readonly CutPart[] {
  const parts: CutPart[] = [];
  for (const { at, of } of cuts.values()) {
    let [value, path]: [unknown, string] = [shown, ""];
    for (const index of at) {
      const entry = typeof value === "object" && value !== null ? Object.entries(value)[index] : undefined;
      path += entry === undefined ? "" : pathStep(entry[0], value, path);
      value = entry?.[1];
    }
    if (typeof value === "string")
      parts.push({ path, unit: "characters", shown: Math.max(value.length - 1, 0), of });
    else if (Array.isArray(value)) parts.push({ path, unit: "items", shown: value.length, of });
    else if (typeof value === "object" && value !== null)
      parts.push({ path, unit: "fields", shown: Object.keys(value).length, of });
    if (parts.length === NAMED_PARTS) break;
  }
  return parts;
}

function pathStep(key: string, of: unknown, path: string): string {
  if (Array.isArray(of)) return `[${key}]`;
  if (!/^[A-Za-z_$][\w$]{0,63}$/.test(key)) return `[${JSON.stringify(key.slice(0, 64))}]`;
  return path === "" ? key : `.${key}`;
}

/** Not half of a character that has two units. */
function wholeCharacters(text: string): string {
  return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text;
}

/**
 * Parses the beginning of a JSON text, for a short display: every value within the first characters. If a string is
 * cut there, the result holds only the part that is certain not to be part of a secret.
 */
export function jsonHead(json: string, chars: number, redactor: Pick<Redactor, "stream">): unknown {
  /** All before it can stand alone, once it is closed. */
  let cut = 0;
  const open: string[] = [];
  /** The key of the member whose value comes next. */
  let key: string | undefined;
  for (let at = 0; at < chars; at++) {
    const char = json[at];
    if (char === '"') {
      const end = endOfString(json, at);
      const isKey = open.at(-1) === "{" && key === undefined;
      if (end >= chars && isKey) break;
      if (end >= chars) {
        const told = certainOf(redactor, key, beginningOf(json.slice(at + 1, chars)));
        return closed(json.slice(0, at) + JSON.stringify(told));
      }
      if (isKey) key = JSON.parse(json.slice(at, end + 1)) as string;
      at = end;
    } else if (char === "{" || char === "[") {
      open.push(char);
      key = undefined;
      cut = at + 1;
    } else if (char === "}" || char === "]") {
      open.pop();
      cut = at + 1;
    } else if (char === ",") {
      key = undefined;
      cut = at;
    }
  }
  return closed(json.slice(0, cut));
}

/** The value of a text that was cut between two values. */
function closed(text: string): unknown {
  const closers: string[] = [];
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '"') at = endOfString(text, at);
    else if (char === "{") closers.push("}");
    else if (char === "[") closers.push("]");
    else if (char === "}" || char === "]") closers.pop();
  }
  return JSON.parse(text === "" ? "null" : text + closers.toReversed().join(""));
}

const LONGEST_ESCAPE = 6;

/** The beginning of a string that may be cut anywhere, even inside an escape. */
function beginningOf(raw: string): string {
  for (let end = raw.length; end >= raw.length - LONGEST_ESCAPE; end--) {
    try {
      return JSON.parse(`"${raw.slice(0, end)}"`) as string;
    } catch {
      // Cut within an escape.
    }
  }
  return "";
}

/** Under its key, which may say that it is a secret. */
function certainOf(redactor: Pick<Redactor, "stream">, key: string | undefined, text: string): string {
  const prefix = key === undefined ? "" : `${key}: `;
  const certain = redactor.stream().push(prefix + text);
  return certain.startsWith(prefix) ? certain.slice(prefix.length) : "";
}
