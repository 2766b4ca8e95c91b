/** Stands in the description of every tool of the demo: nobody shall take it for the real thing. */
export function demoMark(not?: string): string {
  return `(demo: the folder demo in Deputy's home${not === undefined ? "" : `, not ${not}`})`;
}

/**
 * Where the demo's tools say that they go. What listens there is found with each request: its port is another one
 * after every start, and questions and records of calls must not be.
 */
export const DEMO_ORIGIN = "http://demo.localhost";

/** Which edition of the demo's services this is. */
export const DEMO_VERSION = "0.1.0";
