import type { ModelEvent, ModelRequest, ModelUsage, StopReason } from "../model.ts";
import { formatOpaque, type LayoutEntry } from "../wire/answer-layout.ts";
import { createCallIds } from "../wire/call-id.ts";
import { finishCallInput } from "../wire/call-input.ts";
import { WireFailure } from "../wire/failure.ts";
import { asObject, countIn, isObject, type JsonObject, stringIn, textIn } from "../wire/json.ts";
import type { FinishedAnswer, FinishedCall, Translator } from "../wire/stream-answer.ts";
import { ANTHROPIC_WIRE } from "./anthropic-request.ts";

/** A content block while it streams; for other kinds only the place is kept. */
type Block =
  | { readonly kind: "text"; length: number }
  | { readonly kind: "thinking"; thinking: string; signature: string }
  | { readonly kind: "redacted"; readonly data: string }
  | { readonly kind: "call"; readonly id: string; readonly name: string; json: string }
  | { readonly kind: "other" };

/** The events of `POST /v1/messages`. Unknown events and blocks are skipped, because new kinds may appear. */
export function createAnthropicTranslator(bound: string, { messages }: ModelRequest): Translator {
  const blocks = new Map<unknown, Block>();
  const giveId = createCallIds(messages);
  let usage: ModelUsage | undefined;
  let reason: string | undefined;
  let isOver = false;
  let hasReasoned = false;
  let hasText = false;

  function* pass(block: Block, text: string): Iterable<ModelEvent> {
    if (text === "") return;
    if (block.kind === "text") {
      block.length += text.length;
      hasText = true;
      yield { kind: "text", text };
    } else if (block.kind === "thinking") {
      // Two blocks of thinking are two paragraphs; what is sent back stays unchanged.
      yield { kind: "reasoning", text: block.thinking === "" && hasReasoned ? `\n\n${text}` : text };
      hasReasoned = true;
      block.thinking += text;
    }
  }

  const blockOf = (event: JsonObject): Block => {
    const block = blocks.get(event["index"]);
    if (block === undefined) throw new WireFailure("garbage", "a delta of a block that never began");
    return block;
  };

  return {
    *read(value): Iterable<ModelEvent> {
      const event = asObject(value, "an event");
      switch (stringIn(event, "type")) {
        case "message_start":
          usage = readUsage(asObject(event["message"], "message_start's message")["usage"], usage);
          break;
        case "content_block_start": {
          const start = asObject(event["content_block"], "content_block");
          blocks.set(event["index"], startBlock(start, giveId));
          yield* pass(blockOf(event), textIn(start, "text") || textIn(start, "thinking"));
          break;
        }
        case "content_block_delta": {
          const delta = asObject(event["delta"], "a delta");
          yield* pass(blockOf(event), readDelta(blockOf(event), delta));
          break;
        }
        case "message_delta": {
          const delta = asObject(event["delta"], "message_delta's delta");
          reason = textIn(delta, "stop_reason") || reason;
          usage = readUsage(event["usage"], usage);
          const { stop_details: why } = delta;
          const words = isObject(why) ? textIn(why, "explanation") : "";
          if (reason === "refusal" && words !== "")
            yield { kind: "text", text: hasText ? `\n\n${words}` : words };
          break;
        }
        case "message_stop":
          isOver = true;
          break;
        default:
      }
    },
    finish: () => (isOver ? finish([...blocks.values()], reason, usage, bound) : undefined),
  };
}

function startBlock(start: JsonObject, giveId: (wanted: string) => string): Block {
  switch (stringIn(start, "type")) {
    case "text":
      return { kind: "text", length: 0 };
    case "thinking":
      return { kind: "thinking", thinking: "", signature: textIn(start, "signature") };
    case "redacted_thinking":
      return { kind: "redacted", data: stringIn(start, "data") };
    case "tool_use": {
      const input = start["input"];
      const whole = isObject(input) && Object.keys(input).length > 0;
      const json = whole ? JSON.stringify(input) : "";
      return { kind: "call", id: giveId(stringIn(start, "id")), name: stringIn(start, "name"), json };
    }
    default:
      return { kind: "other" };
  }
}

/** The words in a delta; anything else in it is kept in the block. */
function readDelta(block: Block, delta: JsonObject): string {
  switch (stringIn(delta, "type")) {
    case "text_delta":
      return stringIn(delta, "text");
    case "thinking_delta":
      return stringIn(delta, "thinking");
    case "signature_delta":
      if (block.kind === "thinking") block.signature = stringIn(delta, "signature");
      return "";
    case "input_json_delta":
      if (block.kind === "call") block.json += stringIn(delta, "partial_json");
      return "";
    default:
      return "";
  }
}

const STOPS: Readonly<Record<string, StopReason>> = {
  max_tokens: "max_tokens",
  model_context_window_exceeded: "context_full",
  refusal: "refusal",
  pause_turn: "pause",
};

function finish(
  blocks: readonly Block[],
  reason: string | undefined,
  usage: ModelUsage | undefined,
  bound: string,
): FinishedAnswer {
  const early = reason === undefined ? undefined : STOPS[reason];
  const calls = blocks.flatMap((block, at) => {
    if (block.kind !== "call") return [];
    return finishCall(block, early !== undefined && at === blocks.length - 1 ? "cut" : "whole");
  });
  const layout = blocks.flatMap(toLayout);
  const opaque = formatOpaque({ wire: ANTHROPIC_WIRE, bound, layout });
  return { opaque, calls, usage, stop: early ?? (calls.length > 0 ? "tool_calls" : "end") };
}

function finishCall(
  { id, name, json }: Extract<Block, { kind: "call" }>,
  end: "whole" | "cut",
): readonly FinishedCall[] {
  const inputJson = finishCallInput(json, end);
  return inputJson === undefined ? [] : [{ id, name, inputJson }];
}

function toLayout(block: Block): readonly LayoutEntry[] {
  switch (block.kind) {
    case "text":
      return [{ text: block.length }];
    case "thinking": {
      const { thinking, signature } = block;
      return signature === "" ? [] : [{ opaque: { type: "thinking", thinking, signature } }];
    }
    case "redacted":
      return [{ opaque: { type: "redacted_thinking", data: block.data } }];
    case "call":
      return [{ call: block.id }];
    default:
      return [];
  }
}

/** Counts are cumulative; a later event leaves out what it does not correct. */
function readUsage(value: unknown, before: ModelUsage | undefined): ModelUsage | undefined {
  const output = countIn(value, "output_tokens");
  if (output === undefined) return before;
  const read = countIn(value, "cache_read_input_tokens") ?? before?.cacheReadTokens ?? 0;
  const write = countIn(value, "cache_creation_input_tokens") ?? before?.cacheWriteTokens ?? 0;
  const fresh = countIn(value, "input_tokens");
  const details = isObject(value) ? value["output_tokens_details"] : undefined;
  const reasoning = countIn(details, "thinking_tokens");
  return {
    inputTokens: fresh === undefined ? (before?.inputTokens ?? 0) : fresh + read + write,
    outputTokens: output,
    cacheReadTokens: read,
    cacheWriteTokens: write,
    ...(reasoning !== undefined && { reasoningTokens: reasoning }),
  };
}
