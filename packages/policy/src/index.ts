// Whether a call may happen, and what may be shown of it. Pure: no waiting, no storage, no tools run here.
export { canonicalJson } from "./canonical-json.ts";
export { createDefaultPolicy } from "./default-policy.ts";
export type { Origin, Origins } from "./origins.ts";
export type { Grant, Policy, PolicyDecision, PolicyRequest, PolicyTool } from "./policy.ts";
export { createRedactor, REDACTED, type Redactor } from "./redactor.ts";
