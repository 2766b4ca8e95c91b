// Projections for those who follow a run as it happens.
export { projectStreamEvents } from "./project-stream-events.ts";
export { createResponseReducer } from "./response-reducer.ts";
export { hydrateResponses } from "./hydrate-responses.ts";
export { projectPushes } from "./project-pushes.ts";
export { createDeltaTrimmer } from "./delta-trimmer.ts";
export { createRunTelling, endsRun, withResponse } from "./run-telling.ts";
