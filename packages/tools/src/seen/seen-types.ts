import type { JsonSchema } from "@deputy/codemode";

/** The shapes of results, for tools whose source does not declare them. */
export interface SeenTypes {
  /** Changes whenever its content does. */
  readonly version: number;
  /** Undefined before the first result. */
  schemaOf(path: string): JsonSchema | undefined;
  /** Counts a result in. Never throws. */
  note(path: string, result: unknown): void;
}

const MAX_TOOLS = 2_000;
/** A shape that is longer than this helps no reader. */
const MAX_CHARS = 20_000;

/** Calls `keep` with everything after each change. `keep` may fail: the shapes are then learned again. */
export function createSeenTypes(
  known: Readonly<Record<string, SeenSchema>>,
  keep: (all: Readonly<Record<string, SeenSchema>>) => void,
): SeenTypes {
  const shapes = new Map(Object.entries(known));
  const texts = new Map<string, string>();
  let version = 0;
  return {
    get version() {
      return version;
    },
    schemaOf: (path) => shapes.get(path) as JsonSchema | undefined,
    note(path, result) {
      const before = shapes.get(path);
      if (before === undefined && shapes.size >= MAX_TOOLS) return;
      try {
        const shape = mergeSeen(before, result);
        const text = JSON.stringify(shape);
        if (text.length > MAX_CHARS || text === (texts.get(path) ?? JSON.stringify(before))) return;
        texts.set(path, text);
        shapes.set(path, shape);
        version++;
        keep(Object.fromEntries(shapes));
      } catch {
        // It only helps to write calls, so it never fails a call.
      }
    },
  };
}

/** The shape of results so far, as a JSON Schema of types and names only: it contains no value of a result. */
export interface SeenSchema {
  readonly type?: readonly SeenType[];
  readonly properties?: Readonly<Record<string, SeenSchema>>;
  /** Properties that every object so far had. */
  readonly required?: readonly string[];
  /** Present for a map, whose keys are data. */
  readonly additionalProperties?: SeenSchema;
  readonly items?: SeenSchema;
}

const TYPES = ["string", "number", "boolean", "null", "object", "array"] as const;
type SeenType = (typeof TYPES)[number];

const MAX_DEPTH = 6;
const MAX_PROPERTIES = 60;
const MAX_ITEMS = 50;
/** Longer names, and those with more than one digit, may be data: an id, an address, a key. */
const NAME = /^[A-Za-z_$][A-Za-z_$-]*\d?[A-Za-z_$-]*$/;
const MAX_NAME_CHARS = 40;
const NOTHING: SeenSchema = {};

/** The known shape after this result. A pure function; the same result twice changes nothing. */
export function mergeSeen(before: SeenSchema | undefined, result: unknown): SeenSchema {
  const now = shapeOf(result, 0);
  return before === undefined ? now : join(before, now);
}

function shapeOf(value: unknown, depth: number): SeenSchema {
  if (value === null || value === undefined) return { type: ["null"] };
  if (Array.isArray(value)) {
    if (depth >= MAX_DEPTH || value.length === 0) return { type: ["array"] };
    const items = value.slice(0, MAX_ITEMS).map((item) => shapeOf(item, depth + 1));
    return { type: ["array"], items: items.reduce(join) };
  }
  switch (typeof value) {
    case "string":
    case "number":
    case "boolean":
      return { type: [typeof value] as readonly SeenType[] };
    case "object":
      return shapeOfObject(Object.entries(value), depth);
    default:
      return NOTHING;
  }
}

function shapeOfObject(entries: readonly (readonly [string, unknown])[], depth: number): SeenSchema {
  if (depth >= MAX_DEPTH) return { type: ["object"] };
  const isMap = entries.length > MAX_PROPERTIES || !entries.every(([name]) => isName(name));
  const shapes = entries
    .slice(0, MAX_PROPERTIES)
    .map(([name, value]) => [name, shapeOf(value, depth + 1)] as const);
  if (isMap)
    return { type: ["object"], additionalProperties: shapes.map(([, shape]) => shape).reduce(join, NOTHING) };
  return {
    type: ["object"],
    properties: Object.fromEntries(shapes),
    required: shapes.map(([name]) => name).toSorted(),
  };
}

function isName(key: string): boolean {
  return key.length <= MAX_NAME_CHARS && NAME.test(key) && key !== "__proto__";
}

function join(a: SeenSchema, b: SeenSchema): SeenSchema {
  const types = TYPES.filter((type) => a.type?.includes(type) === true || b.type?.includes(type) === true);
  const items = joined(a.items, b.items);
  const map = joined(a.additionalProperties, b.additionalProperties);
  const [isObjectA, isObjectB] = [a.properties !== undefined, b.properties !== undefined];
  const names = new Set([...Object.keys(a.properties ?? {}), ...Object.keys(b.properties ?? {})]);
  const tooMany = names.size > MAX_PROPERTIES;
  if (map !== undefined || tooMany) {
    const all = [...names].map((name) => joined(a.properties?.[name], b.properties?.[name]) ?? NOTHING);
    const other = all.reduce(join, map ?? NOTHING);
    return { type: types, ...(items === undefined ? {} : { items }), additionalProperties: other };
  }
  const properties = [...names]
    .toSorted()
    .map((name) => [name, joined(a.properties?.[name], b.properties?.[name]) ?? NOTHING] as const);
  const required =
    isObjectA && isObjectB
      ? (a.required ?? []).filter((name) => b.required?.includes(name) === true)
      : (a.required ?? b.required ?? []);
  return {
    ...(types.length === 0 ? {} : { type: types }),
    ...(isObjectA || isObjectB ? { properties: Object.fromEntries(properties), required } : {}),
    ...(items === undefined ? {} : { items }),
  };
}

function joined(a: SeenSchema | undefined, b: SeenSchema | undefined): SeenSchema | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return join(a, b);
}
