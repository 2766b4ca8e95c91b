import { type CallId, cutMiddle, shorten, showOnOneLine, showText, type TextRoom } from "@deputy/kit";
import type { ApprovalPreview } from "../events/call-events.ts";
import type { CardPart } from "../wire/approval-card.ts";

/** A call that waits for an answer, as the log has it. */
export interface CallAsked {
  readonly callId?: CallId | undefined;
  readonly toolPath: string;
  readonly input: unknown;
  readonly preview: ApprovalPreview;
}

/** One call of a card, taken apart so that it can be compared with others. */
export interface AskedCall {
  readonly number: number;
  readonly asked: CallAsked;
  readonly toolPath: string;
  readonly title: string;
  /** What the tool's own words say besides the values. */
  readonly words: CardPart | undefined;
  /** By their place in the input. */
  readonly values: ReadonlyMap<string, CardPart>;
  /** The values as they are, to compare: two long ones may be shown alike. */
  readonly raw: ReadonlyMap<string, string>;
  /** Files that would change or run. */
  readonly files: readonly CardPart[];
}

/** `whole` leaves nothing out of long values. */
export type CardDetail = "short" | "whole";

const TITLE_CHARS = 200;
const ROW_CHARS = 120;
const ROOM: TextRoom = {
  whole: { chars: 4_000, lines: 60 },
  head: { chars: 2_500, lines: 40 },
  tail: { chars: 1_000, lines: 15 },
};
const CALLS_OF_MANY = 4;
/** In a plan of many calls. */
const LITTLE_ROOM: TextRoom = {
  whole: { chars: 1_500, lines: 24 },
  head: { chars: 900, lines: 14 },
  tail: { chars: 400, lines: 6 },
};

export function readAskedCall(
  asked: CallAsked,
  number: number,
  among: number,
  detail: CardDetail,
): AskedCall {
  const part: MakePart = (kind, name, text) => {
    const whole = showText(text);
    const named = name === undefined ? {} : { name: showOnOneLine(name) };
    if (detail === "whole") return { kind, ...named, text: whole };
    const { text: shown, left } = cutMiddle(whole, among < CALLS_OF_MANY ? ROOM : LITTLE_ROOM);
    return { kind, ...named, text: shown, ...(left === 0 ? {} : { left, whole }) };
  };
  const { preview, toolPath } = asked;
  const raw = new Map(cardValues(asked.input).map(({ path, text }) => [path, text]));
  const words = ownWords(asked, [...raw.values()]);
  return {
    number,
    asked,
    toolPath: showOnOneLine(toolPath),
    title: oneLine(preview.title, TITLE_CHARS),
    words: words === undefined ? undefined : part("words", undefined, words),
    values: new Map(
      [...raw].map(([path, text]) => {
        const row = rowOf(preview, path);
        const shown = part("value", path === "" ? "input" : path, text);
        return [path, row === undefined ? shown : { ...shown, row }];
      }),
    ),
    raw,
    files: [
      ...(preview.changes ?? []).map(({ path, diff }) => part("diff", path, diff)),
      ...(preview.contents ?? []).map(({ path, text }) => part("contents", path, text)),
    ],
  };
}

type MakePart = (kind: CardPart["kind"], name: string | undefined, text: string) => CardPart;

/** One line of at most so many characters, with nothing invisible in it. */
export function oneLine(text: string, chars: number): string {
  return shorten(showOnOneLine(text), chars);
}

/**
 * The tool's words, without what the values say: a value that they repeat in lines of its own is left out of them.
 * A tool without words of its own says no more than its input.
 */
function ownWords(
  { preview: { details = "" }, input }: CallAsked,
  values: readonly string[],
): string | undefined {
  const said = showText(details);
  if (said === showText(JSON.stringify(input, null, 2) ?? "")) return undefined;
  const without = values
    .map(showText)
    .filter((text) => text.trim() !== "")
    .toSorted((a, b) => b.length - a.length)
    .reduce((text, value) => text.replaceAll(`\n${value}\n`, "\n"), `\n${said}\n`)
    .replaceAll(/\n{3,}/g, "\n\n")
    .replaceAll(/^\n+|\n+$/g, "");
  return without.trim() === "" ? undefined : without;
}

/** What an id stands for; of a list, each of its ids. */
function rowOf({ rows = [] }: ApprovalPreview, path: string): CardPart["row"] {
  const found = rows.filter((row) => row.path === path || isElement(row.path, path));
  const [first] = found;
  if (first === undefined) return undefined;
  const texts = found.map((row) => oneLine(row.text, ROW_CHARS));
  const text = texts.length === 1 ? (texts[0] ?? "") : texts.map((one) => JSON.stringify(one)).join(", ");
  return { text, source: oneLine(first.source, ROW_CHARS) };
}

function isElement(path: string, list: string): boolean {
  return path.startsWith(`${list}[`) && /^\d+\]$/.test(path.slice(list.length + 1));
}

/** A value of an input at its place: `to`, `items[2].id`. A list of plain values is one. */
interface CardValue {
  readonly path: string;
  /** As it is read, not as JSON; not yet made visible. */
  readonly text: string;
}

/** Deeper values are shown as JSON. */
const MOST_LEVELS = 8;
const MOST_VALUES = 120;

/** Everything in an input, in its order, nothing left out; what is nested too deeply, or too much, as JSON. */
export function cardValues(input: unknown): readonly CardValue[] {
  const values = valuesOf(input, "", 0);
  if (values.length <= MOST_VALUES) return values;
  return [{ path: "", text: jsonOf(input) }];
}

function valuesOf(value: unknown, path: string, level: number): readonly CardValue[] {
  if (typeof value !== "object" || value === null) return [{ path, text: plainText(value) }];
  if (level === MOST_LEVELS) return [{ path, text: jsonOf(value) }];
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    if (items.every(isShort))
      return [{ path, text: items.length === 0 ? "[]" : items.map(inList).join(", ") }];
    return items.flatMap((item, at) => valuesOf(item, `${path}[${at}]`, level + 1));
  }
  const members = Object.entries(value);
  if (members.length === 0) return level === 0 ? [] : [{ path, text: "{}" }];
  return members.flatMap(([key, member]) => valuesOf(member, inside(path, key), level + 1));
}

/** A key that is no plain name cannot pass for a path. */
function inside(path: string, key: string): string {
  if (!/^[\p{L}\p{N}_$-]+$/u.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === "" ? key : `${path}.${key}`;
}

/** A text that could be taken for another kind of value, or begins or ends with blanks, is put into quotes. */
function plainText(value: unknown): string {
  if (typeof value !== "string") return jsonOf(value);
  const isAmbiguous =
    value !== value.trim() || /^(?:-?[\d.]+(?:e[+-]?\d+)?|true|false|null|\[\]|\{\}|".*"|)$/su.test(value);
  return isAmbiguous && !value.includes("\n") ? JSON.stringify(value) : value;
}

function inList(value: unknown): string {
  const isWord =
    typeof value === "string" && /^(?!(?:true|false|null)$)[\p{L}_][\p{L}\p{N}_.@:/#+-]*$/u.test(value);
  return isWord ? value : jsonOf(value);
}

function isShort(value: unknown): boolean {
  if (typeof value === "string") return value.length <= 200 && !value.includes("\n");
  return typeof value !== "object" || value === null;
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? "nothing";
}
