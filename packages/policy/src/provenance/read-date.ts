const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const MONTH =
  "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?";
const DAY = "(\\d{1,2})(?:st|nd|rd|th)?";
const YEAR = "(\\d{4})";
const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const DAY_MS = 86_400_000;

/** In lower-case text, from the fullest form to the barest; numbers inside one are no numbers of their own. */
const DATES = new RegExp(
  [
    `\\b${MONTH}\\s+${DAY}(?!\\d|:)(?:(?:,\\s*|\\s+)${YEAR})?\\b`,
    `\\b${DAY}\\s+(?:of\\s+)?${MONTH}(?:(?:,\\s*|\\s+)${YEAR})?(?![\\p{L}\\d])`,
    `\\b${YEAR}[-/.](\\d{1,2})[-/.](\\d{1,2})(?!\\d)`,
    `\\b(\\d{1,2})([-/.])(\\d{1,2})\\11${YEAR}\\b`,
  ].join("|"),
  "gu",
);
/** "From the 14th to the 15th of November 2026", "May 14 to 15": the day that stands without its month. */
const TO_DAY = "\\s*(?:to|until|till|through|and|or|-|–)\\s*(?:the\\s+)?";
const FIRST_OF_RANGE = new RegExp(
  `\\b${DAY}(?=${TO_DAY}${DAY}\\s+(?:of\\s+)?${MONTH}(?:(?:,\\s*|\\s+)${YEAR})?(?![\\p{L}\\d]))`,
  "gu",
);
const LAST_OF_RANGE = new RegExp(
  `(?<=\\b${MONTH}\\s+${DAY}${TO_DAY})${DAY}(?!\\d|:|\\s?[ap]\\.?m)(?:(?:,\\s*|\\s+)${YEAR})?\\b`,
  "gu",
);
/** "The end of June": its last day. */
const LAST_OF_MONTH = new RegExp(
  `\\b(?:end|last day) of ${MONTH}(?:(?:,\\s*|\\s+)${YEAR})?(?![\\p{L}\\d])`,
  "gu",
);
const RELATIVE = new RegExp(`\\b(today|tonight|tomorrow|yesterday|${WEEKDAYS.join("|")})\\b`, "g");
const TIMES =
  /(?<![\d:.])(?:([01]?\d|2[0-3]):([0-5]\d)(?::[0-5]\d(?:\.\d+)?)?(?:\s?([ap])\.?m\b\.?)?|(1[0-2]|[1-9])\s?([ap])\.?m\b)/g;
