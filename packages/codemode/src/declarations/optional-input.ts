import { isKeywords, resolveRef } from "./json-pointer.ts";

const MAX_DEPTH = 16;

/** True if a call may omit its argument, because an empty object matches the schema. */
export function acceptsEmptyObject(schema: unknown, root: unknown = schema, depth = 0): boolean {
  if (schema === false || depth > MAX_DEPTH) return false;
  if (!isKeywords(schema)) return true;
  const fits = (part: unknown): boolean => acceptsEmptyObject(part, root, depth + 1);
  const { type, required, $ref: ref } = schema;
  if (Object.hasOwn(schema, "const") || Object.hasOwn(schema, "enum")) return false;
  if (type !== undefined && type !== "object" && !(Array.isArray(type) && type.includes("object")))
    return false;
  if (Array.isArray(required) && required.length > 0) return false;
  if (typeof ref === "string") {
    const found = resolveRef(root, ref);
    if (found !== undefined && !fits(found.target)) return false;
  }
  const { allOf, anyOf, oneOf } = schema;
  if (Array.isArray(allOf) && !allOf.every(fits)) return false;
  return [anyOf, oneOf].every((parts) => !Array.isArray(parts) || parts.some(fits));
}
