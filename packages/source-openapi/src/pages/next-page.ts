import { fieldOf, isObject, type JsonObject } from "@deputy/json-schema";
import { firstOf, type Pages } from "./find-pages.ts";
import { listIn } from "./join-pages.ts";

/** Where the next page is: at an address, or by other arguments. */
export type NextPage =
  | { readonly kind: "address"; readonly address: string }
  | { readonly kind: "input"; readonly input: JsonObject };

export interface PageAnswer {
  readonly value: unknown;
  /** The `Link` header. */
  readonly link: string | null;
}

/**
 * Undefined after the last page: the answer is empty, or nothing in it leads to another page. `input` is the input of
 * the request; undefined if the page was fetched by an address, because then only another address leads on.
 */
export function nextPage(
  pages: Pages,
  input: JsonObject | undefined,
  { value, link }: PageAnswer,
): NextPage | undefined {
  const linked = nextLink(link);
  if (linked !== undefined) return { kind: "address", address: linked };
  // The server sends links, but none to a next page: this was the last one.
  if (link !== null && /rel="?(?:prev|first|last)/i.test(link)) return undefined;
  const address = findIn(value, NEXT_ADDRESSES, (text) => /^(?:https?:\/)?\//.test(text));
  if (address !== undefined) return { kind: "address", address };
  const items = listIn(value)?.items ?? [];
  if (items.length === 0 || input === undefined) return undefined;
  const withArgument = (argument: string, next: unknown): NextPage => ({
    kind: "input",
    input: { ...input, [argument]: next },
  });
  const { cursor, page, offset } = pages;
  if (cursor !== undefined) {
    const token = findIn(value, NEXT_TOKENS, () => true) ?? lastId(value, items);
    if (token !== undefined) return withArgument(cursor.argument, token);
  }
  if (fieldOf(value, "has_more") === false || fieldOf(value, "hasMore") === false) return undefined;
  if (page !== undefined) {
    const current = Number(input[page.argument] ?? firstOf(page, 1));
    return withArgument(page.argument, current + 1);
  }
  if (offset === undefined) return undefined;
  return withArgument(offset.argument, Number(input[offset.argument] ?? firstOf(offset, 0)) + items.length);
}

const TOTALS = [
  "total",
  "total_count",
  "totalCount",
  "total_results",
  "totalResults",
  "total_items",
  "totalItems",
];

/**
 * True if the answer itself says that its list goes on: by a link, an address or a token of the next page, by a flag, or
 * by a total of a list that was asked for from its start.
 */
export function saysMore(pages: Pages | undefined, input: JsonObject, { value, link }: PageAnswer): boolean {
  if (nextLink(link) !== undefined) return true;
  const items = listIn(value)?.items;
  if (items === undefined || items.length === 0) return false;
  for (const flag of ["has_more", "hasMore", "has_next", "hasNext"]) {
    const said = fieldOf(value, flag);
    if (typeof said === "boolean") return said;
  }
  if (pages === undefined) return false;
  if (findIn(value, NEXT_ADDRESSES, (text) => /^(?:https?:\/)?\//.test(text)) !== undefined) return true;
  if (pages.cursor !== undefined && findIn(value, NEXT_TOKENS, () => true) !== undefined) return true;
  const isFirst = [pages.page, pages.offset, pages.cursor].every(
    (parameter) => parameter === undefined || input[parameter.argument] === undefined,
  );
  const totals = [value, ...AROUND.map((name) => fieldOf(value, name))].flatMap((place) =>
    TOTALS.map((name) => fieldOf(place, name)),
  );
  return isFirst && totals.some((total) => typeof total === "number" && total > items.length);
}

/** `<https://…?page=2>; rel="next"`. */
function nextLink(header: string | null): string | undefined {
  for (const part of (header ?? "").split(/,(?=\s*<)/)) {
    const [, address, parameters = ""] = /<([^>]*)>(.*)/s.exec(part) ?? [];
    if (address !== undefined && /;\s*rel="?(?:[^"]*\s)?next(?:[\s"]|$)/i.test(parameters)) return address;
  }
  return undefined;
}

const NEXT_ADDRESSES = [
  "next",
  "next_page_url",
  "nextPageUrl",
  "nextLink",
  "next_link",
  "@odata.nextLink",
  "href",
];
const NEXT_TOKENS = [
  "next_cursor",
  "nextCursor",
  "next_page_token",
  "nextPageToken",
  "next_token",
  "nextToken",
  "NextToken",
  "end_cursor",
  "endCursor",
  "continuationToken",
  "NextMarker",
  "after",
  "cursor",
];
/** Objects in which answers usually have this. */
const AROUND = [
  "meta",
  "links",
  "_links",
  "pagination",
  "paging",
  "page_info",
  "pageInfo",
  "cursors",
  "metadata",
];
const DEEPER = ["response_metadata", "next", ...AROUND];

function findIn(
  value: unknown,
  names: readonly string[],
  fits: (text: string) => boolean,
  depth = 0,
): string | undefined {
  if (!isObject(value)) return undefined;
  for (const name of names) {
    const found = fieldOf(value, name);
    if (typeof found === "string" && found !== "" && fits(found)) return found;
  }
  if (depth >= 2) return undefined;
  for (const name of DEEPER) {
    const found = findIn(fieldOf(value, name), names, fits, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** If an answer says that there is more but gives no cursor, the next page begins after the last item. */
function lastId(value: unknown, items: readonly unknown[]): unknown {
  return fieldOf(value, "has_more") === true ? fieldOf(items.at(-1), "id") : undefined;
}
