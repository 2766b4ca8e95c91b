import { type Schedule, type ScheduleInput, scheduleSchema } from "../schedule.ts";
import { DAY_NAMES, MONTH_NAMES, normalizeCron, readCron } from "./cron-fields.ts";
import { momentWords } from "./describe-schedule.ts";
import { zoneTime, ScheduleError } from "./zone-time.ts";
import { readDuration } from "./duration-text.ts";

const DAY_MS = 86_400_000;
const DEFAULT_CAUGHT_UP = 10;
const LONGEST_TEXT = 300;
const LATEST_MS = Date.UTC(9999, 0);
const STAMP = /^(\d{4})-(\d\d)-(\d\d)[T ](\d{1,2}):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?(Z|[+-]\d\d:?\d\d)?$/;

/** Where a schedule is said: the zone that is meant when none is, and the time. */
export interface ScheduleContext {
  readonly zone: string;
  readonly nowMs: number;
}

/** Throws `ScheduleError`. A canonical schedule comes back as it is, while its time is to come. */
export function parseSchedule(input: ScheduleInput, context: ScheduleContext): Schedule {
  const said = typeof input === "string" ? spoken(input, context) : input;
  const policies = {
    misfire: misfireOf(said.misfire),
    catchUpMs: said.catchUpMs ?? DAY_MS,
    overlap: said.overlap ?? "skip",
    jitterMs: said.jitterMs ?? 0,
  } as const;
  return checked({ ...timingOf(said, context), ...policies });
}

type ScheduleObject = Exclude<ScheduleInput, string>;

function spoken(text: string, context: ScheduleContext): ScheduleObject {
  const said = readSpoken(text.slice(0, LONGEST_TEXT));
  if (said.kind === "in") return { kind: "at", at: isoAt(context.nowMs + said.inMs) };
  if (said.kind === "date") return dateAt(said, context);
  return said.kind === "day" ? dayAt(said, context) : said;
}

/** The day itself and its time; without a year, the next one that is still to come. */
function dateAt(
  { day, month, year, time, zone = "" }: SpokenDate,
  { zone: usual, nowMs }: ScheduleContext,
): ScheduleObject {
  const wallMs = zoneTime(zone === "" ? usual : zone).wallOf(nowMs);
  const thisYear = new Date(wallMs).getUTCFullYear();
  // 29 February may be eight years away.
  const years = year === undefined ? Array.from({ length: 9 }, (_, ahead) => thisYear + ahead) : [year];
  const moments = years
    .map((one) => Date.UTC(one, month, day, time?.hour ?? 0, time?.minute ?? 0))
    // Dates overflow: 30 February would be in March.
    .filter((ms) => new Date(ms).getUTCMonth() === month && day > 0);
  const [first] = moments;
  if (first === undefined) {
    const name = MONTH_NAMES[month] ?? "";
    const days = new Date(Date.UTC(year ?? 2000, month + 1, 0)).getUTCDate();
    throw new ScheduleError("invalid_schedule", `There is no ${[day, name, year].join(" ").trim()}`, {
      hint: `The last day of ${name} is the ${days}th.`.replace("1th", "1st"),
    });
  }
  if (time === undefined)
    throw refused(
      `${day} ${MONTH_NAMES[month] ?? ""}`,
      "It does not say at what time of the day",
      "For example 3 March at 9:00.",
    );
  const at = isoAt(moments.find((ms) => ms > wallMs) ?? first).replace("Z", "");
  return { kind: "at", at, ...(zone === "" ? {} : { zone }) };
}

/** A day that is named from today on. A weekday is the next one whose time is still to come. */
function dayAt(
  { day, hour, minute, zone = "" }: SpokenDay,
  { zone: usual, nowMs }: ScheduleContext,
): ScheduleObject {
  const clocks = zoneTime(zone === "" ? usual : zone);
  const wallMs = clocks.wallOf(nowMs);
  const midnight = wallMs - (wallMs % DAY_MS);
  const time = hour * 3_600_000 + minute * 60_000;
  const isPast = midnight + time <= wallMs;
  const today = new Date(midnight).getUTCDay();
  const ahead = typeof day === "number" ? (day - today + 7) % 7 : day === "today" ? 0 : 1;
  const isNextWeek = typeof day === "number" && ahead === 0 && isPast;
  const at = isoAt(midnight + (isNextWeek ? 7 : ahead) * DAY_MS + time).replace("Z", "");
  return { kind: "at", at, ...(zone === "" ? {} : { zone }) };
}

type Timing = Schedule extends infer One ? (One extends Schedule ? Omit<One, keyof Policies> : never) : never;
type Policies = Pick<Schedule, "misfire" | "catchUpMs" | "overlap" | "jitterMs">;

