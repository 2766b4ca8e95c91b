import { isKeywords, type Keywords } from "./json-pointer.ts";
import { literalType } from "./literal-type.ts";
import { isObjectShape, objectType } from "./object-type.ts";
import type { Place } from "./schema-document.ts";
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

/** The TypeScript type of a JSON Schema. Never throws: what it cannot express is `unknown`. */
export function schemaType(schema: unknown, place: Place): TypeExpr {
  if (schema === false) return NEVER;
  if (!isKeywords(schema)) return UNKNOWN;
  if (place.depth > MAX_DEPTH || !place.document.takeNode()) return UNKNOWN;
  const beside = { ...place, depth: place.depth + 1 };
  const ref = schema["$ref"];
  const composed = [
    typeof ref === "string" ? place.document.reference(ref, place.owner) : UNKNOWN,
    alternatives(schema["anyOf"], beside),
    alternatives(schema["oneOf"], beside),
    intersectionOf(list(schema["allOf"]).map((part) => schemaType(part, beside))),
  ];
  const isComposed = composed.some((part) => part !== UNKNOWN);
  const type = intersectionOf([plainType(schema, place, isComposed), ...composed]);
  return schema["nullable"] === true ? unionOf([type, NULL]) : type;
}

function alternatives(value: unknown, place: Place): TypeExpr {
  const parts = list(value);
  return parts.length === 0 ? UNKNOWN : unionOf(parts.map((part) => schemaType(part, place)));
}

/** The schema without `$ref` and combinators. */
function plainType(schema: Keywords, place: Place, isComposed: boolean): TypeExpr {
  if (Object.hasOwn(schema, "const")) return literalType(schema["const"]);
  if (Array.isArray(schema["enum"])) return unionOf(schema["enum"].map((value) => literalType(value)));
  // `type: object` beside a combinator that says more would only open the object again.
  if (isComposed && schema["type"] === "object" && !isObjectShape(schema)) return UNKNOWN;
  return unionOf(typeNames(schema).map((name) => namedType(name, schema, place)));
}

function typeNames(schema: Keywords): readonly unknown[] {
  const type = schema["type"];
  if (Array.isArray(type)) return type;
  if (type !== undefined) return [type];
  if (isObjectShape(schema)) return ["object"];
  return isArrayShape(schema) ? ["array"] : [undefined];
}

function isArrayShape(schema: Keywords): boolean {
  return Object.hasOwn(schema, "items") || Object.hasOwn(schema, "prefixItems");
}

function namedType(name: unknown, schema: Keywords, place: Place): TypeExpr {
  const inside = { ...place, depth: place.depth + 1, owner: undefined };
  switch (name) {
    case "string":
    case "boolean":
    case "null":
      return primary(name);
    case "number":
    case "integer":
      return primary("number");
    case "array":
      return arrayType(schema, inside);
    case "object":
      return objectType(schema, (part) => schemaType(part, inside));
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

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
