import type { JsonObject } from "@deputy/json-schema";

/** Whether a schema means bytes: by its format in 3.0, by its media type in 3.1. */
export function isBinary(schema: JsonObject | undefined): boolean {
  if (schema === undefined) return false;
  const { type, format, contentMediaType, contentEncoding } = schema;
  if (type === "file" || format === "binary") return true;
  return contentMediaType === "application/octet-stream" && contentEncoding === undefined;
}
