import { CodedError } from "@deputy/kit";

export const scheduleErrorCodes = [
  "invalid_schedule",
  "unknown_zone",
  "schedule_in_past",
  "schedule_never_fires",
] as const;
export type ScheduleErrorCode = (typeof scheduleErrorCodes)[number];

/** A schedule that cannot be taken; the message says what is wrong with it, the hint has an example. */
export class ScheduleError extends CodedError<ScheduleErrorCode> {}
