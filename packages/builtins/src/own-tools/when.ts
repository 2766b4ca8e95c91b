import {
  describeSchedule,
  parseSchedule,
  ScheduleError,
  type ScheduleInput,
  scheduleInputSchema,
} from "@deputy/protocol";

/** This does not check whether a time has passed: a call that was valid stays valid when it is run again later. */
const ANY_TIME = { zone: "UTC", nowMs: 0 };

/** A valid schedule. The user is not asked about an invalid one. */
export const whenSchema = scheduleInputSchema.superRefine((input, context) => {
  try {
    parseSchedule(input, ANY_TIME);
  } catch (error) {
    if (!(error instanceof ScheduleError)) throw error;
    context.addIssue({ code: "custom", message: error.message });
  }
});

/** Describes the schedule for the user who is asked about it, in their own zone if it names none. */
export function describeWhen(input: ScheduleInput): string {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  try {
    return describeSchedule(parseSchedule(input, { ...ANY_TIME, zone }));
  } catch (error) {
    if (!(error instanceof ScheduleError)) throw error;
    return JSON.stringify(input);
  }
}
