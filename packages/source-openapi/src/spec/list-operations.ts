import { isObject, type JsonObject } from "@deputy/json-schema";
import type { SpecDocument } from "./spec-document.ts";

/** `trace` is left out: no fetch sends it. */
const METHODS = ["get", "put", "post", "delete", "options", "head", "patch"] as const;
export type Method = (typeof METHODS)[number];

/** One operation as the document has it. */
export interface ListedOperation {
  readonly method: Method;
  /** The template, such as `/issues/{id}`. */
  readonly path: string;
  readonly item: JsonObject;
  readonly operation: JsonObject;
}

/** All operations, in the document's order. Reads nothing inside them. */
export function listOperations(document: SpecDocument): readonly ListedOperation[] {
  const { paths } = document.root;
  if (!isObject(paths)) return [];
  return Object.entries(paths).flatMap(([path, value]) => {
    if (path.startsWith("x-")) return [];
    const item = document.resolve(value);
    if (item === undefined) return [];
    return METHODS.flatMap((method) => {
      const operation = Object.hasOwn(item, method) ? item[method] : undefined;
      return isObject(operation) ? [{ method, path, item, operation }] : [];
    });
  });
}
