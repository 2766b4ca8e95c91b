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

/** Of several values, what one has that not all of them have; all of it where nothing differs. */
export function differences(values: readonly unknown[]): (value: unknown) => unknown {
  const objects = values.filter(isObject);
  const [first] = objects;
  if (first === undefined || values.length < 2 || objects.length < values.length) return (value) => value;
  const same = new Set(
    Object.entries(first).flatMap(([name, inner]) => {
      const text = JSON.stringify(inner);
      return objects.every((other) => JSON.stringify(other[name]) === text) ? [name] : [];
    }),
  );
  return (value) => {
    if (!isObject(value)) return value;
    const left = Object.entries(value).filter(([name]) => !same.has(name));
    return left.length === 0 ? value : Object.fromEntries(left);
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
