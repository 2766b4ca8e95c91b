/** A value of an input at its place: `to`, `items[2].id`. A list of plain values is one. */
export interface CardValue {
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
