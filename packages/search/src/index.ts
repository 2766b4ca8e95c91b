// Finds a tool among thousands by what somebody wants done. What does not belong here: what a tool is, what
// may be called, and models (see the `Embedder` port).
export { createToolSearch, type FoundTools, type ToolSearch } from "./create-tool-search.ts";
export {
  createMeaningSearch,
  type Embedder,
  type MeaningSearch,
  type VectorCache,
} from "./meaning-search.ts";
export type { SearchableTool } from "./searchable-tool.ts";
