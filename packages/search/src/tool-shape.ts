import type { SearchableTool } from "./searchable-tool.ts";
import { splitWords } from "./split-words.ts";
import { type Deed, deedsOf } from "./verbs.ts";

/** `GET /issues/{id}`, as the last line of a description. */
const ROUTE = /(?:^|\n)(GET|PUT|POST|DELETE|OPTIONS|HEAD|PATCH) (\/[^\n]*)$/;
const PARAMETER = /\{[^{}]*\}/g;
const DEPRECATED = /\bdeprecated\b|\blegacy\b|\bclosing down\b/i;
/** How much of a description tells whether the tool is outdated. */
const MAX_NOTE_CHARS = 400;

export interface Route {
  readonly method: string;
  readonly path: string;
  /** What its path names, without what it leaves open. */
  readonly segments: readonly string[];
  /** Whether it ends in what it leaves open: one of many. */
  readonly single: boolean;
}

export function routeOf({ description }: SearchableTool): Route | undefined {
  const [, method, path] = ROUTE.exec(description) ?? [];
  if (method === undefined || path === undefined) return undefined;
  const parts = path.split("/").filter((part) => part !== "");
  const segments = parts.map((part) => part.replaceAll(PARAMETER, "")).filter((part) => /\p{L}/u.test(part));
  return { method, path, segments, single: parts.at(-1)?.startsWith("{") === true };
}

const BY_METHOD: Readonly<Record<string, readonly Deed[]>> = {
  GET: ["read"],
  HEAD: ["read"],
  POST: ["create"],
  PUT: ["update", "create"],
  PATCH: ["update"],
  DELETE: ["delete"],
};

/** As words of a name they say how it is sent, not what it does. */
const METHODS: ReadonlySet<string> = new Set(["get", "put", "post", "patch", "delete"]);
/** What a route ends or begins with that is sent as if it made something, and only reads. */
const ASKS: ReadonlySet<string> = new Set(
  "get search query find lookup list check count fetch retrieve read export validate calculate preview estimate".split(
    " ",
  ),
);

const SEARCHES: ReadonlySet<string> = new Set(["search", "find", "query", "lookup"]);

/** What kinds of operation a tool may be, by its name, its route, and whether it only reads. */
export function toolDeeds(tool: SearchableTool, route = routeOf(tool)): ReadonlySet<Deed> {
  const found = new Set<Deed>(BY_METHOD[route?.method ?? ""] ?? []);
  // Many words are verbs and nouns: beside a method, only what it leaves open is taken from them.
  if (found.size > 0 && route?.method !== "POST") return found;
  const last = splitWords(route?.segments.at(-1) ?? "");
  if (ASKS.has(last[0] ?? "") || ASKS.has(last.at(-1) ?? "")) return new Set(["read"]);
  for (const word of splitWords(tool.path.split(".").at(-1) ?? "")) {
    for (const deed of deedsOf(word) ?? [])
      if (deed !== "read" && (route === undefined || (deed !== "create" && !METHODS.has(word))))
        found.add(deed);
    // Of a name alone the first verb tells: `deleteMessage` messages nobody.
    if (route === undefined && found.size > 0) break;
  }
  if (found.size === 0 && tool.idempotent) found.add("read");
  return found;
}

/** Whether it looks for something by words. */
export function isSearch(tool: SearchableTool, route: Route | undefined): boolean {
  const said = `${tool.path.split(".").at(-1)} ${route?.segments.at(-1) ?? ""}`;
  return splitWords(said).some((word) => SEARCHES.has(word));
}

/** How many things must be named to reach what it works on, beyond the first. */
export function toolDepth(route: Route | undefined): number {
  return Math.min(Math.max((route?.path.split("{").length ?? 0) - 2, 0), 10);
}

export function isOutdated({ description }: SearchableTool): boolean {
  return DEPRECATED.test(description.slice(0, MAX_NOTE_CHARS));
}

/** As in `/me/events` and `/user/repos`. */
export function isOwn({ segments }: Route): boolean {
  return segments.some((segment) => /^(?:me|my|myself|self)$/.test(segment)) || segments[0] === "user";
}

/** Words of routes and names that tell no tool from another. */
const COMMON = new Set(
  "api rest json v get list create update delete add post put patch set fetch retrieve graph public by id".split(
    " ",
  ),
);

/** Stems of what it is about: of the route where it has one, else of its path. */
export function toolCore(
  tool: SearchableTool,
  route: Route | undefined,
  stemOf: (word: string) => string,
): ReadonlySet<string> {
  const text = route?.segments.join(" ") ?? tool.path.split(".").slice(1).join(" ");
  const [namespace = ""] = tool.path.split(".", 1);
  return new Set(
    splitWords(text)
      .filter((word) => !COMMON.has(word) && word !== namespace && /\p{L}/u.test(word))
      .map(stemOf),
  );
}

/** Tools of one namespace with the same do the same to the same, in another place or version. */
export function toolSignature(tool: SearchableTool): string {
  const route = routeOf(tool);
  const [namespace = ""] = tool.path.split(".", 1);
  if (route === undefined) return tool.path;
  const last = route.segments.at(-1)?.toLowerCase() ?? "";
  return `${namespace} ${route.method} ${last}${route.single ? "/" : ""}`;
}
