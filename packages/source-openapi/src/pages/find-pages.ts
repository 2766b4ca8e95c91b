import { fieldOf } from "@deputy/json-schema";
import type { Parameter } from "../spec/parameter.ts";
import type { Operation } from "../spec/read-operation.ts";

/** The parameters that ask an operation for its next page, by their roles. */
export interface Pages {
  readonly page: Parameter | undefined;
  readonly offset: Parameter | undefined;
  readonly cursor: Parameter | undefined;
}

const PAGE = setOf("page pagenumber pagenum pageno pageindex currentpage");
const OFFSET = setOf("offset start skip startindex startat");
const CURSOR = setOf(
  `cursor nextcursor pagecursor after startingafter pagetoken nextpagetoken nexttoken token continuationtoken
  continuation continue marker startkey skiptoken pageafter`,
);

/** Undefined if its parameters do not show that the operation has pages. */
export function findPages({
  method,
  parameters,
}: Pick<Operation, "method" | "parameters">): Pages | undefined {
  if (method !== "get") return undefined;
  const find = (names: ReadonlySet<string>): Parameter | undefined =>
    parameters.find(
      ({ place, name }) => place === "query" && names.has(name.toLowerCase().replaceAll(/[^a-z]/g, "")),
    );
  const pages = { page: find(PAGE), offset: find(OFFSET), cursor: find(CURSOR) };
  const isPaged = pages.page !== undefined || pages.offset !== undefined || pages.cursor !== undefined;
  return isPaged ? pages : undefined;
}

/** The first page's number: what the parameter says, or the usual one. */
export function firstOf(parameter: Parameter, usual: number): number {
  const said = fieldOf(parameter.schema, "default") ?? fieldOf(parameter.schema, "minimum");
  return typeof said === "number" ? said : usual;
}

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/));
}
