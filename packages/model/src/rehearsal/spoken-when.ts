/** A request without the words that say how often; `when` in a schedule's syntax, undefined if there are none. */
export interface SpokenWhen {
  readonly when: string | undefined;
  readonly rest: string;
}

const DAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day";
const DAYS = `${DAY}s?(?:(?:, | and |, and )${DAY}s?)*`;
const OFTEN = [
  `(?:every|each) (?:day|weekday|weekend|morning|${DAYS})`,
  "daily|everyday|(?:on )?weekdays|(?:on )?weekends",
  `on ${DAYS}`,
].join("|");
const TIME = String.raw`(?:\d{1,2}(?:[:.]\d\d)?(?: ?[ap]\.?m\b\.?)?|noon|midnight)(?: o'clock)?`;
const ZONE = String.raw`(?: (?:[a-z_]+/[a-z_/-]+|utc))?`;
const INTERVAL = String.raw`hourly|(?:every|each) (?:hour|\d{1,3} (?:minutes|hours|days))`;
const WHEN = new RegExp(
  [
    `(?<often>${OFTEN}),? at (?<time>${TIME})(?<zone>${ZONE})`,
    `at (?<time2>${TIME})(?<zone2>${ZONE}),? (?<often2>${OFTEN})`,
    `(?<interval>${INTERVAL})`,
  ]
    .map((one) => String.raw`(?<![\w-])(?:${one})(?![\w:-])`)
    .join("|"),
  "gi",
);

/**
 * Undefined if the text names more than one time, because it is unclear which is meant. The schedule's parser
 * checks whether the time exists.
 */
export function takeWhen(text: string): SpokenWhen | undefined {
  const [found, ...more] = text.matchAll(WHEN);
  if (more.length > 0) return undefined;
  if (found === undefined) return { when: undefined, rest: text };
  const { often, time, zone, often2, time2, zone2, interval } = found.groups ?? {};
  const day = often ?? often2;
  const when =
    day === undefined
      ? intervalOf(interval ?? "")
      : `${daysOf(day)} at ${clockOf(time ?? time2 ?? "")}${zone ?? zone2 ?? ""}`;
  const rest = `${text.slice(0, found.index)} ${text.slice(found.index + found[0].length)}`;
  return { when, rest: tidy(rest) };
}

function daysOf(often: string): string {
  const days = often
    .toLowerCase()
    .replace(/^each /, "every ")
    .replace(/^every morning$/, "every day");
  // Joins a list of days in the same way, whatever separates them.
  return days.replaceAll(", and ", " and ");
}

function clockOf(time: string): string {
  return time
    .toLowerCase()
    .replace(" o'clock", "")
    .replace(/([ap])\.?m\.?$/, "$1m");
}

function intervalOf(interval: string): string {
  const said = interval.toLowerCase().replace(/^each /, "every ");
  return said === "every hour" ? "hourly" : said;
}

function tidy(text: string): string {
  return text
    .replaceAll(/\s+/g, " ")
    .replaceAll(" ,", ",")
    .replaceAll(/^[, ]+|[, ]+$/g, "");
}
