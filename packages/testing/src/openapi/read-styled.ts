/** True if a value matches the schema at a place of the document. */
export type Fits = (value: unknown) => boolean;

export interface StyledParameter {
  readonly name: string;
  readonly in: string;
  readonly style: string;
  readonly explode: boolean;
  readonly fits: Fits;
}

/** The meanings of a text, in the order in which they are tried. */
export function* meanings(text: string): Generator {
  yield text;
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) yield Number(text);
  if (text === "true" || text === "false") yield text === "true";
  if (text === "null") yield null;
  if (/^[[{"]/.test(text)) {
    try {
      yield JSON.parse(text) as unknown;
    } catch {
      // Otherwise it is text.
    }
  }
}

const MAX_TRIES = 4_000;

/** Every way to read a list of texts, text by text. */
function* listMeanings(texts: readonly string[]): Generator<unknown[]> {
  // All as text, all as numbers and so on come first: lists are mostly of one kind.
  const kinds = ["string", "number", "boolean", "object"];
  for (const kind of kinds)
    yield texts.map((text) => [...meanings(text)].find((one) => typeof one === kind) ?? text);
  let all: unknown[][] = [[]];
  for (const text of texts) {
    all = all.flatMap((start) => Array.from(meanings(text), (one) => start.concat([one])));
    if (all.length > MAX_TRIES) return;
  }
  yield* all;
}

function* objectMeanings(pairs: readonly (readonly [string, string])[]): Generator {
  for (const values of listMeanings(pairs.map(([, value]) => value)))
    yield Object.fromEntries(pairs.map(([key], at) => [key, values[at]]));
}

/** Every value that a serialised text can stand for, by RFC 6570 as OpenAPI uses it; read from the text alone. */
export function* partMeanings(text: string, { name, style, explode }: StyledParameter): Generator {
  const decode = style === "header" ? (one: string): string => one : decodeURIComponent;
  if (style === "label" || style === "matrix") {
    if (!text.startsWith(style === "label" ? "." : ";")) return;
    const parts = text.slice(1).split(style === "label" ? "." : ";");
    if (style === "label") {
      yield* plainMeanings(text.slice(1), explode ? parts : text.slice(1).split(","), explode, decode);
      return;
    }
    const values = parts.map((part) => splitOnce(part, "="));
    if (explode && values.every(([key]) => decode(key) === name) && values.length > 1)
      yield* listMeanings(values.map(([, value]) => decode(value)));
    if (explode) {
      if (values.every(([key]) => decode(key) === name))
        yield* listMeanings(values.map(([, one]) => decode(one)));
      yield* objectMeanings(values.map(([key, value]) => [decode(key), decode(value)]));
    }
    const [key, value] = values[0] ?? ["", ""];
    if (values.length === 1 && decode(key) === name)
      yield* plainMeanings(value, value.split(","), false, decode);
    return;
  }
  yield* plainMeanings(text, text.split(","), explode, decode);
}

function* plainMeanings(
  whole: string,
  parts: readonly string[],
  explode: boolean,
  decode: (text: string) => string,
): Generator {
  yield* meanings(decode(whole));
  yield* listMeanings(parts.map(decode));
  const pairs = explode ? parts.map((part) => splitOnce(part, "=")) : inPairs(parts);
  if (pairs.length > 0) yield* objectMeanings(pairs.map(([key, value]) => [decode(key), decode(value)]));
}

/** The same for `name=value` pairs: a query, a cookie or a form. Returns which names it used. */
export function* pairMeanings(
  pairs: readonly (readonly [string, string])[],
  { name, style, explode }: StyledParameter,
  declared: ReadonlySet<string> = new Set(),
): Generator<{ readonly value: unknown; readonly used: ReadonlySet<string> }> {
  const decode = (text: string): string => decodeURIComponent(text.replaceAll("+", "%20"));
  const own = pairs.filter(([key]) => decode(key) === name).map(([, value]) => value);
  const used = new Set([name]);
  const as = (value: unknown) => ({ value, used });
  if (style === "deepObject") {
    const deep = pairs.filter(([key]) => decode(key).startsWith(`${name}[`));
    const keys = new Set(deep.map(([key]) => decode(key)));
    if (deep.length > 0)
      for (const value of deepMeanings(
        name,
        deep.map(([key, one]) => [decode(key), decode(one)]),
      ))
        yield { value, used: keys };
  }
  const [first = ""] = own;
  const delimiter = { spaceDelimited: /%20|\+| /, pipeDelimited: /%7C|\|/i, form: /,/ }[style] ?? /,/;
  if (own.length === 1) {
    for (const value of meanings(decode(first))) yield as(value);
    const parts = first.split(delimiter).map(decode);
    if (!explode) {
      for (const value of listMeanings(parts)) yield as(value);
      for (const value of objectMeanings(inPairs(parts))) yield as(value);
    }
  }
  if (explode && own.length > 0) for (const value of listMeanings(own.map(decode))) yield as(value);
  if (!explode || own.length > 0) return;
  // An exploded object: each of its properties is a separate pair.
  const others = pairs
    .map(([key, value]) => [decode(key), decode(value)] as const)
    .filter(([key]) => !declared.has(key) || key === name);
  const names = new Set(others.map(([key]) => key));
  if (names.size > 0 && names.size === others.length)
    for (const value of objectMeanings(others)) yield { value, used: names };
}

function* deepMeanings(name: string, pairs: readonly (readonly [string, string])[]): Generator {
  for (const values of listMeanings(pairs.map(([, value]) => value))) {
    const root: Record<string, unknown> = {};
    for (const [at, [key]] of pairs.entries()) {
      const path = [...key.slice(name.length).matchAll(/\[([^\]]*)\]/g)].map(([, part = ""]) => part);
      putDeep(root, path, values[at]);
    }
    yield asLists(root);
  }
}

function putDeep(root: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let node = root;
  for (const [at, part] of path.entries()) {
    const key = part === "" ? String(Object.keys(node).length) : part;
    if (at === path.length - 1) node[key] = value;
    else {
      node[key] ??= {};
      node = node[key] as Record<string, unknown>;
    }
  }
}

/** Objects with keys counted from zero are lists. */
function asLists(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(asLists);
  const entries = Object.entries(value).map(([key, one]) => [key, asLists(one)] as const);
  if (entries.length > 0 && entries.every(([key], at) => key === String(at)))
    return entries.map(([, one]) => one);
  return Object.fromEntries(entries);
}

function inPairs(parts: readonly string[]): readonly (readonly [string, string])[] {
  if (parts.length % 2 !== 0) return [];
  return parts.flatMap((part, at) => (at % 2 === 0 ? [[part, parts[at + 1] ?? ""] as const] : []));
}

export function splitOnce(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ""] : [text.slice(0, at), text.slice(at + separator.length)];
}
