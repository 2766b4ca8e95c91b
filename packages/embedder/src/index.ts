// Texts as vectors, computed on this machine. What does not belong here: services that are asked over the network
// (see packages/model), and what is done with the vectors.
export type { Embedder } from "./embedder.ts";
export { EmbedderError, type EmbedderErrorCode, embedderErrorCodes } from "./embedder-error.ts";
export { createMiniLm, type OnnxRuntime, type WordPieces } from "./minilm.ts";
export { type Prompts, promptsOf } from "./prompts.ts";
