import { MAX_FIELDS } from "../limits.ts";

/** What `{a,b}` or `{1..3}` becomes; nothing where it holds more than plain names and numbers. */
export function expandBraces(text: string): readonly string[] | undefined {
  const inner = text.slice(1, -1);
  const range = /^(-?\d{1,6})\.\.(-?\d{1,6})$/.exec(inner);
  if (range !== null) return expandRange(range[1] ?? "", range[2] ?? "");
  if (!/^[\w./,@:+-]*$/.test(inner) || (inner.includes("..") && !inner.includes(","))) return undefined;
  const alternatives = inner.split(",");
  return alternatives.length < 2 || alternatives.length > MAX_FIELDS ? undefined : alternatives;
}

function expandRange(from: string, to: string): readonly string[] | undefined {
  // Leading zeros pad, which nothing here needs to know.
  if (/^-?0\d/.test(from) || /^-?0\d/.test(to)) return undefined;
  const [first, last] = [Number(from), Number(to)];
  const length = Math.abs(last - first) + 1;
  if (length > MAX_FIELDS) return undefined;
  return Array.from({ length }, (_, step) => String(first <= last ? first + step : first - step));
}
