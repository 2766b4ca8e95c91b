// What OpenAI clients send and receive, as projections of a run. Only the OpenAI routes need it, so it is
// separate from the rest.
export { type AnswerPart, createAnswerFeed } from "./answer-feed.ts";
export { type AnswerFormat, readFormat, type ReadFormat } from "./answer-format.ts";
export {
  type ChatHead,
  chatChunk,
  chatChunkSchema,
  chatCompletion,
  chatCompletionSchema,
  chatUsageChunk,
  modelItemSchema,
  modelListSchema,
} from "./chat-completion.ts";
export {
  type ChatRequest,
  chatRequestSchema,
  type EarlierMessage,
  type SaidPicture,
  readSaid,
  type ReadSaid,
  type Said,
} from "./request-parts.ts";
export { type OpenAiProblem, openAiProblemSchema, withOpenAiError } from "./openai-error.ts";
export { createResponsesFeed, responsesEventSchema } from "./responses-events.ts";
export {
  type ResponsesHead,
  type ResponsesObject,
  responsesObject,
  responsesObjectSchema,
  type ResponsesState,
} from "./responses-object.ts";
export { readResponsesInput, type ResponsesRequest, responsesRequestSchema } from "./responses-request.ts";
