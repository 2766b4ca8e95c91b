import { ScheduleError } from "./zone-time.ts";

/** Sunday is 0, as cron and `Date` count. */
export const DAY_NAMES = [
  "Sunday",
  "Monday",
  "Tuesday",
  "Wednesday",
  "Thursday",
  "Friday",
  "Saturday",
] as const;

/** January is 0, as `Date` counts. */
export const MONTH_NAMES = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

/** The five fields of a cron expression as what they stand for, each in order and without repetition. */
export interface CronFields {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  /** Empty when the field is `*`; `"last"` is the last day of the month. */
  readonly days: readonly (number | "last")[];
  readonly months: readonly number[];
  /** Empty when the field is `*`. Sunday is 0. */
  readonly weekdays: readonly CronWeekday[];
}

export interface CronWeekday {
  readonly day: number;
  /** Only the first, second … or last of its month. */
  readonly nth?: number | "last";
}

interface FieldRule {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly names: readonly string[];
}

const short = (names: readonly string[]): readonly string[] =>
  names.map((name) => name.slice(0, 3).toUpperCase());
const RULES = {
  minute: { name: "minute", min: 0, max: 59, names: [] },
  hour: { name: "hour", min: 0, max: 23, names: [] },
  day: { name: "day of the month", min: 1, max: 31, names: [] },
  month: { name: "month", min: 1, max: 12, names: short(MONTH_NAMES) },
  weekday: { name: "day of the week", min: 0, max: 7, names: short(DAY_NAMES) },
} as const satisfies Record<string, FieldRule>;

const NICKNAMES: Readonly<Record<string, string>> = {
  "@HOURLY": "0 * * * *",
  "@DAILY": "0 0 * * *",
  "@MIDNIGHT": "0 0 * * *",
  "@WEEKLY": "0 0 * * 0",
  "@MONTHLY": "0 0 1 * *",
  "@YEARLY": "0 0 1 1 *",
  "@ANNUALLY": "0 0 1 1 *",
};
const DAYS_OF_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** In capitals, with single spaces, nicknames written out: what is kept, and what `readCron` takes. */
export function normalizeCron(expression: string): string {
  const text = expression.trim().toUpperCase().replaceAll(/\s+/g, " ");
  return NICKNAMES[text] ?? text;
}

/**
 * Throws `invalid_schedule`, or `schedule_never_fires` for days that no month has. Each field is
 * `*` or a list of values, ranges and steps; months and weekdays have names; `L` is the last day of
 * the month, `MON#2` its second Monday, `FRI#L` its last Friday.
 */
export function readCron(expression: string): CronFields {
  const parts = expression.split(" ");
  const [minute, hour, day, month, weekday] = parts;
  if (weekday === undefined || minute === undefined || hour === undefined || day === undefined)
    throw count(parts);
  if (month === undefined || parts.length > 5) throw count(parts);
  const fields: CronFields = {
    minutes: valuesOf(minute, RULES.minute),
    hours: valuesOf(hour, RULES.hour),
    days: day === "*" ? [] : daysOf(day),
    months: valuesOf(month, RULES.month),
    weekdays: weekday === "*" ? [] : weekdaysOf(weekday),
  };
  if (!canFire(fields))
    throw new ScheduleError(
      "schedule_never_fires",
      `${expression} is never due: no month of it has that day`,
      {
        hint: "For the last day of every month write 0 9 L * *.",
      },
    );
  return fields;
}

/** With a weekday given as well, either will do, and weekdays come round in every month. */
function canFire({ days, months, weekdays }: CronFields): boolean {
  if (days.length === 0 || weekdays.length > 0 || days.includes("last")) return true;
  return months.some((month) => days.some((day) => day !== "last" && day <= (DAYS_OF_MONTH[month - 1] ?? 0)));
}

function daysOf(text: string): readonly (number | "last")[] {
  const terms = text.split(",");
  const numbers = terms.filter((term) => term !== "L").join(",");
  const isLast = terms.includes("L");
  return [
    ...(isLast && numbers === "" ? [] : valuesOf(numbers, RULES.day)),
    ...(isLast ? (["last"] as const) : []),
  ];
}

function weekdaysOf(text: string): readonly CronWeekday[] {
  const found = new Map<string, CronWeekday>();
  for (const term of text.split(",")) {
    const [, name = term, nth] = /^([^#]*)#(.*)$/.exec(term) ?? [];
    if (nth !== undefined && !/^[1-5L]$/.test(nth)) throw wrong(RULES.weekday, term);
    if (nth !== undefined && /[-/*]/.test(name)) throw wrong(RULES.weekday, term);
    const rest = nth === undefined ? {} : { nth: nth === "L" ? ("last" as const) : Number(nth) };
    for (const day of valuesOf(name, RULES.weekday))
      found.set(`${day % 7}#${nth ?? ""}`, { day: day % 7, ...rest });
  }
  return [...found.values()].toSorted((a, b) => a.day - b.day);
}

function valuesOf(text: string, rule: FieldRule): readonly number[] {
  const found = new Set<number>();
  for (const term of text.split(",")) {
    const [, body = "", step = "1"] = /^([^/]*)(?:\/(\d{1,2}))?$/.exec(term) ?? [];
    const [from, to] = rangeOf(body, rule, term);
    const by = Number(step);
    // `5/10` means different things to different crons.
    const isStepOfOne = term.includes("/") && body !== "*" && !body.includes("-");
    if (by < 1 || by > rule.max || isStepOfOne) throw wrong(rule, term);
    for (let value = from; value <= to; value += by) found.add(value);
  }
  return [...found].toSorted((a, b) => a - b);
}

function rangeOf(body: string, rule: FieldRule, term: string): readonly [number, number] {
  // Sunday is 0 and 7; in `*` it is once.
  if (body === "*") return [rule.min, rule === RULES.weekday ? 6 : rule.max];
  const [first = "", last = first, ...more] = body.split("-");
  const from = valueOf(first, rule);
  const to = last === "SUN" && body.includes("-") ? 7 : valueOf(last, rule);
  if (from === undefined || to === undefined || from > to || more.length > 0) throw wrong(rule, term);
  return [from, to];
}

function valueOf(text: string, { min, max, names }: FieldRule): number | undefined {
  const named = names.indexOf(text);
  if (named !== -1) return named + min;
  const value = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
}

const wrong = ({ name, min, max }: FieldRule, term: string): ScheduleError =>
  new ScheduleError("invalid_schedule", `${JSON.stringify(term)} is no ${name} of a cron expression`, {
    hint: `It is ${min} to ${max}: a value, a list (1,2), a range (1-5), a step (*/5, 1-9/2), or *. For example 0 9 * * 1-5.`,
  });

const count = (parts: readonly string[]): ScheduleError =>
  new ScheduleError("invalid_schedule", `A cron expression has five fields, this has ${parts.length}`, {
    hint: "Minute, hour, day of the month, month, day of the week, for example 0 9 * * 1-5. There is no field for seconds.",
  });
