import type { JsonSchema } from "@deputy/codemode";
import { isObject, type JsonObject, pointerTokens } from "@deputy/json-schema";
import type { Pages } from "../pages/find-pages.ts";
import { BODY_ARGUMENT, type Operation } from "../spec/read-operation.ts";
import type { RequestBody } from "../spec/request-body.ts";
import type { SpecDocument } from "../spec/spec-document.ts";

export interface OperationSchemas {
  readonly inputSchema: JsonObject;
  /** Undefined where the document does not say. */
  readonly outputSchema: JsonSchema | undefined;
}

export const PAGES_ARGUMENT = "maxPages";

export const MOST_PAGES = 100;

/** How a call passes a file, because JSON has no bytes. */
const FILE_SCHEMA: JsonObject = {
  description: "A file; text as it is, anything else in base64",
  anyOf: [
    {
      type: "object",
      properties: { text: { type: "string" }, filename: { type: "string" }, mediaType: { type: "string" } },
      required: ["text"],
      additionalProperties: false,
    },
    {
      type: "object",
      properties: {
        base64: { type: "string" },
        filename: { type: "string" },
        mediaType: { type: "string" },
      },
      required: ["base64"],
      additionalProperties: false,
    },
  ],
};

const BYTES_BODY: JsonObject = { type: "string", contentEncoding: "base64", description: "Bytes, in base64" };

/** One object per call: every parameter by its name, and the body. References stay references. */
export function operationSchemas(
  document: SpecDocument,
  operation: Operation,
  pages: Pages | undefined,
): OperationSchemas {
  const { parameters, body, results } = operation;
  const properties: [string, unknown][] = parameters.map(({ argument, schema, description }) => [
    argument,
    describe(schema, description),
  ]);
  const required = parameters.filter((one) => one.required).map(({ argument }) => argument);
  if (body !== undefined) {
    properties.push([BODY_ARGUMENT, describe(bodySchema(document, body), body.description)]);
    if (body.required) required.push(BODY_ARGUMENT);
  }
  const hasOwnPages = properties.some(([name]) => name === PAGES_ARGUMENT);
  if (pages !== undefined && !hasOwnPages) {
    const description = "Fetches up to so many pages and gives them as one. Default 1";
    properties.push([PAGES_ARGUMENT, { type: "integer", minimum: 1, maximum: MOST_PAGES, description }]);
  }
  const input = {
    type: "object",
    properties: Object.fromEntries(properties),
    required,
    additionalProperties: false,
  };
  return {
    inputSchema: withDefinitions(document, input),
    outputSchema: isObject(results.schema) ? withDefinitions(document, results.schema) : undefined,
  };
}

function describe(schema: unknown, description: string | undefined): unknown {
  if (description === undefined) return schema ?? true;
  return isObject(schema) ? { ...schema, description } : { description };
}

function bodySchema(document: SpecDocument, body: RequestBody): unknown {
  switch (body.kind) {
    case "json":
      return body.schema ?? true;
    case "form":
      return body.schema ?? { type: "object" };
    case "multipart":
      return multipartSchema(document, body.schema);
    case "lines":
      return { type: "array" };
    case "text":
    case "events":
      return { type: "string" };
    default:
      return BYTES_BODY;
  }
}

/** Files among the parts become `{ base64 }`; all other parts are as the document has them. */
function multipartSchema(document: SpecDocument, schema: unknown): unknown {
  const found = document.resolve(schema);
  const properties = found?.["properties"];
  if (found === undefined || !isObject(properties)) return schema ?? { type: "object" };
  const entries = Object.entries(properties).map(([name, property]) => {
    const resolved = document.resolve(property);
    if (isBinary(resolved)) return [name, { ...FILE_SCHEMA, ...describedBy(resolved) }];
    const items = resolved?.["type"] === "array" ? document.resolve(resolved["items"]) : undefined;
    if (isBinary(items)) return [name, { type: "array", items: FILE_SCHEMA, ...describedBy(resolved) }];
    return [name, property];
  });
  return { ...found, properties: Object.fromEntries(entries) };
}

function describedBy(schema: JsonObject | undefined): JsonObject {
  const description = schema?.["description"];
  return typeof description === "string" ? { description } : {};
}

/** True if a schema describes bytes: by its format in 3.0, by its media type in 3.1. */
function isBinary(schema: JsonObject | undefined): boolean {
  if (schema === undefined) return false;
  const { type, format, contentMediaType, contentEncoding } = schema;
  if (type === "file" || format === "binary") return true;
  return contentMediaType === "application/octet-stream" && contentEncoding === undefined;
}

/**
 * A self-contained schema: it has everything that it refers to, at the places that its references name. These parts
 * belong to the document and are not copied. They are collected when one is first read.
 */
function withDefinitions(document: SpecDocument, schema: JsonObject): JsonObject {
  if (findRefs(schema).length === 0) return schema;
  let gathered: JsonObject | undefined;
  const full: Record<string, unknown> = { ...schema };
  for (const section of SECTIONS) {
    if (Object.hasOwn(full, section) || !Object.hasOwn(document.root, section)) continue;
    Object.defineProperty(full, section, {
      enumerable: true,
      get: () => (gathered ??= gather(document, schema))[section],
    });
  }
  return full;
}

/** Where a document keeps what can be referred to. */
const SECTIONS = ["components", "definitions", "parameters", "responses", "paths", "x-documents"];

function gather(document: SpecDocument, schema: JsonObject): JsonObject {
  const refs = new Set(findRefs(schema));
  for (const ref of refs) for (const next of findRefs(document.lookUp(ref))) refs.add(next);
  const root: Tree = {};
  const branches = new WeakSet<object>();
  // Outer parts come first: a part inside another is already included with it.
  const inOrder = [...refs].filter((ref) => ref.startsWith("#/")).toSorted((a, b) => a.length - b.length);
  for (const ref of inOrder) put(root, pointerTokens(ref), document.lookUp(ref), branches);
  return root;
}

interface Tree {
  [name: string]: unknown;
}

/** `branches` are only the way to a part; everything else belongs to the document and stays unchanged. */
function put(root: Tree, tokens: readonly string[], target: unknown, branches: WeakSet<object>): void {
  let node = root;
  for (const [at, token] of tokens.entries()) {
    const isLast = at === tokens.length - 1;
    const own = Object.hasOwn(node, token) ? node[token] : undefined;
    if (own !== undefined && !branches.has(own as object)) return;
    if (own === undefined) {
      const branch: Tree = {};
      if (!isLast) branches.add(branch);
      Object.defineProperty(node, token, {
        value: isLast ? target : branch,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
    node = node[token] as Tree;
  }
}

const MAX_DEPTH = 100;

function findRefs(value: unknown, found: string[] = [], depth = 0): readonly string[] {
  if (depth > MAX_DEPTH) return found;
  if (Array.isArray(value)) for (const item of value) findRefs(item, found, depth + 1);
  if (!isObject(value)) return found;
  if (typeof value["$ref"] === "string") found.push(value["$ref"]);
  for (const inner of Object.values(value))
    if (typeof inner === "object" && inner !== null) findRefs(inner, found, depth + 1);
  return found;
}
