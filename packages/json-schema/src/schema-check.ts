import { compilePattern } from "@deputy/kit/pattern";

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reads an own field; inherited fields are not data. */
export function fieldOf(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A JSON pointer in a fragment; undefined for any other reference. */
export function resolvePointer(root: unknown, ref: string): unknown {
  if (ref === "#") return root;
  if (!ref.startsWith("#/")) return undefined;
  let target: unknown = root;
  for (const token of pointerTokens(ref)) {
    if (typeof target !== "object" || target === null || !Object.hasOwn(target, token)) return undefined;
    target = Reflect.get(target, token);
  }
  return target;
}

export function pointerTokens(ref: string): readonly string[] {
  return ref.slice(2).split("/").map(decodeToken);
}

function decodeToken(token: string): string {
  if (!token.includes("~") && !token.includes("%")) return token;
  const plain = token.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

/** The problems of a value, each with its place; empty if it fits. Never throws for any schema or plain value. */
export type SchemaCheck = (schema: unknown, value: unknown) => readonly string[];

const MAX_DEPTH = 64;
/** After this many steps the rest is left to the server, which decides in the end. */
const MAX_STEPS = 200_000;
const MAX_PROBLEMS = 8;
const COMBINATORS = ["$ref", "allOf", "anyOf", "oneOf"];

/**
 * Checks values as far as the result helps a caller: types, names, lists of values, bounds, and patterns that
 * take linear time. Limits: formats, `not` and `if` are left to the server, and `oneOf` is treated as
 * `anyOf`. `oneSided` are required properties that may be missing.
 */
export function createSchemaCheck(
  lookUp: (ref: string) => unknown,
  oneSided: "readOnly" | "writeOnly",
): SchemaCheck {
  return (schema, value) => {
    let steps = 0;
    const problems: string[] = [];

    const visit = (
      part: unknown,
      at: unknown,
      place: string,
      depth: number,
      out: string[],
      whole: "whole" | "part" = "whole",
    ): void => {
      if (part === false) out.push(`${place || "input"}: must not be there`);
      if (!isObject(part) || depth > MAX_DEPTH || ++steps > MAX_STEPS || out.length > MAX_PROBLEMS) return;
      const { $ref: ref, allOf } = part;
      if (at === null && part["nullable"] === true) return;
      // In a combined schema, each part would forbid what the others name, which nobody intends.
      const isWhole = whole === "whole" && !COMBINATORS.some((key) => part[key] !== undefined);
      if (typeof ref === "string") visit(lookUp(ref), at, place, depth + 1, out, whole);
      for (const one of listOf(allOf)) visit(one, at, place, depth + 1, out, "part");
      for (const choices of [part["anyOf"], part["oneOf"]]) {
        const others = isObject(part["properties"]) || Array.isArray(allOf) ? "part" : whole;
        visitChoices(choices, at, place, depth, out, others);
      }
      const problem = valueProblem(part, at);
      if (problem !== undefined) {
        out.push(`${place || "input"}: ${problem}`);
        return;
      }
      if (Array.isArray(at)) visitItems(part, at, place, depth, out);
      else if (isObject(at)) visitProperties(part, at, place, depth, out, isWhole);
    };

    const visitChoices = (
      choices: unknown,
      at: unknown,
      place: string,
      depth: number,
      out: string[],
      whole: "whole" | "part",
    ): void => {
      let closest: readonly string[] | undefined;
      for (const choice of listOf(choices)) {
        const found: string[] = [];
        visit(choice, at, place, depth + 1, found, whole);
        if (found.length === 0) return;
        if (closest === undefined || found.length < closest.length) closest = found;
      }
      if (closest !== undefined) out.push(...closest);
    };

    const visitItems = (
      part: JsonObject,
      items: readonly unknown[],
      place: string,
      depth: number,
      out: string[],
    ): void => {
      const prefix = listOf(part["prefixItems"]);
      for (const [n, item] of items.entries())
        visit(n < prefix.length ? prefix[n] : part["items"], item, `${place}[${n}]`, depth + 1, out);
    };

    const visitProperties = (
      part: JsonObject,
      object: JsonObject,
      place: string,
      depth: number,
      out: string[],
      isWhole: boolean,
    ): void => {
      const properties = isObject(part["properties"]) ? part["properties"] : {};
      const inside = (name: string): string => (place === "" ? name : `${place}.${name}`);
      for (const name of listOf(part["required"])) {
        if (typeof name !== "string" || Object.hasOwn(object, name)) continue;
        const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
        if (isObject(property) && property[oneSided] === true) continue;
        out.push(`${inside(name)}: is missing`);
      }
      const others = part["additionalProperties"];
      const isOpen = isObject(part["patternProperties"]);
      for (const [name, item] of Object.entries(object)) {
        if (Object.hasOwn(properties, name)) visit(properties[name], item, inside(name), depth + 1, out);
        else if (others === false && !isOpen && isWhole)
          out.push(unknownName(inside(name), Object.keys(properties)));
        else if (isObject(others) && !isOpen && isWhole) visit(others, item, inside(name), depth + 1, out);
      }
    };

    visit(schema, value, "", 0, problems);
    return problems.slice(0, MAX_PROBLEMS);
  };
}

/**
 * The value with the defaults of properties that are required and were left out: a schema that has both means that
 * whoever calls may leave it out, and that whoever is called needs it. Other defaults are left to the server. Never
 * throws; beyond a depth nothing is filled in.
 */
export function withRequiredDefaults(
  lookUp: (ref: string) => unknown,
  schema: unknown,
  value: unknown,
): unknown {
  return fillIn(lookUp, schema, value, 0, new Set());
}

/** `used` has the schemas that this value was filled by: each counts once, however often schemas name each other. */
function fillIn(
  lookUp: (ref: string) => unknown,
  schema: unknown,
  value: unknown,
  depth: number,
  used: Set<unknown>,
): unknown {
  if (!isObject(schema) || depth > MAX_DEPTH || used.has(schema)) return value;
  used.add(schema);
  const here = (part: unknown, at: unknown): unknown => fillIn(lookUp, part, at, depth + 1, used);
  const inside = (part: unknown, at: unknown): unknown => fillIn(lookUp, part, at, depth + 1, new Set());
  let filled = typeof schema["$ref"] === "string" ? here(lookUp(schema["$ref"]), value) : value;
  for (const part of listOf(schema["allOf"])) filled = here(part, filled);
  if (Array.isArray(filled)) {
    const { items } = schema;
    return isObject(items) ? filled.map((item) => inside(items, item)) : filled;
  }
  const { properties } = schema;
  if (!isObject(filled) || !isObject(properties)) return filled;
  const missing = listOf(schema["required"]).filter(
    (name): name is string => typeof name === "string" && !Object.hasOwn(filled as object, name),
  );
  const defaults = missing.flatMap((name) => {
    const property = fieldOf(properties, name);
    return isObject(property) && Object.hasOwn(property, "default") ? [[name, property["default"]]] : [];
  });
  const given = Object.entries(filled).map(([name, at]) => [name, inside(fieldOf(properties, name), at)]);
  return Object.fromEntries([...given, ...defaults]);
}

function unknownName(place: string, known: readonly string[]): string {
  const names = known.length === 0 ? "there are none" : `there are ${known.slice(0, 20).join(", ")}`;
  return `${place}: there is no such argument; ${names}`;
}

/** The problem of the value itself, without its content. */
function valueProblem(schema: JsonObject, value: unknown): string | undefined {
  const { type, enum: choices } = schema;
  const types = (Array.isArray(type) ? type : type === undefined ? [] : [type]).filter(isTypeName);
  if (types.length > 0 && !types.some((name) => isOfType(name, value)))
    return `must be ${types.join(" or ")}, not ${kindOf(value)}`;
  if (Array.isArray(choices) && choices.length > 0 && !choices.some((choice) => isSame(choice, value)))
    return `must be one of ${choices
      .slice(0, 20)
      .map((choice) => JSON.stringify(choice))
      .join(", ")}`;
  if (Object.hasOwn(schema, "const") && !isSame(schema["const"], value))
    return `must be ${JSON.stringify(schema["const"])}`;
  if (typeof value === "number") return numberProblem(schema, value);
  if (typeof value === "string") return textProblem(schema, value);
  if (Array.isArray(value)) return countProblem(schema, "Items", value.length, "items");
  return isObject(value) ? countProblem(schema, "Properties", Object.keys(value).length, "names") : undefined;
}

const TYPE_NAMES: ReadonlySet<unknown> = new Set([
  "string",
  "number",
  "integer",
  "boolean",
  "array",
  "object",
  "null",
]);

function isTypeName(name: unknown): name is string {
  return TYPE_NAMES.has(name);
}

function isOfType(name: string, value: unknown): boolean {
  if (name === "integer") return Number.isInteger(value);
  if (name === "number") return typeof value === "number" && Number.isFinite(value);
  return kindOf(value) === name;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || a === null) return a === b;
  return JSON.stringify(a) === JSON.stringify(b);
}

function numberProblem(schema: JsonObject, value: number): string | undefined {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below } = schema;
  if (typeof minimum === "number" && (above === true ? value <= minimum : value < minimum))
    return `must be ${above === true ? "more than" : "at least"} ${minimum}`;
  if (typeof maximum === "number" && (below === true ? value >= maximum : value > maximum))
    return `must be ${below === true ? "less than" : "at most"} ${maximum}`;
  if (typeof above === "number" && value <= above) return `must be more than ${above}`;
  if (typeof below === "number" && value >= below) return `must be less than ${below}`;
  return undefined;
}

function textProblem(schema: JsonObject, value: string): string | undefined {
  const { pattern } = schema;
  const problem = countProblem(schema, "Length", codePoints(value), "characters");
  if (problem !== undefined || typeof pattern !== "string") return problem;
  return fitsPattern(pattern, value) ? undefined : `must match ${pattern}`;
}

/** Counts characters like JSON Schema. */
function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** A pattern that cannot be matched in linear time is not checked here. */
function fitsPattern(pattern: string, value: string): boolean {
  if (/[\r\n]/.test(value)) return true;
  try {
    return compilePattern(pattern).test(value);
  } catch {
    return true;
  }
}

function countProblem(schema: JsonObject, what: string, count: number, unit: string): string | undefined {
  const [least, most] = [schema[`min${what}`], schema[`max${what}`]];
  const many = (limit: number): string => `${limit} ${limit === 1 ? unit.slice(0, -1) : unit}`;
  if (typeof least === "number" && count < least) return `must have at least ${many(least)}`;
  if (typeof most === "number" && count > most) return `must have at most ${many(most)}`;
  return undefined;
}
