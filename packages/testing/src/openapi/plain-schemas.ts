type Json = Readonly<Record<string, unknown>>;

const TYPES: ReadonlySet<unknown> = new Set([
  "string",
  "number",
  "integer",
  "boolean",
  "array",
  "object",
  "null",
]);
/** Objects whose keys are names, not keywords. */
const MAPS: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "definitions",
  "$defs",
  "dependentSchemas",
  "schemas",
  "parameters",
  "responses",
  "requestBodies",
  "headers",
  "paths",
  "content",
  "encoding",
]);
/** Data, which is not a schema. */
const DATA: ReadonlySet<string> = new Set(["enum", "const", "default"]);
/** Meaningless data in which a validator would look for schemas. */
const TALK: ReadonlySet<string> = new Set(["example", "examples", "externalDocs"]);
const COUNTS = ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"];
const BOUNDS = ["minimum", "maximum", "multipleOf"];

/**
 * A copy of an OpenAPI document whose schemas a JSON Schema validator accepts: `nullable` and boolean bounds
 * of 3.0 converted, fields that a request may omit no longer required, and nonsense left out.
 */
export function plainSchemas(value: unknown, isMap = false): unknown {
  if (Array.isArray(value)) return value.map((item) => plainSchemas(item));
  if (typeof value !== "object" || value === null) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    if (!isMap && TALK.has(key)) continue;
    const plain = !isMap && DATA.has(key) ? inner : plainSchemas(inner, !isMap && MAPS.has(key));
    Object.defineProperty(copy, key, { value: plain, enumerable: true, writable: true, configurable: true });
  }
  return isMap ? copy : plainKeywords(copy);
}

function plainKeywords(schema: Record<string, unknown>): unknown {
  plainType(schema);
  plainBounds(schema);
  if (typeof schema["pattern"] !== "string" || !isPattern(schema["pattern"])) delete schema["pattern"];
  if (Array.isArray(schema["enum"])) {
    if (schema["enum"].length === 0) delete schema["enum"];
    else schema["enum"] = [...new Map(schema["enum"].map((one) => [JSON.stringify(one), one])).values()];
  } else delete schema["enum"];
  for (const key of ["allOf", "anyOf", "oneOf"])
    if (!Array.isArray(schema[key]) || schema[key].length === 0) delete schema[key];
  for (const key of ["discriminator", "$schema", "$anchor", "$dynamicRef", "dependencies"])
    delete schema[key];
  if (typeof schema["$id"] === "string") delete schema["$id"];
  // A server that answers by one schema of several accepts any match.
  if (Array.isArray(schema["oneOf"]) && schema["anyOf"] === undefined) {
    schema["anyOf"] = schema["oneOf"];
    delete schema["oneOf"];
  }
  plainRequired(schema);
  return nullable(schema);
}

function plainType(schema: Record<string, unknown>): void {
  const { type } = schema;
  if (type === "file") schema["type"] = "string";
  else if (Array.isArray(type)) schema["type"] = type.filter((one) => TYPES.has(one));
  else if (!TYPES.has(type)) delete schema["type"];
  if (Array.isArray(schema["type"]) && schema["type"].length === 0) delete schema["type"];
}

function plainBounds(schema: Record<string, unknown>): void {
  for (const key of COUNTS) if (!Number.isInteger(schema[key]) || Number(schema[key]) < 0) delete schema[key];
  for (const key of BOUNDS) if (typeof schema[key] !== "number") delete schema[key];
  if (schema["multipleOf"] === 0) delete schema["multipleOf"];
  for (const [exclusive, bound] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    const value = schema[exclusive];
    if (typeof value === "number") continue;
    delete schema[exclusive];
    if (value === true && typeof schema[bound] === "number") {
      schema[exclusive] = schema[bound];
      delete schema[bound];
    }
  }
  if (typeof schema["uniqueItems"] !== "boolean") delete schema["uniqueItems"];
}

function plainRequired(schema: Record<string, unknown>): void {
  const { required, properties } = schema;
  // As a keyword of a parameter it is a boolean.
  if (typeof required === "boolean") return;
  if (!Array.isArray(required)) {
    delete schema["required"];
    return;
  }
  const isReadOnly = (name: string): boolean => {
    const property = isJson(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
    return isJson(property) && property["readOnly"] === true;
  };
  const names = required.filter((name) => typeof name === "string" && !isReadOnly(name));
  schema["required"] = [...new Set(names)];
}

function nullable(schema: Record<string, unknown>): unknown {
  if (schema["nullable"] !== true) {
    delete schema["nullable"];
    return schema;
  }
  delete schema["nullable"];
  return { anyOf: [{ type: "null" }, schema] };
}

function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern, "u").source !== "";
  } catch {
    return false;
  }
}

export function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
