import { isObject } from "@deputy/json-schema";
import type { Style } from "../spec/parameter.ts";

export interface Styled {
  readonly style: Style;
  readonly explode: boolean;
  /** Escapes text for its place in the request. */
  readonly encode: (text: string) => string;
}

/** A value as text. Nested parts become JSON, because no style describes them. */
export function plainText(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}

/** A value as one part of a path or the value of a header: `simple`, `label` and `matrix` of RFC 6570. */
export function expandPart(name: string, value: unknown, { style, explode, encode }: Styled): string {
  const texts = (values: readonly unknown[]): readonly string[] =>
    values.map((one) => encode(plainText(one)));
  const pairs = isObject(value)
    ? Object.entries(value).map(([key, one]) => [encode(key), encode(plainText(one))] as const)
    : [];
  const listed = Array.isArray(value) ? texts(value) : pairs.flat();
  const isPlain = !Array.isArray(value) && !isObject(value);
  const exploded = Array.isArray(value) ? listed : pairs.map((pair) => pair.join("="));
  if (style === "label") {
    if (isPlain) return `.${encode(plainText(value))}`;
    return `.${explode ? exploded.join(".") : listed.join(",")}`;
  }
  if (style === "matrix") {
    const named = (text: string): string => (text === "" ? `;${encode(name)}` : `;${encode(name)}=${text}`);
    if (isPlain) return named(encode(plainText(value)));
    if (!explode) return named(listed.join(","));
    return Array.isArray(value) ? listed.map(named).join("") : exploded.map((pair) => `;${pair}`).join("");
  }
  if (isPlain) return encode(plainText(value));
  return explode ? exploded.join(",") : listed.join(",");
}

const DELIMITERS: Readonly<Partial<Record<Style, string>>> = {
  form: ",",
  spaceDelimited: " ",
  pipeDelimited: "|",
  tabDelimited: "\t",
};

/** A value as `name=value` pairs of a query, a cookie or a form; none for an empty list. */
export function expandPairs(name: string, value: unknown, styled: Styled): readonly string[] {
  const { style, explode, encode } = styled;
  if (style === "deepObject" && typeof value === "object" && value !== null)
    return deepPairs(encode(name), value, encode);
  const pair = (key: string, text: string): string => `${encode(key)}=${text}`;
  const plain = (one: unknown): string => encode(plainText(one));
  const delimiter = encodeDelimiter(DELIMITERS[style] ?? ",", style);
  if (Array.isArray(value)) {
    if (value.length === 0) return [];
    if (explode) return value.map((one) => pair(name, plain(one)));
    return [pair(name, value.map(plain).join(delimiter))];
  }
  if (!isObject(value)) return [pair(name, plain(value))];
  const entries = Object.entries(value);
  if (explode) return entries.map(([key, one]) => pair(key, plain(one)));
  return [pair(name, entries.flatMap(([key, one]) => [encode(key), plain(one)]).join(delimiter))];
}

function encodeDelimiter(delimiter: string, style: Style): string {
  return style === "form" ? delimiter : encodeURIComponent(delimiter);
}

/** `filter[state]=open&filter[ids][]=1`: objects in lists by number, as PHP and `qs` read them. */
function deepPairs(name: string, value: unknown, encode: (text: string) => string): readonly string[] {
  if (Array.isArray(value))
    return value.flatMap((one, at) => deepPairs(`${name}%5B${isNested(one) ? at : ""}%5D`, one, encode));
  if (isObject(value))
    return Object.entries(value).flatMap(([key, one]) =>
      deepPairs(`${name}%5B${encode(key)}%5D`, one, encode),
    );
  return [`${name}=${encode(plainText(value))}`];
}

function isNested(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}
