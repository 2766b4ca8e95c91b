// What other parts report to sessions and to the heartbeat.
export { addNote } from "./outbox/add-note.ts";
export { processEnded } from "./heartbeat/system-event.ts";
