import {
  describeSchedule,
  parseSchedule,
  ScheduleError,
  type ScheduleInput,
  scheduleInputSchema,
} from "@deputy/protocol";

/** Of the clock it is not asked here whether a time has passed: a call that was right stays so when it is run again later. */
const ANY_TIME = { zone: "UTC", nowMs: 0 };

/** A schedule that makes sense; nobody is asked about one that does not. */
export const whenSchema = scheduleInputSchema.superRefine((input, context) => {
  try {
    parseSchedule(input, ANY_TIME);
  } catch (error) {
    if (!(error instanceof ScheduleError)) throw error;
    context.addIssue({ code: "custom", message: error.message });
  }
});

/** In words, for the user who is asked about it; in their own zone where it names none. */
export function describeWhen(input: ScheduleInput): string {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  try {
    return describeSchedule(parseSchedule(input, { ...ANY_TIME, zone }));
  } catch (error) {
    if (!(error instanceof ScheduleError)) throw error;
    return JSON.stringify(input);
  }
}
