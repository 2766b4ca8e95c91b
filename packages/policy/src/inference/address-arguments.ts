import { isRecord, setOf, WEB_FORMATS, WEB_WORDS } from "./parameters.ts";
import { splitWords } from "./split-words.ts";

const PLACE_WORDS = setOf(
  "host hosts hostname domain address addresses callback recipient recipients email emails",
);
/** Too common as parts of other names. */
const WHOLE_NAMES = setOf("to cc bcc");
const FORMATS = new Set([...WEB_FORMATS, ...setOf("hostname idn-hostname ipv4 ipv6 email idn-email")]);
/** Beside one of these, `to` is where a range ends. */
const RANGE_STARTS = setOf("from since start after");
const MOST_DEPTH = 32;

/**
 * The arguments, at any depth of a JSON Schema, that name the target a tool would reach: found by their
 * format, or by their name if they are free text. Arguments with a fixed list of values do not count. Never
 * throws.
 */
export function addressArguments(inputSchema: unknown): readonly string[] {
  const found = new Set<string>();
  const visit = (schema: unknown, at: string, depth: number): void => {
    if (!isRecord(schema) || depth > MOST_DEPTH) return;
    if (at !== "" && isAddressFormat(schema)) found.add(at);
    const { properties } = schema;
    if (isRecord(properties)) {
      const isRange = Object.keys(properties).some((name) => RANGE_STARTS.has(name));
      for (const [name, property] of Object.entries(properties)) {
        const path = at === "" ? name : `${at}.${name}`;
        if (isText(property) && isAddressName(name, isRange)) found.add(path);
        visit(property, path, depth + 1);
      }
    }
    for (const part of partsOf(schema)) visit(part, at, depth + 1);
    for (const [name, part] of definitionsOf(schema)) visit(part, name, depth + 1);
  };
  visit(inputSchema, "", 0);
  return [...found];
}

function isAddressFormat({ format }: Readonly<Record<string, unknown>>): boolean {
  return typeof format === "string" && FORMATS.has(format);
}

function isAddressName(name: string, isRange: boolean): boolean {
  if (WHOLE_NAMES.has(name.toLowerCase())) return !(isRange && name.toLowerCase() === "to");
  return splitWords(name).some((word) => WEB_WORDS.has(word) || PLACE_WORDS.has(word));
}

/** Text, or a list or choice of it, with nothing that settles what it may be. */
function isText(schema: unknown): boolean {
  if (!isRecord(schema)) return schema !== false;
  if ("enum" in schema || "const" in schema) return false;
  const { type, format, items } = schema;
  if (typeof format === "string" && !FORMATS.has(format)) return false;
  if (type === "array") return isText(items ?? {});
  const choices = ["anyOf", "oneOf"].flatMap((key) => listOf(schema[key]));
  if (choices.length > 0) return choices.some(isText);
  return type === undefined || type === "string" || (Array.isArray(type) && type.includes("string"));
}

function partsOf(schema: Readonly<Record<string, unknown>>): readonly unknown[] {
  const single = [schema["items"], schema["additionalProperties"]];
  return [...single, ...["prefixItems", "anyOf", "oneOf", "allOf"].flatMap((key) => listOf(schema[key]))];
}

function definitionsOf(schema: Readonly<Record<string, unknown>>): readonly [string, unknown][] {
  return [schema["$defs"], schema["definitions"]].flatMap((all) =>
    isRecord(all) ? Object.entries(all) : [],
  );
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
