const MOST_CHARS = 160;

/** A value in one short line, without the signs of JSON: “number: 12 · title: Login loops”. */
export function shortValue(value: unknown): string {
  const line = (value === undefined ? "" : inWords(value, 0)).replaceAll(/\s+/g, " ");
  return line.length > MOST_CHARS ? `${line.slice(0, MOST_CHARS)}…` : line;
}

/** The same in full. */
export function inWords(value: unknown, depth: number): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value))
    return depth > 0 && value.length > 3
      ? `${value.length} items`
      : value.map((item) => inWords(item, depth + 1)).join(", ");
  if (typeof value !== "object" || value === null) return String(value);
  const told = Object.entries(value).map(([name, inner]) => `${name}: ${inWords(inner, depth + 1)}`);
  return depth === 0 ? told.join(" · ") : `(${told.join(", ")})`;
}
