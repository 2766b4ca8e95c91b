import { type DeclaredError, type DeclaredTool, type JsonSchema, LEFT_OUT } from "@deputy/codemode";
import { resolvePointer } from "@deputy/json-schema";

/** Smaller schemas are shown unchanged. */
const SMALL_CHARS = 2_000;
const MAX_DESCRIPTION_CHARS = 300;
const INPUT: BriefLimits = {
  fields: 40,
  outerDescription: { chars: 240, inAll: 4_000, whenLong: "cut" },
  innerDescription: { chars: 100, whenLong: "cut" },
  leaveOut: "readOnly",
  keeps: [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "minItems",
    "maxItems",
    "default",
    "format",
  ],
};
const OUTPUT: BriefLimits = {
  fields: 60,
  outerDescription: { chars: 90, inAll: 1_200, whenLong: "left out" },
  innerDescription: { chars: 0, whenLong: "left out" },
  leaveOut: "writeOnly",
  keeps: ["minItems", "maxItems"],
};
const ERROR: BriefLimits = {
  ...OUTPUT,
  fields: 4,
  outerDescription: { chars: 0, whenLong: "left out" },
};

const SEE_ALL = "Types are cut where … stands: ask with `whole: true` for all of them.";

/** Tools that are shown together: what one says of an argument, or of how it is shown, the next does not say again. */
export function briefTools(tools: readonly DeclaredTool[]): readonly DeclaredTool[] {
  const said = new Set<string>();
  const isNew = (what: string): boolean => said.size < said.add(what).size;
  return tools.map((tool) => {
    const brief = briefTool(tool);
    if (brief === tool) return tool;
    const { description, inputSchema } = brief;
    const again = `\n${SEE_ALL}`;
    return {
      ...brief,
      description:
        description.endsWith(again) && !isNew(again) ? description.slice(0, -again.length) : description,
      inputSchema: withoutRepeated(inputSchema, isNew),
    };
  });
}

function withoutRepeated(inputSchema: JsonSchema, isNew: (what: string) => boolean): JsonSchema {
  if (typeof inputSchema !== "object") return inputSchema;
  const { properties } = inputSchema;
  if (typeof properties !== "object" || properties === null) return inputSchema;
  const shown = Object.entries(properties as Readonly<Record<string, JsonSchema>>).map(([name, property]) => {
    if (typeof property !== "object" || typeof property["description"] !== "string") return [name, property];
    const { description, ...rest } = property;
    return [name, isNew(JSON.stringify([name, description])) ? property : rest];
  });
  return { ...inputSchema, properties: Object.fromEntries(shown) };
}

/** A tool for a reader who is about to call it: a few kilobytes at most, however large its types are. */
export function briefTool(tool: DeclaredTool): DeclaredTool {
  const { path, inputSchema, outputSchema, seenSchema, errors, definitions } = tool;
  if (definitions === undefined && sizeOf(inputSchema) + sizeOf(outputSchema ?? seenSchema) <= SMALL_CHARS)
    return tool;
  let isCut = false;
  const brief = (schema: JsonSchema, limits: BriefLimits): JsonSchema => {
    const root = definitions?.root ?? schema;
    const shorter = briefSchema(schema, (ref) => resolvePointer(root, ref), limits);
    isCut ||= shorter.isCut;
    return shorter.schema;
  };
  const briefError = ({ status, schema }: DeclaredError): DeclaredError =>
    schema === undefined ? { status } : { status, schema: brief(schema, ERROR) };
  const shown = {
    path,
    inputSchema: brief(inputSchema, INPUT),
    ...(seenSchema === undefined ? {} : { seenSchema: brief(seenSchema, OUTPUT) }),
    ...(outputSchema === undefined ? {} : { outputSchema: brief(outputSchema, OUTPUT) }),
  };
  const description = cut(tool.description);
  return {
    ...shown,
    description: isCut ? `${description}\n${SEE_ALL}` : description,
    ...(errors === undefined ? {} : { errors: errors.map(briefError) }),
  };
}

function sizeOf(schema: unknown): number {
  return schema === undefined ? 0 : JSON.stringify(schema).length;
}

function cut(text: string): string {
  return text.length <= MAX_DESCRIPTION_CHARS
    ? text
    : `${text.slice(0, MAX_DESCRIPTION_CHARS).replace(/\s+\S*$/, "")}…`;
}

interface Wording {
  /** Longer descriptions are cut at a sentence, or a word, or left out. */
  readonly chars: number;
  /** Shared by all fields of a level, of which each has some. */
  readonly inAll?: number;
  readonly whenLong: "cut" | "left out";
}

