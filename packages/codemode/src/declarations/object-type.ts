import { docComment } from "./doc-comment.ts";
import { isKeywords, type Keywords } from "./json-pointer.ts";
import { propertyKey } from "./literal.ts";
import { primary, print, type TypeExpr, unionOf } from "./type-expr.ts";

/** Longer object types get one line per property. */
const MAX_LINE_CHARS = 90;

interface Property {
  readonly name: string;
  readonly type: TypeExpr;
  readonly required: boolean;
  readonly doc: string | undefined;
}

/** Whether a schema says something about an object's properties, with or without `type: "object"`. */
export function isObjectShape(schema: Keywords): boolean {
  return ["properties", "required", "additionalProperties", "patternProperties", "propertyNames"].some(
    (keyword) => Object.hasOwn(schema, keyword),
  );
}

export function objectType(schema: Keywords, typeOf: (schema: unknown) => TypeExpr): TypeExpr {
  const properties = listProperties(schema, typeOf);
  const others = otherValues(schema, properties.length, typeOf);
  const members = properties.map(({ name, type, required, doc }) => ({
    doc,
    text: `${propertyKey(name)}${required ? "" : "?"}: ${print(type)};`,
  }));
  if (others !== undefined) {
    // An index signature must admit every declared property as well.
    const admitted = unionOf([
      others,
      ...properties.map((property) => property.type),
      ...(properties.some((property) => !property.required) ? [primary("undefined")] : []),
    ]);
    members.push({ doc: undefined, text: `[key: string]: ${print(admitted)};` });
  }
  return primary(layOut(members));
}

function listProperties(schema: Keywords, typeOf: (schema: unknown) => TypeExpr): readonly Property[] {
  const required = new Set(Array.isArray(schema["required"]) ? schema["required"].filter(isString) : []);
  const declared = new Map<string, unknown>();
  // A closed set of names over one kind of value: the record of an enum.
  for (const name of enumeratedNames(schema)) declared.set(name, schema["additionalProperties"]);
  if (isKeywords(schema["properties"])) {
    for (const [name, property] of Object.entries(schema["properties"])) declared.set(name, property);
  }
  for (const name of required) if (!declared.has(name)) declared.set(name, true);
  return [...declared].map(([name, property]) => ({
    name,
    type: typeOf(property),
    required: required.has(name),
    doc: isKeywords(property) ? docComment(property["description"]) : undefined,
  }));
}

/** The type of properties that are not named; undefined when there are none. */
function otherValues(
  schema: Keywords,
  named: number,
  typeOf: (schema: unknown) => TypeExpr,
): TypeExpr | undefined {
  if (enumeratedNames(schema).length > 0) return undefined;
  const additional = schema["additionalProperties"];
  const patterns = isKeywords(schema["patternProperties"]) ? Object.values(schema["patternProperties"]) : [];
  if (patterns.length > 0) {
    const rest = additional === undefined || additional === false ? [] : [additional];
    return unionOf([...patterns, ...rest].map(typeOf));
  }
  if (named > 0 && (additional === undefined || additional === false)) return undefined;
  return typeOf(additional ?? true);
}

function enumeratedNames(schema: Keywords): readonly string[] {
  const names = schema["propertyNames"];
  return isKeywords(names) && Array.isArray(names["enum"]) ? names["enum"].filter(isString) : [];
}

function isString(value: unknown): value is string {
  return typeof value === "string";
}

function layOut(members: readonly { readonly doc: string | undefined; readonly text: string }[]): string {
  if (members.length === 0) return "{}";
  const line = `{ ${members.map((member) => member.text).join(" ")} }`.replace(/; }$/, " }");
  const isPlain = members.every((member) => member.doc === undefined);
  if (isPlain && line.length <= MAX_LINE_CHARS && !line.includes("\n")) return line;
  const lines = members.flatMap(({ doc, text }) => (doc === undefined ? [text] : [doc, text]));
  return `{\n${indent(lines.join("\n"))}\n}`;
}

/** Types and comments hold no literal line breaks inside strings, so shifting every line is safe. */
export function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gm, "  ");
}
