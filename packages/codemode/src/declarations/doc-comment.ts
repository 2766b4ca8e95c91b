import { makeVisible, shorten } from "@deputy/kit";
import { isKeywords, type Keywords } from "./json-pointer.ts";

/** Longer descriptions are cut, because the model reads a comment with every declaration. */
const MAX_DOC_CHARS = 2_000;
/** One line of text that can stand in a comment as it is. */
const PLAIN = /^[ -)+-~]*$/;

/**
 * A JSDoc comment that cannot end early; undefined if there is nothing to say. Its lines are joined by
 * `newLine`, a line break with the indentation of its place.
 */
export function docComment(description: unknown, newLine: string): string | undefined {
  if (typeof description !== "string") return undefined;
  const text = description.trim();
  if (text === "") return undefined;
  const cut = shorten(text, MAX_DOC_CHARS);
  if (PLAIN.test(cut)) return `/** ${cut} */`;
  const lines = cut.split(/\r\n|\r|\n/).map((line) => escapeLine(line.trimEnd()));
  if (lines.length === 1) return `/** ${lines[0]} */`;
  return ["/**", ...lines.map((line) => (line === "" ? " *" : ` * ${line}`)), " */"].join(newLine);
}

function escapeLine(line: string): string {
  if (PLAIN.test(line)) return line;
  return makeVisible(line.replaceAll("\t", " ")).replaceAll("*/", "*\\/");
}

const MAX_DEFAULT_CHARS = 60;
const MAX_PATTERN_CHARS = 60;
/** Longer texts are limited for the server's sake; nobody writes so much by mistake. */
const MAX_TELLING_LENGTH = 10_000;
/** Names, zones and ids are never that long; a text may be. */
const MIN_TELLING_LENGTH = 140;
const MAX_TELLING_BOUND = 1_000_000_000;
/** Formats that the type or the name of a property says anyway. */
const SILENT_FORMATS: ReadonlySet<unknown> = new Set(
  "int32 int64 float double uri url uri-reference password string".split(" "),
);

/** What a reader has to know of a property besides its type: its description, and which values are right. */
export function aboutProperty(property: Keywords): string | undefined {
  const { description } = property;
  const text = typeof description === "string" ? description.trim() : "";
  const limits = limitsOf(property, text).join("; ");
  if (limits === "") return text === "" ? undefined : text;
  return text === "" ? limits : `${text} (${limits})`;
}

/** The description shows how a time is written. */
const TIME_SHOWN = /\bYYYY-MM-DDTHH:MM/i;

function limitsOf(property: Keywords, text: string): readonly string[] {
  return [
    range(bound(property["minimum"]), bound(property["maximum"]), ""),
    over("more than", property["exclusiveMinimum"]),
    over("less than", property["exclusiveMaximum"]),
    over("a multiple of", property["multipleOf"]),
    range(length(property["minLength"], 2), length(property["maxLength"], MIN_TELLING_LENGTH), " characters"),
    range(length(property["minItems"]), length(property["maxItems"]), " elements"),
    TIME_SHOWN.test(text) ? undefined : formatOf(property),
    isKeywords(property["items"]) ? each(formatOf(property["items"])) : undefined,
    property["default"] === undefined ? undefined : defaultOf(property["default"]),
  ].filter((part) => part !== undefined);
}

/** Bounds that nobody reaches say nothing. */
function bound(value: unknown): number | undefined {
  return typeof value === "number" && Math.abs(value) < MAX_TELLING_BOUND ? value : undefined;
}

function length(value: unknown, least = 1): number | undefined {
  return typeof value === "number" && value >= least && value <= MAX_TELLING_LENGTH ? value : undefined;
}

function over(words: string, value: unknown): string | undefined {
  const number = bound(value);
  return number === undefined ? undefined : `${words} ${number}`;
}

function range(least: number | undefined, most: number | undefined, units: string): string | undefined {
  const unit = (most ?? least) === 1 ? units.replace(/s$/, "") : units;
  if (least === undefined) return most === undefined ? undefined : `at most ${most}${unit}`;
  if (most === undefined) return least === 0 ? undefined : `at least ${least}${unit}`;
  return least === most ? `${least}${unit}` : `${least} to ${most}${unit}`;
}

/** What one gets wrong by a name alone: whether it needs seconds. */
const FORMAT_EXAMPLES: ReadonlyMap<string, string> = new Map([
  ["date", "2026-11-18"],
  ["duration", "P1DT12H"],
]);

function each(format: string | undefined): string | undefined {
  return format === undefined ? undefined : `each ${format}`;
}

/** A format's name is shorter than its pattern. */
function formatOf({ format, pattern }: Keywords): string | undefined {
  if (format === "date-time") {
    // Patterns that take times in UTC only have no sign. The pattern itself is not run: others may have written it.
    const isUtc = typeof pattern === "string" && pattern.includes("Z") && !pattern.includes("[+-]");
    return `date-time ${isUtc ? "in UTC, such as 2026-11-18T09:00:00Z" : "with Z or an offset, such as 2026-11-18T09:00:00+01:00"}`;
  }
  if (typeof format === "string") {
    const example = FORMAT_EXAMPLES.get(format);
    if (example !== undefined) return `${format} such as ${example}`;
    return SILENT_FORMATS.has(format) ? undefined : format;
  }
  return typeof pattern === "string" && pattern.length <= MAX_PATTERN_CHARS
    ? `matches ${pattern}`
    : undefined;
}

function defaultOf(value: unknown): string | undefined {
  const text = JSON.stringify(value);
  return text.length <= MAX_DEFAULT_CHARS ? `default ${text}` : undefined;
}