function timingOf(said: ScheduleObject, context: ScheduleContext): Timing {
  if (said.kind === "every")
    return { kind: "every", everyMs: said.everyMs, anchorAt: said.anchorAt ?? isoAt(context.nowMs) };
  const { zone } = zoneTime(said.zone ?? context.zone);
  if (said.kind === "cron") {
    const expression = normalizeCron(said.expression);
    readCron(expression);
    return { kind: "cron", expression, zone };
  }
  const atMs = momentOf(said.at, zone);
  if (atMs <= context.nowMs)
    throw new ScheduleError("schedule_in_past", `${momentWords(atMs, zone)} (${zone}) has passed`, {
      hint: `It is ${momentWords(context.nowMs, zone)} there; say a later time, for example in 20 minutes.`,
    });
  return { kind: "at", at: isoAt(atMs), zone };
}

/** A local time that the clocks skip is the moment at which they jump; of one that they show twice it is the first. */
function momentOf(text: string, zone: string): number {
  const [, year, month, day, hour, minute, second = "0", fraction = "", offset] =
    STAMP.exec(text.toUpperCase()) ?? [];
  const wallMs = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
    Number(fraction.padEnd(3, "0")),
  );
  // Dates overflow: 30 February would be in March.
  const isReal =
    new Date(Number.isNaN(wallMs) ? 0 : wallMs)
      .toISOString()
      .startsWith(`${year}-${month}-${day}T${hour?.padStart(2, "0")}:${minute}`) && Number(second) < 60;
  if (!isReal)
    throw new ScheduleError("invalid_schedule", `${JSON.stringify(text)} is no date and time`, {
      hint: "Write 2026-12-01T09:00, or with an offset 2026-12-01T09:00:00Z.",
    });
  if (offset === undefined) return zoneTime(zone).reached(wallMs);
  if (offset === "Z") return wallMs;
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(offset) ?? [];
  return wallMs - (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

function misfireOf(said: ScheduleObject["misfire"]): Schedule["misfire"] {
  if (said === undefined) return { kind: "once" };
  return said.kind === "all" ? { kind: "all", max: said.max ?? DEFAULT_CAUGHT_UP } : { kind: said.kind };
}

/** Limits hold for what was typed too. */
function checked(schedule: Schedule): Schedule {
  const { success, error } = scheduleSchema.safeParse(schedule);
  if (success) return schedule;
  const [issue] = error.issues;
  if (issue?.path[0] === "everyMs")
    throw new ScheduleError(
      "invalid_schedule",
      issue.code === "too_big" ? "An interval is at most ten years" : "An interval is at least a second",
      { hint: "For example every 30m." },
    );
  throw new ScheduleError("invalid_schedule", `${issue?.path.join(".")}: ${issue?.message}`, {
    hint: EXAMPLES,
  });
}

function isoAt(ms: number): string {
  return new Date(Math.min(ms, LATEST_MS)).toISOString();
}

/** What a text says of when, before anything of it was looked up. */
type SpokenSchedule =
  | { readonly kind: "cron"; readonly expression: string; readonly zone?: string }
  | { readonly kind: "every"; readonly everyMs: number }
  | { readonly kind: "in"; readonly inMs: number }
  | { readonly kind: "at"; readonly at: string; readonly zone?: string }
  | SpokenDay
  | SpokenDate;

interface SpokenDate {
  readonly kind: "date";
  readonly day: number;
  /** From 0 on. */
  readonly month: number;
  readonly year?: number;
  /** Undefined: none was said. */
  readonly time: { readonly hour: number; readonly minute: number } | undefined;
  readonly zone?: string;
}

interface SpokenDay {
  readonly kind: "day";
  /** A weekday by its number, from Sunday on. */
  readonly day: "today" | "tomorrow" | number;
  readonly hour: number;
  readonly minute: number;
  readonly zone?: string;
}

const EXAMPLES =
  "For example 0 9 * * 1-5, daily at 9am, weekdays at 17:30 Europe/London, every monday at 9, every 30m, in 2 hours, tomorrow at 5pm, or at 2026-12-01T09:00.";
const MINUTE_FIELD = /^[\d*@][\d*,/-]*$/;
const DATE = /^(?:at |on |once,? )?(\d{4}-\d\d-\d\d[t ]\d.*)$/;
const DAYS = DAY_NAMES.map((day) => day.toLowerCase());
const MONTHS = MONTH_NAMES.map((month) => month.toLowerCase());

/** Throws `invalid_schedule`. What a machine writes (cron, ISO) and some plain words; other languages are the model's work. */
function readSpoken(text: string): SpokenSchedule {
  const spaced = text.trim().replaceAll(/\s+/g, " ");
  const words = spaced.split(" ");
  const { rest, zone } = splitZone(spaced);
  const inZone = zone === undefined ? {} : { zone };
  const said = rest.toLowerCase();
  const dated = readDate(said);
  if (dated !== undefined) return { ...dated, ...inZone };

  if (
    spaced.startsWith("@") ||
    (words.length >= 4 && words.slice(0, 2).every((word) => MINUTE_FIELD.test(word)))
  )
    return readCronLine(words);

  const [, date] = DATE.exec(said) ?? [];
  if (date !== undefined) return { kind: "at", at: date.toUpperCase(), ...inZone };

  const once = readDay(said);
  if (once !== undefined) return { ...once, ...inZone };

  const expression = cronOf(said);
  if (expression !== undefined) return { kind: "cron", expression, ...inZone };

  const [, how, span = ""] = /^(every|in) (.+)$/.exec(said) ?? [];
  const ms = readDuration(span);
  if (ms !== undefined && zone !== undefined)
    throw refused(text, "An interval has no time zone", "Leave the zone out.");
  if (ms !== undefined) return how === "in" ? { kind: "in", inMs: ms } : { kind: "every", everyMs: ms };

  if (dayField(said) !== undefined)
    throw refused(text, "It does not say at what time of the day", "For example every day at 9:00.");
  throw refused(text, "This is no schedule that can be understood", EXAMPLES);
}

/** `tomorrow at 5pm`, `at 17:30 today`, `tonight at 8pm`, `next monday at 9`: once. A time without a day could mean every day. */
function readDay(said: string): Omit<SpokenDay, "zone"> | undefined {
  const named = String.raw`today|tonight|this evening|tomorrow|next [a-z]+|this [a-z]+`;
  const clock = String.raw`(?:at )?(${CLOCK}|\d{1,2})`;
  const text = said.replace(/^(?:at|on) (?=today|tonight|this |tomorrow|next )/, "");
  const [, dayFirst, timeAfter] = new RegExp(`^(${named}),? ${clock}$`).exec(text) ?? [];
  const [, timeFirst, dayAfter] = new RegExp(`^${clock},? (${named})$`).exec(text) ?? [];
  const time = readTime(timeAfter ?? timeFirst ?? "");
  const day = dayOf(dayFirst ?? dayAfter ?? "");
  return time === undefined || day === undefined ? undefined : { kind: "day", day, ...time };
}

/** `3 march at 9`, `on the 1st of December, 17:30`, `Dec 1 2027 at 5pm`: once. */
function readDate(said: string): Omit<SpokenDate, "zone"> | undefined {
  const number = String.raw`(?:the )?(\d{1,2})(?:st|nd|rd|th|\.)?`;
  const rest = String.raw`(?:,? (\d{4}))?(?:,? (?:at )?(${CLOCK}|\d{1,2}))?`;
  const [, dayFirst, monthAfter, yearAfter, timeAfter] =
    new RegExp(`^(?:on )?${number} (?:of )?([a-z]{3,})${rest}$`).exec(said) ?? [];
  const [, monthFirst, dayAfter, yearLast, timeLast] =
    new RegExp(`^(?:on )?([a-z]{3,}) ${number}${rest}$`).exec(said) ?? [];
  const name = monthAfter ?? monthFirst ?? "-";
  const month = MONTHS.findIndex((one) => name === one || name === one.slice(0, 3));
  if (month === -1) return undefined;
  const [year, clock] = [yearAfter ?? yearLast, timeAfter ?? timeLast];
  const time = clock === undefined ? undefined : readTime(clock);
  if (clock !== undefined && time === undefined) return undefined;
  const day = Number(dayFirst ?? dayAfter);
  return { kind: "date", day, month, time, ...(year === undefined ? {} : { year: Number(year) }) };
}

function dayOf(name: string): SpokenDay["day"] | undefined {
  if (name === "tomorrow") return name;
  if (name === "today" || name === "tonight" || name === "this evening") return "today";
  return weekdayOf(name.replace(/^(?:next|this) /, ""));
}

/** Five fields, a nickname, and then perhaps a zone. */
function readCronLine(words: readonly string[]): SpokenSchedule {
  const fields = words[0]?.startsWith("@") === true ? 1 : 5;
  const [zone, ...more] = words.slice(fields);
  const isField =
    zone !== undefined &&
    (MINUTE_FIELD.test(zone) || /^(?:[a-z]{3}|\?)(?:[,#-].*)?$/i.test(zone)) &&
    zone.toUpperCase() !== "UTC" &&
    zone.toUpperCase() !== "GMT";
  if (more.length > 0 || isField)
    throw refused(
      words.join(" "),
      fields === 5
        ? `A cron expression has five fields, this has ${words.length}`
        : "There is something behind it",
      "Five fields and perhaps a zone, for example 0 9 * * 1-5 Europe/Berlin. There is no field for seconds.",
    );
  const expression = words.slice(0, fields).join(" ");
  return { kind: "cron", expression, ...(zone === undefined ? {} : { zone }) };
}

function splitZone(text: string): { readonly rest: string; readonly zone?: string } {
  const [, rest, zone] = /^(.*?),? ([A-Za-z][\w+-]*(?:\/[\w+-]+)+|utc|gmt)$/i.exec(text) ?? [];
  return rest === undefined || zone === undefined ? { rest: text } : { rest, zone };
}

function cronOf(said: string): string | undefined {
  if (said === "hourly") return "0 * * * *";
  const { when, time } = splitTime(said);
  const days = dayField(when);
  if (days === undefined) return undefined;
  const clocks = time.split(/, | and /).map(readTime);
  const [first] = clocks;
  // Times with different minutes do not fit into one expression: 9:00 and 17:30 would also mean 9:30 and
  // 17:00.
  if (first === undefined || clocks.some((clock) => clock?.minute !== first.minute)) return undefined;
  const hours = clocks.map((clock) => clock?.hour ?? 0).toSorted((a, b) => a - b);
  return `${first.minute} ${[...new Set(hours)].join(",")} ${days}`;
}

const CLOCK = String.raw`(?:\d{1,2}[:.]\d\d(?: ?[ap]m)?|\d{1,2} ?[ap]m|noon|midnight)`;
const DAY_FIRST = new RegExp(`^(.+?),? (${CLOCK}(?:(?:, | and )${CLOCK})*)$`);
const TIME_FIRST = new RegExp(`^(?:at )?(${CLOCK}),? ((?:every|on|daily|weekdays|weekends).*)$`);

/** `every monday at 9`; without the “at” where the time shows that it is one: `every monday 9:00`, `9am every monday`. */
function splitTime(said: string): { readonly when: string; readonly time: string } {
  const [, time, when] = TIME_FIRST.exec(said) ?? [];
  if (when !== undefined && time !== undefined) return { when, time };
  const [, day = "", clock = ""] = /^(.+?),? at (.+)$/.exec(said) ?? DAY_FIRST.exec(said) ?? [];
  return { when: day, time: clock };
}

/** The last three fields. */
function dayField(when: string): string | undefined {
  if (/^(?:daily|every ?day)$/.test(when)) return "* * *";
  if (/^(?:(?:on|every) )?weekdays?$/.test(when)) return "* * 1-5";
  if (/^(?:(?:on|at|every) )?weekends?$/.test(when)) return "* * 0,6";
  const [, day, last] =
    /^(?:monthly,? |every month,? )?on the (?:(\d{1,2})(?:st|nd|rd|th)?|(last day))(?: of (?:every|the|each) month)?$/.exec(
      when,
    ) ?? [];
  if (last !== undefined) return "L * *";
  if (day !== undefined) return `${Number(day)} * *`;
  const names = when
    .replace(/^(?:every week|weekly),? (?=on )/, "")
    .replace(/^(?:every|on) /, "")
    .split(/(?:, | and |,)+/);
  const numbers = names.map(weekdayOf);
  return numbers.includes(undefined) ? undefined : `* * ${[...new Set(numbers)].join(",")}`;
}

function weekdayOf(name: string): number | undefined {
  const index = DAYS.findIndex(
    (day) =>
      name === day ||
      name === `${day}s` ||
      name === day.slice(0, 3) ||
      (name.length > 3 && name === day.slice(0, 4)),
  );
  return index === -1 ? undefined : index;
}

function readTime(text: string): { readonly hour: number; readonly minute: number } | undefined {
  if (text === "noon") return { hour: 12, minute: 0 };
  if (text === "midnight") return { hour: 0, minute: 0 };
  const [, hours, minutes = "0", half] = /^(\d{1,2})(?:[:.](\d\d))? ?(am|pm)?$/.exec(text) ?? [];
  if (hours === undefined) return undefined;
  const [said, minute] = [Number(hours), Number(minutes)];
  if (minute > 59 || said > 23 || (half !== undefined && (said < 1 || said > 12))) return undefined;
  return { hour: half === undefined ? said : (said % 12) + (half === "pm" ? 12 : 0), minute };
}

function refused(text: string, what: string, hint: string): ScheduleError {
  const shown = text.length <= 60 ? text : `${text.slice(0, 60)}…`;
  return new ScheduleError("invalid_schedule", `${what}: ${JSON.stringify(shown)}`, { hint });
}
