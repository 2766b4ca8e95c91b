import { skipNested } from "./word-parser.ts";

/** More words than this from one word are refused. */
export const MOST_BRACE_WORDS = 1_000_000;

/** The words that `{a,b}` and `{1..3}` make of the text of a word; undefined if they would be too many. */
export function expandBraces(text: string): readonly string[] | undefined {
  if (!text.includes("{")) return [text];
  const budget = { left: MOST_BRACE_WORDS };
  const words = expand(text, budget);
  return budget.left < 0 ? undefined : words;
}

interface Budget {
  left: number;
}

function expand(text: string, budget: Budget): readonly string[] {
  let i = 0;
  while (i < text.length) {
    const char = text.charAt(i);
    if (char === "$" && text.charAt(i + 1) === "{") {
      i = skipNested(text, i, "word");
      continue;
    }
    if (char === "{") {
      const group = readGroup(text, i);
      if (group !== undefined) {
        const before = text.slice(0, i);
        const tails = expand(text.slice(group.end), budget);
        const middles = group.range ?? group.items.flatMap((item) => expand(item, budget));
        budget.left -= middles.length * tails.length;
        if (budget.left < 0) return [];
        return middles.flatMap((middle) => tails.map((tail) => before + middle + tail));
      }
    }
    i = skipNested(text, i, "word");
  }
  return [text];
}

interface Group {
  readonly items: readonly string[];
  readonly range: readonly string[] | undefined;
  readonly end: number;
}

function readGroup(text: string, at: number): Group | undefined {
  const items: string[] = [];
  let depth = 0;
  let start = at + 1;
  let i = at + 1;
  while (i < text.length) {
    const char = text.charAt(i);
    if (char === "{") depth += 1;
    else if (char === "}" && depth > 0) depth -= 1;
    else if (char === "}") {
      items.push(text.slice(start, i));
      if (items.length > 1) return { items, range: undefined, end: i + 1 };
      const range = readRange(items[0] ?? "");
      return range === undefined ? undefined : { items, range, end: i + 1 };
    } else if (char === "," && depth === 0) {
      items.push(text.slice(start, i));
      start = i + 1;
    }
    i = skipNested(text, i, "word");
  }
  return undefined;
}

const NUMBERS = /^([+-]?\d+)\.\.([+-]?\d+)(?:\.\.([+-]?\d+))?$/;
const LETTERS = /^([A-Za-z])\.\.([A-Za-z])(?:\.\.([+-]?\d+))?$/;

function readRange(text: string): readonly string[] | undefined {
  const numbers = NUMBERS.exec(text);
  const letters = numbers === null ? LETTERS.exec(text) : null;
  const match = numbers ?? letters;
  if (match === null) return undefined;
  const [, first = "", last = "", by] = match;
  const from = numbers === null ? first.charCodeAt(0) : Number(first);
  const to = numbers === null ? last.charCodeAt(0) : Number(last);
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to)) return undefined;
  const step = Math.max(1, Math.abs(Number(by ?? 1)));
  const count = Math.floor(Math.abs(to - from) / step) + 1;
  if (count > MOST_BRACE_WORDS) return Array.from({ length: MOST_BRACE_WORDS + 1 }, () => "");
  const isPadded = /^[+-]?0\d/.test(first) || /^[+-]?0\d/.test(last);
  const width = isPadded ? Math.max(first.length, last.length) : 0;
  return Array.from({ length: count }, (_, i) => {
    const value = from + (to < from ? -i * step : i * step);
    if (numbers === null) return String.fromCharCode(value) === "\\" ? "\\\\" : String.fromCharCode(value);
    if (!isPadded) return String(value);
    return value < 0 ? `-${String(-value).padStart(width - 1, "0")}` : String(value).padStart(width, "0");
  });
}
