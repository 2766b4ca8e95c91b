/** What a fake provider says next, for any wire. */
export interface ScriptedAnswer {
  readonly parts: readonly ScriptedPart[];
  /** Why it ends early, if it does; left out on a wire without a word for it. */
  readonly stop?: "max_tokens" | "refusal" | "content_filter" | "context_full" | "pause";
}

export type ScriptedPart =
  | { readonly kind: "text"; readonly text: string }
  /** `hidden`: the provider does not show it, but still wants it back. */
  | { readonly kind: "reasoning"; readonly text: string; readonly hidden?: boolean }
  | {
      readonly kind: "tool_call";
      readonly name: string;
      readonly input: Readonly<Record<string, unknown>>;
      /** What the model wrote instead of JSON; a wire that parses it has no way to pass it on. */
      readonly json?: string;
      /** Default: a unique one. */
      readonly id?: string;
    };

/** Errors that providers report; each wire has its own documented form, or none. */
export type FaultName =
  | "wrong_key"
  | "forbidden"
  | "unknown_model"
  | "no_credit"
  | "rate_limited"
  | "overloaded"
  | "server_error"
  | "timeout"
  | "context_overflow"
  | "output_limit"
  | "bad_request"
  | "content_filter";

/** How far an answer comes before it fails. */
export type FailurePoint = "before_output" | "after_output";

export type ScriptedStep =
  | { readonly kind: "answer"; readonly answer: ScriptedAnswer }
  | {
      readonly kind: "status";
      readonly fault: FaultName;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** An error event in the middle of the stream. */
  | { readonly kind: "error_event"; readonly fault: FaultName; readonly at: FailurePoint }
  /** The connection breaks, or the stream just ends. */
  | { readonly kind: "cut"; readonly how: "broken" | "ended"; readonly at: FailurePoint }
  /** Nothing more comes until the client leaves. `headers`: not even the headers come. */
  | { readonly kind: "stall"; readonly at: FailurePoint | "headers" }
  /** These bytes instead of an event. */
  | { readonly kind: "garbage"; readonly text: string; readonly at: FailurePoint }
  /** An answer that is not a stream. */
  | { readonly kind: "document"; readonly contentType: string; readonly body: string };

export const say = (text: string): ScriptedStep => ({
  kind: "answer",
  answer: { parts: [{ kind: "text", text }] },
});
