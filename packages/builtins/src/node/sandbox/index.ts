// What commands run in: sandboxes, tried on this machine.
export { chooseSandbox } from "./choose-sandbox.ts";
export { createOuterShell } from "./outer-shell.ts";
export { placeTerms } from "./place-terms.ts";
export { createSandboxRecord } from "./sandbox-record.ts";
