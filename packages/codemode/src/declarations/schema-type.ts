import { isKeywords, type Keywords } from "./json-pointer.ts";
import { literalType } from "./literal-type.ts";
import { isObjectShape, objectType } from "./object-type.ts";
import type { Place } from "./place.ts";
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
} from "./type-expr.ts";

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

/** `not` is beyond TypeScript, save where it leaves nothing over. */
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
  // `type: object` beside a combinator that says more would only open the object again.
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
  // Until 2019-09 a tuple's elements stood in `items` and the rest in `additionalItems`.
  const oldTuple = Array.isArray(schema["items"]);
  const elements = oldTuple ? schema["items"] : schema["prefixItems"];
  const rest = oldTuple ? schema["additionalItems"] : schema["items"];
  const restType = arrayOf(schemaType(rest ?? true, inside));
  if (!Array.isArray(elements)) return restType;
  // Few authors say how many elements a tuple has at least; they mean all of them.
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
