/** A language model, or something that behaves like one: the rehearsal model, a cassette. */
export interface Model {
  readonly ref: ModelRef;
  /**
   * Streams one answer. Ends after `stop`. Rejects with a `ModelError`, or with the signal's reason as soon
   * as it aborts (the request to the provider is then cancelled). Never retries by itself, except for a
   * request that was rejected because it lets the model write more than it can.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

export interface ModelRef {
  readonly provider: string;
  readonly model: string;
}

export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  readonly maxOutputTokens: number;
}

export type ModelMessage =
  | { readonly role: "user"; readonly text: string }
  | { readonly role: "assistant"; readonly parts: readonly AssistantPart[] }
  | { readonly role: "tool"; readonly results: readonly ToolResult[] };

export type AssistantPart =
  | { readonly kind: "text"; readonly text: string }
  /** `opaque`, from `reasoning_done`, goes back byte for byte to the provider it came from, and to no other. */
  | { readonly kind: "reasoning"; readonly text: string; readonly opaque?: string }
  | { readonly kind: "tool_call"; readonly id: string; readonly name: string; readonly inputJson: string };

export interface ToolResult {
  readonly callId: string;
  readonly text: string;
  readonly isError: boolean;
}

/** A function offered to the model; `inputSchema` is JSON Schema. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** In this order: text and reasoning as they come, then at most one `reasoning_done`, calls, usage, `stop`. */
export type ModelEvent =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "reasoning"; readonly text: string }
  /** The part of this answer's reasoning that the provider wants back: JSON, kept byte for byte. */
  | { readonly kind: "reasoning_done"; readonly opaque: string }
  /**
   * Complete: arguments are never streamed through this port. No call follows a refusal. `inputJson` is JSON
   * of an object, or what the model wrote instead, such as the beginning of one in an answer that was cut
   * off.
   */
  | { readonly kind: "tool_call"; readonly id: string; readonly name: string; readonly inputJson: string }
  | { readonly kind: "usage"; readonly usage: ModelUsage }
  | { readonly kind: "stop"; readonly reason: StopReason };

export interface ModelUsage {
  /** All of the prompt, whether it was read from a cache, written to one, or neither. */
  readonly inputTokens: number;
  /** All of the answer, reasoning included. */
  readonly outputTokens: number;
  readonly cacheReadTokens?: number | undefined;
  readonly cacheWriteTokens?: number | undefined;
  readonly reasoningTokens?: number | undefined;
}

export type StopReason =
  | "end"
  | "tool_calls"
  /** The answer is cut off: at the limit it was given, or because the context is full. */
  | "max_tokens"
  | "context_full"
  /** The model refused to answer, or a filter of the provider stopped it. */
  | "refusal"
  | "content_filter"
  /** The provider wants another request with what it said so far. */
  | "pause";