const NAMED_TIMES = /\b(?:noon|midday|midnight)\b/g;
const WHOLE_DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})(?:[t ](\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?(?:z|[+-]\d{2}:?\d{2})?)?$/;

/** Every date or time has one of these: most texts have none, and looking for dates takes far longer. */
const DATE_HINT = /\d[-/.]\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec/;
const TIME_HINT = /\d:\d|\d\s?[ap]\.?m/;

/** A point in time in the form that `values` compare, and its place in the text. */
export interface DateSpan {
  readonly start: number;
  readonly end: number;
  readonly forms: readonly string[];
}

/** Dates and times in lower-case text. `today` (`2024-05-15`) gives "tomorrow" and weekdays a meaning. */
export function findDates(text: string, today?: string): readonly DateSpan[] {
  const spans: DateSpan[] = [];
  const add = (match: RegExpExecArray, forms: readonly string[]): void => {
    if (forms.length > 0) spans.push({ start: match.index, end: match.index + match[0].length, forms });
  };
  if (DATE_HINT.test(text)) for (const match of text.matchAll(DATES)) add(match, dateForms(match));
  if (DATE_HINT.test(text)) {
    for (const match of text.matchAll(LAST_OF_MONTH)) add(match, lastDayForms(match));
    for (const match of text.matchAll(FIRST_OF_RANGE)) {
      const [, day, , month = "", year] = match;
      add(match, form(year, monthNumber(month), Number(day)));
    }
    for (const match of text.matchAll(LAST_OF_RANGE)) {
      const [, month = "", , day, year] = match;
      add(match, form(year, monthNumber(month), Number(day)));
    }
  }
  if (TIME_HINT.test(text)) for (const match of text.matchAll(TIMES)) add(match, [timeForm(match)]);
  for (const match of text.matchAll(NAMED_TIMES))
    add(match, [match[0] === "midnight" ? "t:00:00" : "t:12:00"]);
  if (today !== undefined)
    for (const match of text.matchAll(RELATIVE)) add(match, relativeForms(match[0], today));
  return spans;
}

/** What has to be said of a moment for it to be explained, each of a list of forms that would do; else none. */
export function momentNeeds(text: string): readonly (readonly string[])[] {
  const [, date, time] = WHOLE_DATE_TIME.exec(text) ?? [];
  if (date === undefined) return /^\d{2}:\d{2}(?::\d{2})?$/.test(text) ? [[`t:${text.slice(0, 5)}`]] : [];
  const needs = [[`d:${date}`, `d:${date.slice(5)}`]];
  return time === undefined || time === "00:00" ? needs : [...needs, [`t:${time}`]];
}

function dateForms(match: RegExpExecArray): readonly string[] {
  const [, month1, day1, year1, day2, month2, year2, year3, month3, day3, first, separator, second, year4] =
    match;
  if (month1 !== undefined) return form(year1, monthNumber(month1), Number(day1));
  if (month2 !== undefined) return form(year2, monthNumber(month2), Number(day2));
  if (year3 !== undefined) return form(year3, Number(month3), Number(day3));
  // 3/4/2024 is March in one country and April in another; with points it is always day first.
  const dayFirst = form(year4, Number(second), Number(first));
  return separator === "." ? dayFirst : [...dayFirst, ...form(year4, Number(first), Number(second))];
}

/** A date without a year speaks of that day in any. */
function form(year: string | undefined, month: number, day: number): readonly string[] {
  if (month < 1 || month > 12 || day < 1 || day > 31) return [];
  const monthDay = `${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
  return [year === undefined ? `d:${monthDay}` : `d:${year}-${monthDay}`];
}

function lastDayForms([, name = "", year]: RegExpExecArray): readonly string[] {
  const month = monthNumber(name);
  // Without a year, February may have either.
  const years = year === undefined ? [2025, 2028] : [Number(year)];
  const days = years.map((one) => new Date(Date.UTC(one, month, 0)).getUTCDate());
  return [...new Set(days)].flatMap((day) => form(year, month, day));
}

function monthNumber(name: string): number {
  return MONTHS.indexOf(name.slice(0, 3)) + 1;
}

function timeForm([, hour, minute, half, bareHour, bareHalf]: RegExpExecArray): string {
  const isAfternoon = (half ?? bareHalf) === "p";
  const isMorning = (half ?? bareHalf) === "a";
  const said = Number(hour ?? bareHour);
  const hours = isAfternoon ? (said % 12) + 12 : isMorning ? said % 12 : said;
  return `t:${String(hours).padStart(2, "0")}:${minute ?? "00"}`;
}

function relativeForms(word: string, today: string): readonly string[] {
  const start = Date.parse(`${today}T00:00:00Z`);
  if (Number.isNaN(start)) return [];
  const at = (days: number): string => `d:${new Date(start + days * DAY_MS).toISOString().slice(0, 10)}`;
  if (word === "today" || word === "tonight") return [at(0)];
  if (word === "tomorrow") return [at(1)];
  if (word === "yesterday") return [at(-1)];
  // The coming one; said on the day itself, it may mean either.
  const ahead = (WEEKDAYS.indexOf(word) - new Date(start).getUTCDay() + 7) % 7;
  return ahead === 0 ? [at(0), at(7)] : [at(ahead)];
}
