/** A language model, or something that behaves like one, such as the rehearsal model. */
export interface Model {
  readonly ref: ModelRef;
  /** Models that may answer instead; the answer says so. */
  readonly fallbacks?: readonly ModelRef[];
  /** True if it can see pictures, or one of its fallbacks can. Absent: it cannot. */
  readonly sees?: boolean;
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
  /** Absent: as the model does by itself. */
  readonly effort?: Effort | undefined;
}

/** How much a model reasons before it answers, least first. A model takes the nearest that it knows. */
export const efforts = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
export type Effort = (typeof efforts)[number];

export type ModelMessage =
  | { readonly role: "user"; readonly text: string; readonly pictures?: readonly Picture[] }
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
  readonly pictures?: readonly Picture[];
}

/** A picture that belongs to a message or a result, and stands behind its text. */
export interface Picture {
  readonly blobId: string;
  readonly name: string;
  /** What it is known to be, once somebody has looked at its bytes. */
  readonly found?: FoundPicture | undefined;
  /** Its bytes as base64. Without them, the model is only told of it. */
  readonly data?: string | undefined;
  /** Why it is not shown, for the model; absent if it can be. */
  readonly why?: string | undefined;
}

export interface FoundPicture {
  readonly mediaType: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
}

/** A function offered to the model; `inputSchema` is JSON Schema. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** In this order: at most one `answered_by`, text and reasoning as they come, then at most one `reasoning_done`, calls, usage, `stop`. */
export type ModelEvent =
  /** Another model answers than the one that was asked, because that one failed. */
  | { readonly kind: "answered_by"; readonly fallback: Fallback }
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

/** Models are named `provider/model`. */
export interface Fallback {
  readonly model: string;
  /** The one that should have answered, and the code of its error. */
  readonly instead: string;
  readonly code: string;
}

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
