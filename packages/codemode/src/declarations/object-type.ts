import { aboutProperty, docComment } from "./doc-comment.ts";
import { isKeywords, type Keywords } from "./json-pointer.ts";
import { propertyKey, NEVER, primary, print, type TypeExpr, unionOf } from "./type-expr.ts";

/** Longer object types get one line per property. */
const MAX_LINE_CHARS = 90;
/** Up to here a list is searched faster than a set is made. */
const FEW = 16;
const NO_PROPERTIES: Keywords = {};
const NONE: readonly never[] = [];
const UNDEFINED = primary("undefined");

/**
 * What every object inherits, as TypeScript's library declares it. Where such a property may be absent,
 * a program reads the inherited one; a type that denies it would refuse objects that leave the property out.
 */
const INHERITED: ReadonlySet<string> = new Set([
  "constructor",
  "toString",
  "toLocaleString",
  "valueOf",
  "hasOwnProperty",
  "isPrototypeOf",
  "propertyIsEnumerable",
]);

/** How many properties of an object are not shown to a reader; a schema of somebody else's cannot have it. */
export const LEFT_OUT: unique symbol = Symbol("left out");

/** True if a schema describes properties of an object, with or without `type: "object"`. */
export function isObjectShape(schema: Keywords): boolean {
  return (
    schema["properties"] !== undefined ||
    schema["required"] !== undefined ||
    schema["additionalProperties"] !== undefined ||
    schema["patternProperties"] !== undefined ||
    schema["propertyNames"] !== undefined
  );
}

interface ObjectParts {
  readonly typeOf: (schema: unknown) => TypeExpr;
  readonly mayBeAbsent: (property: unknown) => boolean;
}

/** `level` is how far its members are indented when it takes more than one line. */
export function objectType(schema: Keywords, level: number, { typeOf, mayBeAbsent }: ObjectParts): TypeExpr {
  const newLine = indentation(level);
  const properties = isKeywords(schema["properties"]) ? schema["properties"] : NO_PROPERTIES;
  const isNamedRequired = membership(list(schema["required"]));
  const isRequired = (name: string): boolean =>
    isNamedRequired(name) && !(Object.hasOwn(properties, name) && mayBeAbsent(properties[name]));
  const names = namesOf(schema, properties);
  const leftOut = leftOutOf(schema);
  const others = leftOut === undefined ? otherValues(schema, names.length, typeOf) : undefined;
  const types: TypeExpr[] = [];
  const lines: string[] = [];
  let isLong = false;
  names.forEach((name) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undeclared(schema);
    const mark = isRequired(name) ? "" : "?";
    const type = mark === "" ? typeOf(property) : optionalType(name, typeOf(property));
    const doc = isKeywords(property) ? docComment(aboutProperty(property), newLine) : undefined;
    if (doc !== undefined) lines.push(doc);
    isLong ||= doc !== undefined;
    lines.push(`${propertyKey(name)}${mark}: ${print(type)};`);
    if (others !== undefined) types.push(type);
  });
  if (others !== undefined) {
    // An index signature must admit every declared property as well.
    const lacking = names.every(isRequired) ? NEVER : UNDEFINED;
    lines.push(`[key: string]: ${print(unionOf([others, ...types, lacking]))};`);
  }
  if (leftOut !== undefined) lines.push(`/* … ${leftOut} ${names.length === 0 ? "fields" : "more"} */`);
  const body = isLong || !fitsOneLine(lines) ? undefined : lines.join(" ").replace(/;$/, "");
  if (body !== undefined) return primary(`{ ${body} }`);
  return primary(`{${newLine}${lines.join(newLine)}${indentation(level - 1)}}`);
}

function leftOutOf(schema: { readonly [LEFT_OUT]?: number }): number | undefined {
  return schema[LEFT_OUT];
}

function fitsOneLine(members: readonly string[]): boolean {
  let chars = "{ }".length;
  for (const text of members) {
    chars += text.length + 1;
    if (chars > MAX_LINE_CHARS + 1 || text.includes("\n")) return false;
  }
  return true;
}

function optionalType(name: string, declared: TypeExpr): TypeExpr {
  return INHERITED.has(name) ? unionOf([declared, primary(`Object["${name}"]`)]) : declared;
}

/** Every property a schema names: in a closed set of names, by declaring it, or only by requiring it. */
function namesOf(schema: Keywords, properties: Keywords): readonly string[] {
  const declared = Object.keys(properties);
  const required = list(schema["required"]);
  const isDeclared = (name: unknown): boolean => isString(name) && Object.hasOwn(properties, name);
  if (schema["propertyNames"] === undefined && required.every(isDeclared)) return declared;
  const named = [...enumeratedNames(schema), ...required].filter(isString);
  return [...new Set([...declared, ...named])];
}

/** The schema of a property that is named but not declared. */
function undeclared(schema: Keywords): unknown {
  const additional = schema["additionalProperties"];
  const isOpen = schema["patternProperties"] !== undefined || additional === false;
  return isOpen ? true : additional;
}

/** The type of properties that are not named; undefined when there are none. */
function otherValues(
  schema: Keywords,
  named: number,
  typeOf: (schema: unknown) => TypeExpr,
): TypeExpr | undefined {
  if (enumeratedNames(schema).length > 0) return undefined;
  const additional = schema["additionalProperties"];
  const patterns = isKeywords(schema["patternProperties"])
    ? Object.values(schema["patternProperties"])
    : NONE;
  if (patterns.length > 0) {
    const rest = additional === undefined || additional === false ? [] : [additional];
    return unionOf([...patterns, ...rest].map(typeOf));
  }
  if (named > 0 && (additional === undefined || additional === false)) return undefined;
  return typeOf(additional ?? true);
}

function enumeratedNames(schema: Keywords): readonly string[] {
  const names = schema["propertyNames"];
  if (!isKeywords(names)) return NONE;
  return (Array.isArray(names["enum"]) ? names["enum"] : [names["const"]]).filter(isString);
}

function membership(names: readonly unknown[]): (name: string) => boolean {
  if (names.length <= FEW) return (name) => names.includes(name);
  const set = new Set(names);
  return (name) => set.has(name);
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : NONE;
}

function isString(value: unknown): value is string {
  return typeof value === "string";
}

const ENDLESS = 200;
const STEPS: readonly string[] = Array.from({ length: ENDLESS }, (_, level) => `\n${"  ".repeat(level)}`);

/** A line break and the indentation of this level, which stops growing beyond any real depth. */
export function indentation(level: number): string {
  return STEPS[Math.min(level, ENDLESS - 1)] ?? "\n";
}
