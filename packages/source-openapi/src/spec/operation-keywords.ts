import { isObject, listOf, textOf } from "@deputy/json-schema";
import type { ListedOperation } from "./list-operations.ts";
import { readRequestBody } from "./request-body.ts";
import { readResults } from "./results.ts";
import type { SpecDocument } from "./spec-document.ts";

const MAX_PARAMETERS = 40;
const MAX_PROPERTIES = 40;
const MAX_DESCRIPTION_CHARS = 120;

/** Tags, what an operation takes, with descriptions, and what it gives, for a search: read off the document, not kept. */
export function operationKeywords(
  document: SpecDocument,
  { method, item, operation }: ListedOperation,
): string {
  const tags = listOf(operation["tags"]).filter((tag) => typeof tag === "string");
  const written = [...listOf(operation["parameters"]), ...listOf(item["parameters"])];
  const parameters = written
    .slice(0, MAX_PARAMETERS)
    .map(document.resolve)
    .map((one) => named(one?.["name"], one));
  const body = document.resolve(readRequestBody(document, operation, written)?.schema);
  const properties = isObject(body?.["properties"]) ? Object.entries(body["properties"]) : [];
  const fields = properties.slice(0, MAX_PROPERTIES).map(([name, property]) => named(name, property));
  const result = document.resolve(readResults(document, method, operation).schema);
  const gives = isObject(result?.["properties"]) ? Object.keys(result["properties"]) : [];
  return [...tags, ...parameters, ...fields, ...gives.slice(0, MAX_PROPERTIES)].join(" ");
}

function named(name: unknown, about: unknown): string {
  const description = isObject(about) ? (textOf(about["description"]) ?? "") : "";
  return `${textOf(name) ?? ""} ${description.slice(0, MAX_DESCRIPTION_CHARS)}`;
}
