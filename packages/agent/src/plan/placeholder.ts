import type { JsonSchema } from "@deputy/codemode";
import { isRecord } from "@deputy/kit";
import type { Markers } from "./markers.ts";

const DEEPEST = 12;
const MOST_NODES = 500;

/**
 * A value that fits a schema well enough for a program to go on with, marked wherever text and numbers can
 * be. Lists are as short as they may be. Whatever the schema, it ends and does not throw.
 */
export function placeholderFor(schema: JsonSchema | undefined, markers: Markers): unknown {
  let nodes = 0;

  const make = (part: unknown, depth: number): unknown => {
    nodes += 1;
    if (!isRecord(part) || depth > DEEPEST || nodes > MOST_NODES) {
      markers.noteAbsent();
      return {};
    }
    const schemaPart = resolved(part);
    if ("const" in schemaPart) return schemaPart["const"];
    if (Array.isArray(schemaPart["enum"])) return schemaPart["enum"].find((one) => one !== null) ?? null;
    for (const keyword of ["anyOf", "oneOf"]) {
      const options = schemaPart[keyword];
      if (Array.isArray(options)) return make(options.find((one) => !isNull(one)) ?? options[0], depth + 1);
    }
    if (Array.isArray(schemaPart["allOf"])) return makeAll(schemaPart["allOf"], schemaPart, depth);
    return makeTyped(typeOf(schemaPart), schemaPart, depth);
  };

  const makeAll = (parts: readonly unknown[], around: SchemaObject, depth: number): unknown => {
    const { allOf: _, ...own } = around;
    const made = [...parts, ...("properties" in own ? [own] : [])].map((part) => make(part, depth + 1));
    return made.every(isRecord) ? Object.assign({}, ...made) : made[0];
  };

  const makeTyped = (type: string | undefined, part: SchemaObject, depth: number): unknown => {
    switch (type) {
      case "null":
        return null;
      case "boolean":
        return true;
      case "string":
        return textFor(part, markers);
      case "number":
      case "integer":
        return numberFor(part, markers);
      case "array":
        return listFor(part, (item) => make(item, depth + 1));
      case "object": {
        const properties = isRecord(part["properties"]) ? part["properties"] : {};
        return Object.fromEntries(
          Object.entries(properties).map(([name, member]) => [name, make(member, depth + 1)]),
        );
      }
      default:
        markers.noteAbsent();
        return {};
    }
  };

  /** Follows references inside the document, a few at most. */
  const resolved = (part: SchemaObject): SchemaObject => {
    let found = part;
    for (let hops = 0; hops < DEEPEST && typeof found["$ref"] === "string"; hops++) {
      const target = lookUp(schema, found["$ref"]);
      if (!isRecord(target)) return {};
      found = target;
    }
    return found;
  };

  return make(schema, 0);
}

type SchemaObject = Readonly<Record<string, unknown>>;

function isNull(part: unknown): boolean {
  return isRecord(part) && (part["type"] === "null" || part["const"] === null);
}

function typeOf(part: SchemaObject): string | undefined {
  const { type } = part;
  if (Array.isArray(type))
    return type.find((one): one is string => typeof one === "string" && one !== "null");
  if (typeof type === "string") return type;
  return "properties" in part ? "object" : undefined;
}

function textFor(part: SchemaObject, { text, date }: Markers): string {
  const { format, maxLength } = part;
  if (format === "date-time") return `${date}T00:00:00.000Z`;
  if (format === "date") return date;
  if (format === "email") return `${text}@example.invalid`;
  if (format === "uri" || format === "url") return `https://example.invalid/${text}`;
  return typeof maxLength === "number" ? text.slice(0, maxLength) : text;
}

function numberFor(part: SchemaObject, { integer }: Markers): number {
  const bound = (keyword: string): number | undefined =>
    typeof part[keyword] === "number" ? part[keyword] : undefined;
  const [least, most] = [bound("minimum"), bound("maximum")];
  // A value that does not fit cannot carry a mark.
  return most !== undefined && integer > most ? (least ?? most) : integer;
}

function listFor(part: SchemaObject, make: (item: unknown) => unknown): readonly unknown[] {
  const fixed = Array.isArray(part["prefixItems"]) ? part["prefixItems"] : [];
  const least = typeof part["minItems"] === "number" ? Math.min(part["minItems"], MOST_NODES) : 0;
  const more = Array.from({ length: Math.max(0, least - fixed.length) }, () => part["items"]);
  return [...fixed, ...more].map(make);
}

function lookUp(document: unknown, pointer: string): unknown {
  if (pointer === "#") return document;
  if (!pointer.startsWith("#/")) return undefined;
  const names = pointer.slice(2).split("/");
  return names.reduce<unknown>((place, name) => {
    const key = name.replaceAll("~1", "/").replaceAll("~0", "~");
    return isRecord(place) && Object.hasOwn(place, key) ? place[key] : undefined;
  }, document);
}
