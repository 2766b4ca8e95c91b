// The daily audit files: a projection of the log, one JSON line per event. Node only.
// What does not belong here: what an audit says about an event (that is `projectAudit` of the protocol).
export { type DailyFinding, type DailyReport, verifyDaily } from "./verify-daily.ts";
export {
  defaultDailyLimits,
  type DailyLimits,
  type DailyWriter,
  openDailyWriter,
  rebuildDaily,
} from "./daily-writer.ts";
