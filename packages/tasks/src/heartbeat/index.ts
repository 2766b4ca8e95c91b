// The heartbeat. Separate from the rest, because only a daemon has one.
export { type ActiveHours, activeHours } from "./active-hours.ts";
export { createCheckStates } from "./check-states.ts";
export { toldByHeartbeat } from "./heartbeat-answer.ts";
export { type HeartbeatState, openHeartbeatView } from "./heartbeat-view.ts";
export { createHeartbeat, type Heartbeat } from "./heartbeat.ts";
