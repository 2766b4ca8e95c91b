import { z } from "zod";
import type { Usage } from "../events/shared.ts";

const finishReasonSchema = z.literal("stop");

const chatUsageSchema = z.object({
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  total_tokens: z.int(),
  prompt_tokens_details: z.object({ cached_tokens: z.int() }),
  completion_tokens_details: z.object({ reasoning_tokens: z.int() }),
});

const shared = {
  /** `chatcmpl-` and the run's id. */
  id: z.string(),
  created: z.int(),
  model: z.string(),
  /** What the client sent, and `session`: where the conversation is, to go on with it. */
  metadata: z.record(z.string(), z.string()),
};

export const chatCompletionSchema = z.object({
  ...shared,
  object: z.literal("chat.completion"),
  choices: z.array(
    z.object({
      index: z.literal(0),
      message: z.object({ role: z.literal("assistant"), content: z.string(), refusal: z.null() }),
      logprobs: z.null(),
      finish_reason: finishReasonSchema,
    }),
  ),
  usage: chatUsageSchema,
});
export type ChatCompletion = z.infer<typeof chatCompletionSchema>;

export const chatChunkSchema = z.object({
  ...shared,
  object: z.literal("chat.completion.chunk"),
  choices: z.array(
    z.object({
      index: z.literal(0),
      delta: z.object({ role: z.literal("assistant").optional(), content: z.string().optional() }),
      logprobs: z.null(),
      finish_reason: finishReasonSchema.nullable(),
    }),
  ),
  usage: chatUsageSchema.nullable().optional(),
});
export type ChatChunk = z.infer<typeof chatChunkSchema>;

/** What every piece of one answer says of it. */
export interface ChatHead {
  readonly runId: string;
  readonly createdMs: number;
  readonly model: string;
  readonly metadata: Readonly<Record<string, string>>;
}

export function chatCompletion(head: ChatHead, content: string, usage: Usage): ChatCompletion {
  const message = { role: "assistant" as const, content, refusal: null };
  return {
    ...headOf(head),
    object: "chat.completion",
    choices: [{ index: 0, message, logprobs: null, finish_reason: "stop" }],
    usage: chatUsage(usage),
  };
}

/** The first piece names the role, the last one why it ended. */
export function chatChunk(
  head: ChatHead,
  delta: ChatChunk["choices"][number]["delta"],
  finish: "stop" | null = null,
): ChatChunk {
  return {
    ...headOf(head),
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  };
}

export function chatUsageChunk(head: ChatHead, usage: Usage): ChatChunk {
  return { ...headOf(head), object: "chat.completion.chunk", choices: [], usage: chatUsage(usage) };
}

function headOf({ runId, createdMs, model, metadata }: ChatHead) {
  return {
    id: `chatcmpl-${runId}`,
    created: Math.floor(createdMs / 1_000),
    model,
    metadata: { ...metadata },
  };
}

function chatUsage(usage: Usage): ChatCompletion["usage"] {
  const { inputTokens, outputTokens, cacheReadTokens = 0, reasoningTokens = 0 } = usage;
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cacheReadTokens },
    completion_tokens_details: { reasoning_tokens: reasoningTokens },
  };
}

/** Body of `GET /v1/models/:model`. */
export const modelItemSchema = z.object({
  /** The agent's slug. */
  id: z.string(),
  object: z.literal("model"),
  created: z.int(),
  owned_by: z.literal("deputy"),
});

/** Body of `GET /v1/models`: each agent is a model. */
export const modelListSchema = z.object({ object: z.literal("list"), data: z.array(modelItemSchema) });
