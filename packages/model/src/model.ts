/** A language model, or something that behaves like one: the rehearsal model, a cassette. */
export interface Model {
  readonly ref: ModelRef;
  /**
   * Streams one answer. Ends after `stop`. Rejects with a `ModelError`, or with the signal's reason
   * as soon as it aborts (the request to the provider is then cancelled). Never retries by itself.
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
  /** `opaque` goes back to the provider byte for byte. */
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

export type ModelEvent =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "reasoning"; readonly text: string }
  | { readonly kind: "reasoning_done"; readonly opaque: string }
  /** Complete: arguments are never streamed past this port. */
  | { readonly kind: "tool_call"; readonly id: string; readonly name: string; readonly inputJson: string }
  | { readonly kind: "usage"; readonly usage: ModelUsage }
  | { readonly kind: "stop"; readonly reason: StopReason };

export interface ModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly reasoningTokens?: number;
}

export type StopReason = "end" | "tool_calls" | "max_tokens" | "refusal" | "pause";
