/** Removes secrets that are split over consecutive texts; undefined if there are none. */
type RedactRow = (texts: readonly string[]) => readonly string[] | undefined;

/** With more text than that, strings are looked at one by one only: rows take a tenth of a second for each megabyte. */
const MOST_CHARS = 256 * 1024;

/**
 * A value whose strings were redacted as rows: all of them in their order, and those at the same place in the elements
 * of a list, such as every `delta` of a stream. The value itself when there was nothing to redact.
 */
export function redactLeaves(value: unknown, redactRow: RedactRow): unknown {
  const texts: string[] = [];
  const places = new Map<string, number[]>();
  collect(value, "", texts, places);
  if (texts.length < 2 || texts.reduce((sum, { length }) => sum + length, 0) > MOST_CHARS) return value;
  const all = texts.map((_, n) => n);
  let isChanged = false;
  for (const row of [all, ...places.values()]) {
    if (row.length < 2 || (row !== all && row.length === all.length)) continue;
    const redacted = redactRow(row.map((n) => texts[n] ?? ""));
    if (redacted === undefined) continue;
    isChanged = true;
    for (const [at, n] of row.entries()) texts[n] = redacted[at] ?? "";
  }
  return isChanged ? rebuild(value, texts.values()) : value;
}

function collect(value: unknown, place: string, texts: string[], places: Map<string, number[]>): void {
  if (typeof value === "string") {
    const row = places.get(place);
    if (row === undefined) places.set(place, [texts.length]);
    else row.push(texts.length);
    texts.push(value);
  } else if (Array.isArray(value)) for (const item of value) collect(item, `${place}[]`, texts, places);
  else if (typeof value === "object" && value !== null)
    for (const [key, held] of Object.entries(value)) collect(held, `${place}.${key}`, texts, places);
}

function rebuild(value: unknown, texts: Iterator<string>): unknown {
  if (typeof value === "string") return texts.next().value;
  if (Array.isArray(value)) return value.map((item) => rebuild(item, texts));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, rebuild(held, texts)]));
}
