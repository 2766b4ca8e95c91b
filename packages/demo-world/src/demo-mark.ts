/** Part of the description of every tool of the demo, so that no one takes it for the real thing. */
export function demoMark(not?: string): string {
  return `(demo: the folder demo in Deputy's home${not === undefined ? "" : `, not ${not}`})`;
}

/**
 * The address that the demo's tools show. The real port is looked up with each request: it changes with every start,
 * and questions and records of calls must not.
 */
export const DEMO_ORIGIN = "http://demo.localhost";

/** Which edition of the demo's services this is. */
export const DEMO_VERSION = "0.1.0";
