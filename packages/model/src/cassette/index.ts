// Recorded traffic with a provider, to be played again.
export { type Cassette, formatCassette, parseCassette } from "./cassette.ts";
export { createRecordingFetch, type RecordingFetch } from "./recording-fetch.ts";
export { createReplayingFetch, type ReplayingFetch } from "./replaying-fetch.ts";
