// The `browser` tools: what an agent can do with pages, and which requests may leave them.
// What does not belong here: the browser itself (see ./node).
export { browserTools, type BrowserToolsDeps } from "./browser-tools.ts";
export type { Browsers } from "./session-browser.ts";
