import { isKeywords } from "./json-pointer.ts";
import { propertyKey, stringLiteral } from "./literal.ts";
import { NULL, primary, print, type TypeExpr, UNKNOWN } from "./type-expr.ts";

const MAX_DEPTH = 32;

/** The type of exactly this JSON value, as `const` and `enum` mean it. */
export function literalType(value: unknown, depth = 0): TypeExpr {
  if (value === null) return NULL;
  if (typeof value === "string") return primary(stringLiteral(value));
  if (typeof value === "boolean") return primary(String(value));
  if (typeof value === "number") return Number.isFinite(value) ? primary(String(value)) : primary("number");
  if (depth > MAX_DEPTH) return UNKNOWN;
  const inner = (item: unknown): string => print(literalType(item, depth + 1));
  if (Array.isArray(value)) return primary(`[${value.map(inner).join(", ")}]`);
  if (!isKeywords(value)) return UNKNOWN;
  const fields = Object.entries(value).map(([key, item]) => `${propertyKey(key)}: ${inner(item)}`);
  return primary(fields.length === 0 ? "{ [key: string]: never }" : `{ ${fields.join("; ")} }`);
}
