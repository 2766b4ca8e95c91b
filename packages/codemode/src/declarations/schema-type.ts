import { isKeywords, type Keywords, refName, resolveRef } from "./json-pointer.ts";
import { isObjectShape, objectType } from "./object-type.ts";
import type { Place, SchemaDocument } from "./place.ts";
import {
  arrayOf,
  intersectionOf,
  NEVER,
  NULL,
  primary,
  print,
  type TypeExpr,
  unionOf,
  UNKNOWN,
  propertyKey,
  stringLiteral,
  pascalCase,
} from "./type-expr.ts";
import { docComment } from "./doc-comment.ts";
import type { NamedTypes } from "./emit-declarations.ts";

const MAX_DEPTH = 64;
const STRING = primary("string");
const BOOLEAN = primary("boolean");
const NUMBER = primary("number");

/** The TypeScript type of a JSON Schema. Never throws: what it cannot express is `unknown`. */
export function schemaType(schema: unknown, place: Place): TypeExpr {
  if (schema === false) return NEVER;
  if (!isKeywords(schema)) return UNKNOWN;
  if (place.depth > MAX_DEPTH || !place.document.takeNode()) return UNKNOWN;
  if (isImpossible(schema["not"])) return NEVER;
  const type = isComposed(schema) ? composedType(schema, place) : plainType(schema, place);
  return schema["nullable"] === true ? unionOf([type, NULL]) : type;
}

function isComposed(schema: Keywords): boolean {
  return (
    schema["$ref"] !== undefined ||
    schema["anyOf"] !== undefined ||
    schema["oneOf"] !== undefined ||
    schema["allOf"] !== undefined
  );
}

/** TypeScript cannot express `not`, except where it leaves nothing. */
function isImpossible(not: unknown): boolean {
  return not === true || (isKeywords(not) && Object.keys(not).length === 0);
}

function composedType(schema: Keywords, place: Place): TypeExpr {
  const { $ref: ref, anyOf, oneOf, allOf } = schema;
  const self = isIntersection(schema) ? { ...place, isIntersected: true as const } : place;
  const beside = { ...self, depth: place.depth + 1 };
  const parts: TypeExpr[] = [];
  if (typeof ref === "string") parts.push(place.document.reference(ref, place.owner));
  if (isList(anyOf)) parts.push(unionOf(anyOf.map((part) => schemaType(part, beside))));
  if (isList(oneOf)) parts.push(unionOf(oneOf.map((part) => schemaType(part, beside))));
  if (isList(allOf)) parts.push(intersectionOf(allOf.map((part) => schemaType(part, beside))));
  // `type: object` beside a more specific combinator would only open the object again.
  const isSaid = schema["type"] === "object" && !isObjectShape(schema) && !isLiteral(schema);
  if (isSaid && parts.some((part) => part !== UNKNOWN)) return intersectionOf(parts);
  return intersectionOf([plainType(schema, self), ...parts]);
}

/** True if more than one of its keywords may become a type. */
function isIntersection(schema: Keywords): boolean {
  const { $ref: ref, anyOf, oneOf, allOf } = schema;
  const isPlain = isLiteral(schema) || schema["type"] !== undefined || impliedType(schema) !== undefined;
  const alternatives = [ref, anyOf, oneOf].filter((part) => part !== undefined).length;
  return alternatives + (isList(allOf) ? allOf.length : 0) + (isPlain ? 1 : 0) > 1;
}

/** The schema without `$ref` and combinators. */
function plainType(schema: Keywords, place: Place): TypeExpr {
  const { type } = schema;
  if (schema["const"] !== undefined) return literalType(schema["const"]);
  if (Array.isArray(schema["enum"])) return unionOf(schema["enum"].map((value) => literalType(value)));
  if (Array.isArray(type)) return unionOf(type.map((name) => namedType(name, schema, place)));
  return namedType(type ?? impliedType(schema), schema, place);
}

function impliedType(schema: Keywords): string | undefined {
  if (isObjectShape(schema)) return "object";
  return schema["items"] !== undefined || schema["prefixItems"] !== undefined ? "array" : undefined;
}

function isLiteral(schema: Keywords): boolean {
  return schema["const"] !== undefined || Array.isArray(schema["enum"]);
}

function namedType(name: unknown, schema: Keywords, place: Place): TypeExpr {
  switch (name) {
    case "string":
      return STRING;
    case "boolean":
      return BOOLEAN;
    case "null":
      return NULL;
    case "number":
    case "integer":
      return NUMBER;
    case "array":
      return arrayType(schema, {
        ...place,
        depth: place.depth + 1,
        owner: place.isIntersected === true ? place.owner : undefined,
      });
    case "object": {
      const level = place.level + 1;
      const inside = { document: place.document, depth: place.depth + 1, level, owner: undefined };
      return objectType(schema, level, {
        typeOf: (part) => schemaType(part, inside),
        mayBeAbsent: place.document.mayBeAbsent,
      });
    }
    default:
      return UNKNOWN;
  }
}

