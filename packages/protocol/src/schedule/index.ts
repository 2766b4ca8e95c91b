// How schedules are written, read and described.
export { SCHEDULE_TEXTS, scheduleInputSchema, scheduleSchema } from "../schedule.ts";
export { ScheduleError, scheduleErrorCodes, zoneTime } from "./zone-time.ts";
export { parseSchedule } from "./parse-schedule.ts";
export { describeFilter, describeSchedule, momentWords, wallStamp } from "./describe-schedule.ts";
export { readCron } from "./cron-fields.ts";
export { localDay, localMinute, localStamp } from "./local-time.ts";
