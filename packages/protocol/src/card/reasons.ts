import { cutText } from "@deputy/kit";
/** Why one value is asked about: the value, and words that go on from it ("comes from …"). */
export interface ValueReason {
  /** Its place in the input; empty for the whole input. */
  readonly path: string;
  readonly value: string;
  readonly words: string;
}

const MOST_VALUES = 8;
const MOST_NAMES = 3;
const MOST_REASONS = 20;
const MOST_SHORT = 4;
const VALUE_CHARS = 60;
const VALUE_REASON = /^(.*?) ("(?:[^"\\]|\\.)*") ((?:comes|does not come) from .*)$/su;
const TOOL_REASON = /^(\S+) asks before every call\.$/u;
const ASKS = { one: "asks before every call.", many: "ask before every call." } as const;
const WHOLE = "The input";
/** What follows these words is the state of the session, and no reason of its own. */
const HAS_READ = ", and Deputy has read text from ";

/** As one sentence, which `gatherReasons` can read again. */
export function writeValueReason({ path, value, words }: ValueReason): string {
  return `${path === "" ? WHOLE : path} ${JSON.stringify(value)} ${words}`;
}

/** A sentence without its full stop, and what was read before; the end of it is the same for all reasons. */
export function withRead(sentence: string, sources: readonly string[]): string {
  return sources.length === 0 ? `${sentence}.` : `${sentence}${HAS_READ}${nameSources(sources)}.`;
}

/** The words for whatever authors of tools wrote about them. */
export const DESCRIPTIONS_OF = "the tool descriptions of ";
const MOST_SOURCES = 3;

/** Sources as a user knows them, each once: what is known of tools is named by the tools, not by how they came. */
export function nameSources(sources: readonly string[]): string {
  const authors = sources.flatMap((source) =>
    source.startsWith(DESCRIPTIONS_OF) ? source.slice(DESCRIPTIONS_OF.length).split(", ") : [],
  );
  const tools = [...new Set(authors.map((author) => author.replace(/^(?:mcp|openapi|plugin):/, "")))];
  const named = [
    ...new Set(sources.filter((source) => !source.startsWith(DESCRIPTIONS_OF))),
    ...(tools.length === 0 ? [] : [`${DESCRIPTIONS_OF}${tools.join(" and ")}`]),
  ];
  const more = named.length - MOST_SOURCES;
  return `${named.slice(0, MOST_SOURCES).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

interface Kind {
  /** The sentence, without what was read before and its full stop. */
  readonly words: string;
  readonly stop: "." | "";
  /** What was read before, in words. */
  read: string;
  readonly paths: Set<string>;
  readonly values: Set<string>;
}

/** Each kind of reason once; with the values that it is about, as far as it is about values. */
function sortReasons(reasons: readonly string[]): {
  readonly kinds: readonly Kind[];
  readonly asking: readonly string[];
} {
  const kinds = new Map<string, Kind>();
  const asking = new Set<string>();
  for (const reason of reasons) {
    const [, tool] = TOOL_REASON.exec(reason) ?? [];
    if (tool !== undefined) asking.add(tool);
    if (tool !== undefined) continue;
    const [, path = "", value = "", told] = VALUE_REASON.exec(reason) ?? [];
    const stop = reason.endsWith(".") ? "." : "";
    const [words = "", read = ""] = (told ?? reason).replace(/\.$/, "").split(HAS_READ);
    const known = kinds.get(words) ?? { words, stop, read, paths: new Set(), values: new Set() };
    // Of calls that come after others, more was read before.
    if (read.length > known.read.length) known.read = read;
    if (told !== undefined) known.paths.add(path.replaceAll(/\[\d+\]/g, "[]"));
    if (told !== undefined) known.values.add(`${path} ${shorten(value)}`);
    kinds.set(words, known);
  }
  return { kinds: [...kinds.values()], asking: [...asking] };
}

/**
 * Each kind of reason once, in a short sentence. Many values are counted, and the arguments named which they stand in:
 * the values are on the card. What was read before is said only if no reason names where something comes from.
 */
export function shortReasons(reasons: readonly string[]): readonly string[] {
  const { kinds, asking } = sortReasons(reasons);
  const isNamed = kinds.some(({ words, values }) => values.size > 0 && words.startsWith("comes from "));
  const longest = kinds.map((kind) => kind.read).toSorted((a, b) => b.length - a.length)[0] ?? "";
  const read = isNamed ? "" : longest;
  const told = [
    ...kinds.map(({ words, paths, values }) => {
      const [only] = values;
      if (only === undefined) return `${words}.`;
      if (values.size === 1) return `${only} ${words}.`;
      const named = paths.size > MOST_NAMES ? "" : ` (${[...paths].join(", ")})`;
      return `${values.size} values ${plural(words)}${named}.`;
    }),
    ...tellAsking(asking),
  ];
  const more = told.length - MOST_SHORT;
  return [
    ...told.slice(0, MOST_SHORT),
    ...(more > 0 ? [`${more} more ${more === 1 ? "reason" : "reasons"}: see the details.`] : []),
    ...(read === "" ? [] : [`Deputy has read text from ${read}.`]),
  ];
}

/**
 * Each kind of reason once. Values that are asked about for the same reason are counted and named behind it;
 * where there are many, the first of them.
 */
export function gatherReasons(reasons: readonly string[]): readonly string[] {
  const { kinds, asking } = sortReasons(reasons);
  const told = [...kinds.map(tell), ...tellAsking(asking)];
  const more = told.length - MOST_REASONS;
  return more <= 0 ? told : [...told.slice(0, MOST_REASONS), `${more} more reasons, told with the calls.`];
}

function tellAsking(tools: readonly string[]): readonly string[] {
  return tools.length === 0
    ? []
    : [`${tools.join(", ").replace(/, (?=[^,]*$)/, " and ")} ${ASKS[tools.length === 1 ? "one" : "many"]}`];
}

/** The value is on the card in full: here it need only be recognised. */
function shorten(value: string): string {
  if (value.length <= VALUE_CHARS) return value;
  return `${cutText(value, VALUE_CHARS).replace(/\\+$/, "")}…"`;
}

function plural(words: string): string {
  return words.replace(/^comes /, "come ").replace(/^does /, "do ");
}

function tell({ words, stop, read, values }: Kind): string {
  const [only] = values;
  const end = read === "" ? "" : `${HAS_READ}${read}`;
  if (values.size <= 1) return `${only === undefined ? "" : `${only} `}${words}${end}${stop}`;
  const more = values.size - MOST_VALUES;
  const named = [...values].slice(0, MOST_VALUES).join(", ");
  return `${values.size} values ${plural(words)}${end}: ${named}${more > 0 ? `, and ${more} more` : ""}.`;
}
