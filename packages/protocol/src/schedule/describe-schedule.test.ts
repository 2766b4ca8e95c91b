import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readCron } from "./cron-fields.ts";
import { describeSchedule } from "./describe-schedule.ts";
import { parseSchedule } from "./parse-schedule.ts";

const context = { zone: "Europe/Berlin", nowMs: Date.parse("2026-11-16T11:00:00Z") };
const words = (text: string): string => describeSchedule(parseSchedule(text, context));

test.each([
  ["0 9 * * *", "every day at 09:00, Europe/Berlin"],
  ["30 17 * * 1-5 Europe/London", "on weekdays at 17:30, Europe/London"],
  ["0 9,17 * * 0,6", "on weekends at 09:00 and 17:00, Europe/Berlin"],
  ["5 8 * * 0,1,4", "every Monday, Thursday and Sunday at 08:05, Europe/Berlin"],
  ["0 9 1 * *", "on the 1st of every month at 09:00, Europe/Berlin"],
  ["0 9 2,13,23 1,7 *", "on the 2nd, 13th and 23rd of January and July at 09:00, Europe/Berlin"],
  ["0 9 L * *", "on the last day of every month at 09:00, Europe/Berlin"],
  ["0 9 * * MON#2,FRI#L", "on the second Monday and last Friday of every month at 09:00, Europe/Berlin"],
  ["0 9 * 6 *", "every day in June at 09:00, Europe/Berlin"],
  ["*/5 * * * *", "every 5 minutes, Europe/Berlin"],
  ["* * * * 1-5", "every minute, on weekdays, Europe/Berlin"],
  ["7 * * * *", "every hour at minute 7, Europe/Berlin"],
  ["*/7 * * * *", "by the cron expression */7 * * * *, Europe/Berlin"],
  ["0 0 13 * 5", "by the cron expression 0 0 13 * 5, Europe/Berlin"],
  ["0,30 9 * * *", "by the cron expression 0,30 9 * * *, Europe/Berlin"],
  ["every 30m", "every 30 minutes"],
  ["every 60m", "every hour"],
  ["every 90m", "every 1 hour 30 minutes"],
  ["every 1.5s", "every 1.5 seconds"],
  ["every 2 weeks", "every 14 days"],
  ["at 2026-12-01T09:00", "once, on Tuesday 1 December 2026 at 09:00, Europe/Berlin"],
  ["at 2026-12-01T09:00:05Z", "once, on Tuesday 1 December 2026 at 10:00:05, Europe/Berlin"],
])("[P52] %s is %s", (text, said) => {
  expect(words(text)).toBe(said);
});

test("[P52] a time without a zone is told in UTC", () => {
  const schedule = parseSchedule("at 2026-12-01T09:00Z", context);
  if (schedule.kind !== "at") throw new Error("not a time");
  const { zone: _, ...rest } = schedule;
  expect(describeSchedule(rest)).toBe("once, on Tuesday 1 December 2026 at 09:00, UTC");
});

test("[P52] what is told in the same words is due at the same times", () => {
  const minutes = ["0", "5", "*", "*/5", "*/20", "0-59/5", "0,20,40", "3-59/20", "0,5"];
  const hours = ["*", "0-23", "9", "09", "9,17", "*/6", "0,6,12,18", "9-17"];
  const days = ["*", "1", "L", "1,L", "1-31"];
  const months = ["*", "1-12", "6", "JUN", "1,7"];
  const weekdays = ["*", "0-6", "1-7", "1-5", "MON-FRI", "0", "7", "6,0", "1#1", "1#L", "1#1,1#L", "1,1#2"];
  const told = new Map<string, string>();
  const ambiguous: string[] = [];
  for (const minute of minutes)
    for (const hour of hours)
      for (const day of days)
        for (const month of months)
          for (const weekday of weekdays) {
            const expression = `${minute} ${hour} ${day} ${month} ${weekday}`;
            const said = words(expression);
            const { weekdays: named, ...rest } = readCron(parsed(expression));
            // All seven days are what no day at all is, unless a day of the month is named as well.
            const isAny = named.length === 7 && rest.days.length === 0;
            const meant = JSON.stringify({ ...rest, weekdays: isAny ? [] : named });
            if ((told.get(said) ?? meant) !== meant) ambiguous.push(`${expression}: ${said}`);
            told.set(said, meant);
          }
  expect(ambiguous).toEqual([]);
  expect(told.size).toBeGreaterThan(1_000);
});

test("[P52] the words for days and for intervals are read back as what they were", () => {
  const day = fc.oneof(
    fc.constantFrom("*", "1-5", "0,6"),
    fc.subarray([0, 1, 2, 3, 4, 5, 6], { minLength: 1 }).map((list) => list.join()),
  );
  const dayOfMonth = fc.oneof(fc.constant("L"), fc.integer({ min: 1, max: 31 }).map(String));
  const days = fc.oneof(
    day.map((week) => `* * ${week}`),
    dayOfMonth.map((one) => `${one} * *`),
  );
  const zone = fc.constantFrom("UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+5");
  fc.assert(
    fc.property(fc.nat(59), fc.nat(23), days, zone, (minute, hour, rest, name) => {
      const schedule = parseSchedule(`${minute} ${hour} ${rest} ${name}`, context);
      const again = parseSchedule(describeSchedule(schedule), context);
      expect(describeSchedule(again)).toBe(describeSchedule(schedule));
      if (schedule.kind !== "cron" || again.kind !== "cron") throw new Error("not cron");
      const { weekdays, ...fields } = readCron(schedule.expression);
      expect(readCron(again.expression)).toEqual({
        ...fields,
        weekdays: weekdays.length === 7 ? [] : weekdays,
      });
      expect(again.zone).toBe(schedule.zone);
    }),
  );
  fc.assert(
    fc.property(fc.integer({ min: 1_000, max: 86_400_000 * 3_660 }), (everyMs) => {
      const said = describeSchedule(parseSchedule({ kind: "every", everyMs }, context));
      expect(parseSchedule(said, context)).toMatchObject({ kind: "every", everyMs });
    }),
  );
});

function parsed(expression: string): string {
  const schedule = parseSchedule(expression, context);
  return schedule.kind === "cron" ? schedule.expression : "";
}