function arrayType(schema: Keywords, inside: Place): TypeExpr {
  // Until 2019-09 a tuple's elements were in `items` and the rest in `additionalItems`.
  const oldTuple = Array.isArray(schema["items"]);
  const elements = oldTuple ? schema["items"] : schema["prefixItems"];
  const rest = oldTuple ? schema["additionalItems"] : schema["items"];
  const restType = arrayOf(schemaType(rest ?? true, inside));
  if (!Array.isArray(elements)) return restType;
  // Few authors give a tuple's minimum length; they mean all of its elements.
  const minItems = typeof schema["minItems"] === "number" ? schema["minItems"] : elements.length;
  const parts = elements.map((element, index) => {
    const type = schemaType(element, inside);
    if (index < minItems) return print(type);
    return type.kind === "primary" ? `${type.text}?` : `(${print(type)})?`;
  });
  const isFull = typeof schema["maxItems"] === "number" && schema["maxItems"] <= elements.length;
  if (rest !== false && !isFull) parts.push(`...${print(restType)}`);
  return primary(`[${parts.join(", ")}]`);
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0;
}

const MAX_LITERAL_DEPTH = 32;

/** The type of exactly this JSON value, as `const` and `enum` mean it. */
function literalType(value: unknown, depth = 0): TypeExpr {
  if (value === null) return NULL;
  if (typeof value === "string") return primary(stringLiteral(value));
  if (typeof value === "boolean") return primary(String(value));
  if (typeof value === "number") return Number.isFinite(value) ? primary(String(value)) : primary("number");
  if (depth > MAX_LITERAL_DEPTH) return UNKNOWN;
  const inner = (item: unknown): string => print(literalType(item, depth + 1));
  if (Array.isArray(value)) return primary(`[${value.map(inner).join(", ")}]`);
  if (!isKeywords(value)) return UNKNOWN;
  const fields = Object.entries(value).map(([key, item]) => `${propertyKey(key)}: ${inner(item)}`);
  return primary(fields.length === 0 ? "{ [key: string]: never }" : `{ ${fields.join("; ")} }`);
}

const MAX_NODES = 20_000;

interface DocumentOptions {
  /** What references lead into; without it, the schema they stand in. */
  readonly root: unknown;
  /** What its named types are named after. */
  readonly owner: string;
  /** Schemas beyond this number become `unknown`. */
  readonly maxNodes?: number;
  /** Marks properties that may be absent although they are required: on the way in `readOnly`, and any default. */
  readonly oneSided?: "readOnly" | "writeOnly";
}

/**
 * Writes types of one document's schemas, each for a line of the given level; `aliases` gets the named types
 * they need, each once. References are worked off one after the other, so a long chain of them costs no stack.
 */
export function createDocumentWriter(
  { root, owner, maxNodes = MAX_NODES, oneSided }: DocumentOptions,
  names: NamedTypes,
  aliases: string[],
): (schema: unknown, level: number) => string {
  const known = new Map<string, string>();
  const waiting: { readonly name: string; readonly schema: unknown }[] = [];
  let nodes = 0;

  const document: SchemaDocument = {
    takeNode: () => ++nodes <= maxNodes,
    mayBeAbsent: (property) =>
      oneSided !== undefined &&
      isKeywords(property) &&
      (property[oneSided] === true || (oneSided === "readOnly" && Object.hasOwn(property, "default"))),
    reference(ref, from) {
      let name = known.get(ref);
      if (name === undefined) {
        const found = resolveRef(root, ref);
        if (found === undefined) return UNKNOWN;
        name = names.reserve(pascalCase(owner), refName(ref));
        known.set(ref, name);
        waiting.push({ name, schema: found.target });
      }
      return from === undefined || names.link(from, name) ? primary(name) : UNKNOWN;
    },
  };

  return (schema, level) => {
    const type = print(schemaType(schema, { document, depth: 0, level, owner: undefined }));
    for (const { name, schema: target } of waiting) {
      const doc = docComment(isKeywords(target) ? target["description"] : undefined, "\n");
      if (doc !== undefined) aliases.push(doc);
      aliases.push(
        `type ${name} = ${print(schemaType(target, { document, depth: 0, level: 0, owner: name }))};`,
      );
    }
    waiting.length = 0;
    return type;
  };
}
