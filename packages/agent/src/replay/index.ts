// Running sessions again from their record. Apart from the rest: a daemon does not need it.
export { findForkPoint, type ForkAt } from "./fork-point.ts";
export {
  type CellReplay,
  type ReplayOutcome,
  type ReplaySummary,
  summarize,
  type TurnReplay,
} from "./replay-report.ts";
export { type ReplayDeps, replaySession } from "./replay-session.ts";
