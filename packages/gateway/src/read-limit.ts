import { GatewayError } from "./gateway-error.ts";
import type { QueryDoc } from "./route-doc.ts";

export const limitDoc: QueryDoc = { description: "How many at most", pattern: "^[1-9][0-9]{0,2}$" };

const DEFAULT_LISTED = 50;

/** The query's `limit`, up to 999. Throws `invalid_request`. */
export function readLimit(query: URLSearchParams): number {
  const text = query.get("limit");
  if (text === null) return DEFAULT_LISTED;
  if (new RegExp(limitDoc.pattern).test(text)) return Number(text);
  throw new GatewayError("invalid_request", "limit: must be a number from 1 to 999", { field: "limit" });
}
