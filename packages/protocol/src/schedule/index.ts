// How schedules are written, read and described.
export { scheduleInputSchema, scheduleSchema } from "../schedule.ts";
export { ScheduleError, scheduleErrorCodes, zoneTime } from "./zone-time.ts";
export { parseSchedule } from "./parse-schedule.ts";
export { describeSchedule, momentWords } from "./describe-schedule.ts";
export { readCron } from "./cron-fields.ts";
