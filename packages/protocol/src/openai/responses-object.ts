import { z } from "zod";
import type { Usage } from "../events/shared.ts";

const outputTextSchema = z.object({
  type: z.literal("output_text"),
  text: z.string(),
  annotations: z.array(z.never()),
  logprobs: z.array(z.never()),
});
export type OutputText = z.infer<typeof outputTextSchema>;

const outputMessageSchema = z.object({
  type: z.literal("message"),
  id: z.string(),
  role: z.literal("assistant"),
  status: z.enum(["in_progress", "completed", "incomplete"]),
  content: z.array(outputTextSchema),
});
export type OutputMessage = z.infer<typeof outputMessageSchema>;

/** What `POST /v1/responses` answers with: a run, with all that was said in it as one message. */
export const responsesObjectSchema = z.object({
  /** The run's id: `previous_response_id` of what is said next. */
  id: z.string(),
  object: z.literal("response"),
  created_at: z.int(),
  status: z.enum(["in_progress", "completed", "failed"]),
  model: z.string(),
  output: z.array(outputMessageSchema),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  incomplete_details: z.null(),
  instructions: z.null(),
  previous_response_id: z.string().nullable(),
  /** What the client sent, and `session`: where the conversation is. */
  metadata: z.record(z.string(), z.string()),
  parallel_tool_calls: z.literal(false),
  temperature: z.null(),
  top_p: z.null(),
  tool_choice: z.literal("auto"),
  tools: z.array(z.never()),
  usage: z
    .object({
      input_tokens: z.int(),
      input_tokens_details: z.object({ cached_tokens: z.int(), cache_write_tokens: z.int() }),
      output_tokens: z.int(),
      output_tokens_details: z.object({ reasoning_tokens: z.int() }),
      total_tokens: z.int(),
    })
    .nullable(),
});
export type ResponsesObject = z.infer<typeof responsesObjectSchema>;

export interface ResponsesHead {
  readonly runId: string;
  readonly createdMs: number;
  readonly model: string;
  readonly previous: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

export type ResponsesState =
  | { readonly status: "in_progress" }
  | { readonly status: "completed"; readonly text: string; readonly usage: Usage }
  | { readonly status: "failed"; readonly text: string; readonly code: string; readonly message: string };

export function responsesObject(head: ResponsesHead, state: ResponsesState): ResponsesObject {
  const text = state.status === "in_progress" ? "" : state.text;
  const ended = state.status === "completed" ? "completed" : "incomplete";
  return {
    id: head.runId,
    object: "response",
    created_at: Math.floor(head.createdMs / 1_000),
    status: state.status,
    model: head.model,
    output: text === "" ? [] : [outputMessage(head.runId, ended, text)],
    error: state.status === "failed" ? { code: state.code, message: state.message } : null,
    incomplete_details: null,
    instructions: null,
    previous_response_id: head.previous,
    metadata: { ...head.metadata },
    parallel_tool_calls: false,
    temperature: null,
    top_p: null,
    tool_choice: "auto",
    tools: [],
    usage: state.status === "completed" ? responsesUsage(state.usage) : null,
  };
}

export function outputMessage(runId: string, status: OutputMessage["status"], text?: string): OutputMessage {
  const content = text === undefined ? [] : [outputText(text)];
  return { type: "message", id: `msg_${runId}`, role: "assistant", status, content };
}

export function outputText(text: string): OutputText {
  return { type: "output_text", text, annotations: [], logprobs: [] };
}

function responsesUsage(usage: Usage): ResponsesObject["usage"] {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens } = usage;
  return {
    input_tokens: inputTokens,
    input_tokens_details: {
      cached_tokens: cacheReadTokens ?? 0,
      cache_write_tokens: cacheWriteTokens ?? 0,
    },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens ?? 0 },
    total_tokens: inputTokens + outputTokens,
  };
}
