import type { ErrorObject } from "ajv/dist/2020.js";

/** Why a call from a corpus does not fit its own schema, by rule; undefined when it does fit. */
export function explainRefusal(args: unknown, errors: readonly ErrorObject[]): string | undefined {
  const [first] = errors;
  if (first === undefined) return undefined;
  switch (first.keyword) {
    case "type":
      return `the truth has ${kindOf(valueAt(args, first.instancePath))} where the schema says ${String(first.params["type"])}`;
    case "enum":
      return `the truth has ${kindOf(valueAt(args, first.instancePath))} outside the schema's enum`;
    case "required":
      return "the truth lacks an argument that the schema requires";
    case "additionalProperties":
      return "the truth has an argument that the schema does not know";
    default:
      return `the truth breaks the schema's ${first.keyword}`;
  }
}

function valueAt(value: unknown, pointer: string): unknown {
  let at = value;
  for (const token of pointer.split("/").slice(1)) {
    if (typeof at !== "object" || at === null) return undefined;
    at = Reflect.get(at, token.replaceAll("~1", "/").replaceAll("~0", "~"));
  }
  return at;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
