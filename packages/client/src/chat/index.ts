// Finds the session that a person means, by name, key or id.
export { describeResumed } from "./describe-resumed.ts";
export { findSession } from "./find-session.ts";
export { openTerminalSession, type TerminalSessionOptions } from "./open-terminal-session.ts";