interface BriefLimits {
  /** Fields that are shown in all. */
  readonly fields: number;
  /** For fields of the outermost objects, and for those further in. */
  readonly outerDescription: Wording;
  readonly innerDescription: Wording;
  /** Fields that are not for this side of a call. */
  readonly leaveOut: "readOnly" | "writeOnly";
  /** Keywords that say which values are right. */
  readonly keeps: readonly string[];
}

const MAX_ENUM = 12;
const MAX_CHAIN = 32;
/** Alternatives and elements that are followed; a type that contains nothing but itself ends here. */
const MAX_NODES = 400;
const MAX_ALTERNATIVES = 8;
/** A level takes no more than this part of what is left, if there are levels below it. */
const LEVEL_SHARE = 0.6;
/** An object that is shown at all has at least so many fields, or all it has. */
const LEAST_FIELDS = 3;
const KEPT = ["type", "const", "nullable", "additionalProperties"] as const;

type Node = { [key: string]: unknown; [LEFT_OUT]?: number };
type Field = readonly [name: string, schema: unknown];

/** An object whose fields are shown as far as there is room. */
interface Candidate {
  readonly found: Node;
  readonly to: Node;
  readonly fields: readonly Field[];
}

/**
 * A shorter schema with the same meaning: references are resolved, and what is left out is counted where it stood.
 * Objects of one level share the room there is for fields, so that one that has very many does not take it from the
 * others; addresses and internal ids are the first to go. It ends for every schema, also for recursive ones.
 */
function briefSchema(
  schema: JsonSchema,
  lookUp: (ref: string) => unknown,
  limits: BriefLimits,
): { readonly schema: JsonSchema; readonly isCut: boolean } {
  const root: Node = {};
  let isCut = false;
  let left = limits.fields;
  let nodes = MAX_NODES;
  let level: { readonly from: unknown; readonly to: Node }[] = [{ from: schema, to: root }];
  for (let depth = 0; level.length > 0; depth++) {
    const candidates: Candidate[] = [];
    const wording = wordingFor(depth <= 1 ? limits.outerDescription : limits.innerDescription, level.length);
    // What stands in for its parts (a list, a union) is on the level of its parts.
    for (const { from, to } of level) {
      const found = resolve(from, lookUp);
      if (found === undefined) continue;
      const inside = (part: unknown): Node => {
        const node: Node = {};
        if (nodes-- > 0) level.push({ from: part, to: node });
        return node;
      };
      const notes: string[] = [];
      const about = shorten(textOf(from, "description") ?? textOf(found, "description"), wording);
      if (about !== undefined) notes.push(about);
      for (const key of KEPT) if (found[key] !== undefined) to[key] = found[key];
      for (const key of limits.keeps) if (found[key] !== undefined) to[key] = found[key];
      if (Array.isArray(found["enum"])) notes.push(...addEnum(to, found["enum"]));
      if (isNode(to["additionalProperties"])) to["additionalProperties"] = inside(to["additionalProperties"]);
      if (isNode(found["items"])) to["items"] = inside(found["items"]);
      for (const key of ["anyOf", "oneOf", "allOf"] as const) {
        const parts = listOf(found[key]);
        if (parts.length === 0) continue;
        to[key] = parts.slice(0, MAX_ALTERNATIVES).map(inside);
        if (parts.length <= MAX_ALTERNATIVES) continue;
        isCut = true;
        notes.push(`… and ${parts.length - MAX_ALTERNATIVES} more kinds`);
      }
      if (notes.length > 0) to["description"] = notes.join(" ");
      const fields = fieldsOf(found, limits.leaveOut, lookUp);
      if (fields.length > 0) candidates.push({ found, to, fields });
    }
    const all = candidates.flatMap(({ fields }) => fields);
    const hasInner = all.some(([, field]) => hasParts(resolve(field, lookUp)));
    const room = hasInner ? Math.ceil(left * LEVEL_SHARE) : left;
    const shown = depth === 0 ? byNeed : byIdentity;
    // Where there is hardly room for what stands further in, noise goes before any of that.
    const isCrowded = hasInner && all.length > left / 2;
    const wanted = candidates.map(({ fields }) => (isCrowded ? withoutNoise(fields) : fields));
    const chosen = wanted.flat().length <= room ? wanted : share(wanted.map(shown), room);
    level = [];
    for (const [at, { found, to, fields }] of candidates.entries()) {
      const kept = chosen[at] ?? [];
      left -= kept.length;
      const next = level;
      const below = ([name, field]: Field): readonly [string, Node] => {
        const node: Node = {};
        next.push({ from: field, to: node });
        return [name, node];
      };
      to["properties"] = Object.fromEntries(kept.map(below));
      const names = new Set(kept.map(([name]) => name));
      to["required"] = listOf(found["required"]).filter((name) => names.has(String(name)));
      if (kept.length === fields.length) continue;
      isCut = true;
      to[LEFT_OUT] = fields.length - kept.length;
      if (to["additionalProperties"] === false) delete to["additionalProperties"];
    }
  }
  return { schema: root, isCut };
}

