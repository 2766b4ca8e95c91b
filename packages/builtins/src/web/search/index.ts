// Search providers, each over its documented wire.
// What does not belong here: how a tool asks one.
export { createBraveSearch } from "./brave.ts";
export { createDuckDuckGoSearch } from "./duckduckgo.ts";
export { createSearxngSearch } from "./searxng.ts";
