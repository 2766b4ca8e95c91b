/**
 * JSON as Python writes it with sorted keys, every number a float: what the corpus's hashes are of.
 * Objects found in `known` are not written again; they must not change as long as it is used.
 */
export function pythonJson(value: unknown, known: WeakMap<object, string> = new WeakMap()): string {
  if (typeof value === "string") return pythonString(value);
  if (typeof value === "number") return pythonFloat(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const text = known.get(value) ?? write(value, known);
  known.set(value, text);
  return text;
}

export function pythonFloat(value: number): string {
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

function write(value: object, known: WeakMap<object, string>): string {
  if (Array.isArray(value)) return `[${value.map((item) => pythonJson(item, known)).join(", ")}]`;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${pythonString(key)}: ${pythonJson(item, known)}`).join(", ")}}`;
}

function pythonString(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