const LEAST_CHARS = 40;

function wordingFor(wording: Wording, fields: number): Wording {
  const { chars, inAll } = wording;
  if (inAll === undefined) return wording;
  return { ...wording, chars: Math.min(chars, Math.max(LEAST_CHARS, Math.floor(inAll / fields))) };
}

/** So many of the fields of each that all have about the same number, those with few have all, and none has too few. */
function share(objects: readonly (readonly Field[])[], room: number): readonly (readonly Field[])[] {
  if (room <= 0) return objects.map(() => []);
  const counts = new Map<readonly Field[], number>();
  let [left, waiting] = [room, objects.length];
  for (const fields of objects.toSorted((a, b) => a.length - b.length)) {
    const count = Math.min(fields.length, Math.max(LEAST_FIELDS, Math.floor(left / waiting)));
    counts.set(fields, count);
    left -= count;
    waiting -= 1;
  }
  return objects.map((fields) => fields.slice(0, counts.get(fields)));
}

/** Addresses of further documents, and ids that mean something to the service alone. */
const NOISE = /(_urls?|[a-z]Urls?|_links|^(node_?id|gravatar_?id|etag|self|href|object))$/i;
/** Addresses that a person can open. */
const FOR_PEOPLE = /^(html|web|page|public)_?url$/i;
/** What one tells a thing by. */
const IDENTITY = /^(id|number|key|name|login|user_?name|title|email|state|status|type|label|date|slug)$/i;

function isNoise([name]: Field): boolean {
  return NOISE.test(name) && !FOR_PEOPLE.test(name);
}

/** An object of nothing else keeps it. */
function withoutNoise(fields: readonly Field[]): readonly Field[] {
  const telling = fields.filter((field) => !isNoise(field));
  return telling.length === 0 ? fields : telling;
}

/** In their order, noise last. */
function byNeed(fields: readonly Field[]): readonly Field[] {
  return [...fields.filter((field) => !isNoise(field)), ...fields.filter(isNoise)];
}

/** What tells the thing first, noise last. */
function byIdentity(fields: readonly Field[]): readonly Field[] {
  const tells = ([name]: Field): boolean => IDENTITY.test(name);
  return byNeed([...fields.filter(tells), ...fields.filter((field) => !tells(field))]);
}

function resolve(schema: unknown, lookUp: (ref: string) => unknown): Node | undefined {
  let found = schema;
  for (let step = 0; step < MAX_CHAIN; step++) {
    if (!isNode(found)) return undefined;
    const ref = found["$ref"];
    if (typeof ref !== "string") return found;
    found = lookUp(ref);
  }
  return undefined;
}

function hasParts(schema: Node | undefined): boolean {
  return ["properties", "items", "anyOf", "oneOf", "allOf", "additionalProperties"].some(
    (key) => isNode(schema?.[key]) || Array.isArray(schema?.[key]),
  );
}

/** Required fields come first. */
function fieldsOf(
  schema: Node,
  leaveOut: BriefLimits["leaveOut"],
  lookUp: (ref: string) => unknown,
): readonly Field[] {
  const { properties } = schema;
  if (!isNode(properties)) return [];
  const required = new Set(listOf(schema["required"]));
  const shown = Object.entries(properties).filter(
    ([, property]) => resolve(property, lookUp)?.[leaveOut] !== true,
  );
  return [...shown.filter(([name]) => required.has(name)), ...shown.filter(([name]) => !required.has(name))];
}

/** Of very many values, a few are shown beside their type. */
function addEnum(to: Node, values: readonly unknown[]): readonly string[] {
  if (values.length <= MAX_ENUM) {
    to["enum"] = values;
    return [];
  }
  const types = new Set(values.map((value) => (value === null ? "null" : typeof value)));
  to["type"] ??= types.size === 1 ? [...types][0] : [...types];
  const few = values.slice(0, MAX_ENUM).map((value) => JSON.stringify(value));
  return [`One of ${values.length}: ${few.join(", ")}, …`];
}

function shorten(text: string | undefined, { chars, whenLong }: Wording): string | undefined {
  if (text === undefined) return undefined;
  const line = text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/\s+/g, " ")
    .trim();
  if (line.length <= chars) return line === "" ? undefined : line;
  const sentence = /^.*?[.!?](?= )/.exec(line)?.[0] ?? line;
  if (sentence.length <= chars) return sentence;
  return whenLong === "left out" ? undefined : `${sentence.slice(0, chars).replace(/\s+\S*$/, "")}…`;
}

function textOf(schema: unknown, key: string): string | undefined {
  const text = isNode(schema) ? schema[key] : undefined;
  return typeof text === "string" ? text : undefined;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
