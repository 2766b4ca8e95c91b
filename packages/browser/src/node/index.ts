// The browser of the `browser` tools, apart from all else on Node: few sessions need one.
export { type BrowsersDeps, createBrowsers } from "./create-browsers.ts";
export { findBrowser } from "./find-browser.ts";
