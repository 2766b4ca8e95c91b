import { type Deed, deedsOf } from "./deeds.ts";
import type { SearchableTool } from "./searchable-tool.ts";
import { splitWords } from "./split-words.ts";
import { emptyWords, endsThing } from "./words.ts";

/** `GET /issues/{id}`, as the last line of a description. */
const ROUTE = /(?:^|\n)(GET|PUT|POST|DELETE|OPTIONS|HEAD|PATCH) (\/[^\n]*)$/;
const HELD = /([^/{}]+)\/\{[^{}]*\}\/[^/{}]+$/;
const PARAMETER = /\{[^{}]*\}/g;

export interface Route {
  readonly method: string;
  readonly path: string;
  /** The fixed parts of its path. */
  readonly segments: readonly string[];
  /** True if it ends in a parameter, so that it works on one of many. */
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

/** In a name, these words say how a request is sent, not what it does. */
const METHODS: ReadonlySet<string> = new Set(["get", "put", "post", "patch", "delete"]);
/** A POST whose route ends in a word that begins or ends with one of these only reads. */
const ASKS: ReadonlySet<string> = new Set(
  "get search query find lookup list check count fetch retrieve read export validate calculate preview estimate".split(
    " ",
  ),
);

/** The kinds of operation a tool may be, by its name, its route, and whether it only reads. */
export function toolDeeds(tool: SearchableTool, route: Route | undefined): ReadonlySet<Deed> {
  const found = new Set<Deed>(BY_METHOD[route?.method ?? ""] ?? []);
  // Many words are both verb and noun, so a method other than POST decides alone.
  if (found.size > 0 && route?.method !== "POST") return found;
  const last = splitWords(route?.segments.at(-1) ?? "");
  if (ASKS.has(last[0] ?? "") || ASKS.has(last.at(-1) ?? "")) return new Set(["read"]);
  // Interfaces that only know POST say in the last word what it does: `reminders.delete`.
  const said = last.map(deedsOf).find((deeds) => deeds !== undefined);
  if (said?.has("delete") === true && said.size === 1) return said;
  for (const word of splitWords(tool.path.split(".").at(-1) ?? "")) {
    for (const deed of deedsOf(word) ?? [])
      if (deed !== "read" && (route === undefined || (deed !== "create" && !METHODS.has(word))))
        found.add(deed);
    // In a name, the first verb decides: `deleteMessage` messages nobody.
    if (route === undefined && found.size > 0) break;
  }
  if (found.size === 0 && tool.idempotent) found.add("read");
  return found;
}

/**
 * Stems of what it gives or works on, one or two: `event` of `/calendars/{id}/events/quickAdd` and of `calendar.events.list`.
 * What stands before only says where that is. A last word that may be a verb counts as well: `/issue/{id}/comment`.
 */
export function toolHeads(
  tool: SearchableTool,
  route: Route | undefined,
  stemOf: (word: string) => string,
): readonly string[] {
  const words = splitWords((route?.segments ?? tool.path.split(".")).join(" ")).filter((word) =>
    /\p{L}/u.test(word),
  );
  const noun = words.findLast((word) => deedsOf(word) === undefined);
  const named = route === undefined ? firstThing(tool).at(-1) : undefined;
  return [
    ...new Set([words.at(-1), noun, named].flatMap((word) => (word === undefined ? [] : stemOf(word)))),
  ];
}

/** The stem of what its own things are in: `calendar` of `/calendars/{id}/events`, which lists them. */
export function toolHolder(route: Route | undefined, stemOf: (word: string) => string): string | undefined {
  const [, holder] = HELD.exec(route?.path ?? "") ?? [];
  const word = splitWords(holder ?? "").at(-1);
  return word === undefined ? undefined : stemOf(word);
}

/** True if it works on things of the calling user, as `/me/events` and `/user/repos` do. */
export function isOwn({ segments }: Route): boolean {
  return segments.some((segment) => /^(?:me|my|myself|self)$/.test(segment)) || segments[0] === "user";
}

const MAX_THING_WORDS = 8;
/** Words of routes and names that do not distinguish tools. */
const COMMON = new Set(
  "api rest json v get list create update delete add post put patch set fetch retrieve graph public by id".split(
    " ",
  ),
);

/** Stems of its subject: from its route if it has one, otherwise from its path and the first thing its description names. */
export function toolCore(
  tool: SearchableTool,
  route: Route | undefined,
  stemOf: (word: string) => string,
): ReadonlySet<string> {
  const [namespace = "", ...rest] = tool.path.split(".");
  const tells = (word: string): boolean => !COMMON.has(word) && word !== namespace && /\p{L}/u.test(word);
  if (route !== undefined) return new Set(splitWords(route.segments.join(" ")).filter(tells).map(stemOf));
  const words = [...splitWords(rest.join(" ")), ...firstThing(tool)].filter(tells);
  return new Set((words.length === 0 ? splitWords(namespace) : words).map(stemOf));
}

/** The first words of its description, as far as they are about one thing: `Read a text file of the workspace`. */
function firstThing({ description }: SearchableTool): readonly string[] {
  const [clause = ""] = description.split(/[\n.:;,(]/, 1);
  const words = splitWords(clause).slice(0, MAX_THING_WORDS);
  const end = words.findIndex((word, at) => at > 0 && endsThing.has(word));
  return (end < 0 ? words : words.slice(0, end)).filter((word) => !emptyWords.has(word));
}
