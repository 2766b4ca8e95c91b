// A server that judges requests by an OpenAPI document, with its own implementation of the standard.
export { type Answer, openSpecServer, type SpecServer } from "./spec-server.ts";
export { createSpecValidator, type SpecValidator, type WireRequest } from "./spec-validator.ts";
export { openWireServer } from "./wire-server.ts";
