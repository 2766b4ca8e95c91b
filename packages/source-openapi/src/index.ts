// OpenAPI documents as a source of tools, wherever there is a fetch.
// What does not belong here: anything that reads a disk (see ../node).
export type { AuthSettings, SecretSource } from "./auth/credentials.ts";
export { openApiSource, type OpenApiDeps, type OpenApiOptions } from "./openapi-source.ts";
export type { Fetch, HttpDoors } from "./request/http-doors.ts";
