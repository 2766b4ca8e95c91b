// Models behind one port. What does not belong here: the turn, tools, and who pays.
export { type Cassette, formatCassette, parseCassette } from "./cassette/cassette.ts";
export { createRecordingFetch, type RecordingFetch } from "./cassette/recording-fetch.ts";
export { createReplayingFetch, type ReplayingFetch } from "./cassette/replaying-fetch.ts";
export { costOf } from "./cost-of.ts";
export { createModel, type ModelDeps, type ModelSettings } from "./create-model.ts";
export { createEmbedder, type TextEmbedder } from "./embeddings/create-embedder.ts";
export { ModelError, type ModelErrorCode, modelErrorCodes } from "./model-error.ts";
export type {
  AssistantPart,
  Model,
  ModelEvent,
  ModelMessage,
  ModelRef,
  ModelRequest,
  ModelTool,
  ModelUsage,
  StopReason,
  ToolResult,
} from "./model.ts";
export { type Price, PRICES, PRICES_AS_OF } from "./price-list.ts";
export { createRehearsalModel } from "./rehearsal/rehearsal-model.ts";
export { DEFAULT_RETRY_LIMITS, type RetryLimits, withRetries } from "./with-retries.ts";
export { DEFAULT_WIRE_LIMITS, type WireLimits } from "./wire/watched-wire.ts";
