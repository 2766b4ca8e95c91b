import type { SearchableTool } from "./searchable-tool.ts";
import { splitWords } from "./split-words.ts";
import type { Route } from "./tool-shape.ts";
import { emptyWords } from "./words.ts";

/**
 * The searched fields of a tool: how much a word there counts, and the usual number of words, beyond which
 * each counts less.
 */
const FIELDS = {
  name: { weight: 2, usual: 3, most: 40 },
  group: { weight: 1.2, usual: 3, most: 40 },
  summary: { weight: 3.4, usual: 7, most: 40 },
  route: { weight: 2.6, usual: 5, most: 40 },
  description: { weight: 0.8, usual: 30, most: 150 },
  parameters: { weight: 0.5, usual: 20, most: 200 },
} as const;
type Field = keyof typeof FIELDS;

/** A summary is a line, or less if that says more than one thing. */
const SUMMARY_END = /\n|[.:;] /;
/** Interfaces have their summary in a line of its own. */
const LINE_END = /\n/;

/** How much of a field's length counts against a word in it. */
const LENGTH_SHARE = 0.8;
/** The most terms of one tool. */
const MAX_TERMS = 400;

/** The terms that find a tool, each with its relevance. Independent of other tools. */
export function toolWords(
  tool: SearchableTool,
  route: Route | undefined,
  stemOf: (word: string) => string,
): ReadonlyMap<string, number> {
  const found: Found = { terms: new Map(), stemOf };
  const { path, description } = tool;
  const [namespace = "", ...rest] = path.split(".");
  const written = route === undefined ? "" : `${route.method} ${route.path}`;
  const text = description.slice(0, description.length - written.length);
  const end = (route === undefined ? SUMMARY_END : LINE_END).exec(text)?.index ?? text.length;
  const name = rest.at(-1) ?? namespace;
  add(found, "name", name);
  add(found, "group", path.split(".").slice(0, -1).join(" "));
  add(found, "summary", text.slice(0, end));
  add(found, "route", route?.segments.join(" ") ?? "");
  add(found, "description", text.slice(end));
  add(found, "parameters", tool.keywords ?? parametersOf(tool.inputSchema));
  return found.terms;
}

interface Found {
  readonly terms: Map<string, number>;
  readonly stemOf: (word: string) => string;
}

function add({ terms, stemOf }: Found, field: Field, text: string): void {
  const { weight, usual, most } = FIELDS[field];
  const words = splitWords(text.slice(0, most * 12)).slice(0, most);
  const each = weight / (1 - LENGTH_SHARE + (LENGTH_SHARE * Math.max(words.length, 1)) / usual);
  const here = new Set<string>();
  for (const word of words) {
    if (emptyWords.has(word)) continue;
    const term = stemOf(word);
    const before = terms.get(term);
    if (here.has(term) || (before === undefined && terms.size >= MAX_TERMS)) continue;
    here.add(term);
    terms.set(term, (before ?? 0) + each);
  }
}

function parametersOf(schema: unknown): string {
  const properties =
    typeof schema === "object" && schema !== null ? Reflect.get(schema, "properties") : undefined;
  if (typeof properties !== "object" || properties === null) return "";
  return Object.entries(properties)
    .map(([name, property]) => {
      const about =
        typeof property === "object" && property !== null ? Reflect.get(property, "description") : "";
      return typeof about === "string" ? `${name} ${about}` : name;
    })
    .join(" ");
}
