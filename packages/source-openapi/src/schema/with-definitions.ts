import { isObject, type JsonObject } from "@deputy/json-schema";
import { pointerTokens } from "@deputy/json-schema";
import type { SpecDocument } from "../spec/spec-document.ts";

/**
 * The schema with everything that it refers to, at the very places where its references look: a schema that stands
 * for itself. Those parts are the document's own, not copies, and gathered when somebody first looks at one.
 */
export function withDefinitions(document: SpecDocument, schema: JsonObject): JsonObject {
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
  // The outer before the inner: what lies in another is already there with it.
  const inOrder = [...refs].filter((ref) => ref.startsWith("#/")).toSorted((a, b) => a.length - b.length);
  for (const ref of inOrder) put(root, pointerTokens(ref), document.lookUp(ref), branches);
  return root;
}

interface Tree {
  [name: string]: unknown;
}

/** `branches` only lead somewhere; anything else is the document's and stays as it is. */
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
