// What other parts report to sessions and to the heartbeat.
export { addNote } from "./outbox/log-outbox.ts";
export { processEnded } from "./heartbeat/system-event.ts";
