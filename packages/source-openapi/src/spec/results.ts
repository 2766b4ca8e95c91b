import { isObject, type JsonObject, listOf } from "@deputy/json-schema";
import { mediaKindOf } from "./media-type.ts";
import { chooseMediaType } from "./request-body.ts";
import type { SpecDocument } from "./spec-document.ts";

/** Describes successful answers. */
export interface DeclaredResults {
  /** Undefined if the document does not say. */
  readonly schema: unknown;
  /** Media types, the preferred one first. */
  readonly accept: readonly string[];
}

export const SUCCESS = /^2(?:\d\d|XX)$/i;

/** How a result represents bytes. */
export const BYTES_SCHEMA: JsonObject = {
  type: "object",
  properties: {
    mediaType: { type: "string" },
    bytes: { type: "integer", description: "How many" },
    base64: { type: "string" },
  },
  required: ["mediaType", "bytes", "base64"],
};

const HEAD_SCHEMA: JsonObject = {
  type: "object",
  properties: {
    status: { type: "integer" },
    headers: { type: "object", additionalProperties: { type: "string" } },
  },
  required: ["status", "headers"],
};

/** The schemas of all successful answers as one; a `default` counts where nothing else is said to succeed. */
export function readResults(document: SpecDocument, method: string, operation: JsonObject): DeclaredResults {
  const responses = isObject(operation["responses"]) ? Object.entries(operation["responses"]) : [];
  const successes = responses.filter(([status]) => SUCCESS.test(status));
  const counted = successes.length > 0 ? successes : responses.filter(([status]) => status === "default");
  const produces = producedBy(document, operation);
  const accept = new Set<string>();
  const schemas = counted.map((response) => answerSchema(document, response, produces, accept));
  if (method === "head") return { schema: HEAD_SCHEMA, accept: [...accept] };
  const distinct = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  const isKnown = distinct.length > 0 && !distinct.includes(undefined);
  const schema = distinct.length === 1 ? distinct[0] : { anyOf: distinct };
  return { schema: isKnown ? schema : undefined, accept: [...accept] };
}

/** Of one declared answer, by its status; `accept` gets its media types. Undefined where the document does not say. */
export function answerSchema(
  document: SpecDocument,
  [status, written]: readonly [string, unknown],
  produces: readonly string[],
  accept: Set<string>,
): unknown {
  const response = document.resolve(written);
  if (response === undefined) return undefined;
  if (document.dialect === "swagger-2") return swaggerSchema(status, response, produces, accept);
  const content = isObject(response["content"]) ? response["content"] : {};
  const mediaType = chooseMediaType(Object.keys(content));
  for (const type of Object.keys(content)) accept.add(type);
  if (mediaType === undefined) return isEmptyStatus(status) ? { type: "null" } : undefined;
  return contentSchema(mediaType, document.resolve(content[mediaType])?.["schema"]);
}

export function producedBy(document: SpecDocument, operation: JsonObject): readonly string[] {
  return listOf(operation["produces"] ?? document.root["produces"]).filter(
    (type) => typeof type === "string",
  );
}

function swaggerSchema(
  status: string,
  response: JsonObject,
  produces: readonly string[],
  accept: Set<string>,
): unknown {
  for (const type of produces) accept.add(type);
  const { schema } = response;
  if (schema === undefined) return isEmptyStatus(status) ? { type: "null" } : undefined;
  const mediaType = chooseMediaType(produces) ?? "application/json";
  const isFile = isObject(schema) && schema["type"] === "file";
  return isFile ? BYTES_SCHEMA : contentSchema(mediaType, schema);
}

function isEmptyStatus(status: string): boolean {
  return status === "204" || status === "205";
}

function contentSchema(mediaType: string, schema: unknown): unknown {
  switch (mediaKindOf(mediaType)) {
    case "json":
      return schema;
    case "text":
    case "form":
      return { type: "string" };
    case "lines":
    case "events":
      return { type: "array", items: isObject(schema) && schema["type"] !== "string" ? schema : true };
    default:
      return BYTES_SCHEMA;
  }
}
