import type { ModelEvent, ModelRequest, ModelUsage, StopReason } from "../model.ts";
import { createCallIds } from "../wire/call-id.ts";
import { WireFailure } from "../wire/failure.ts";
import { asObject, countIn, isObject, type JsonObject, listIn, textIn } from "../wire/json.ts";
import { classifyFault, isFault } from "../wire/provider-fault.ts";
import type { FinishedAnswer, Translator } from "../wire/stream-answer.ts";
import { createThinkTags } from "../wire/think-tags.ts";
import { assembleCalls } from "./call-assembly.ts";
import { type CallFragment, readCallFragments } from "./call-fragment.ts";
import { finishCalls } from "./finish-calls.ts";
import { createSpokenCalls, type SpokenCall, withoutCalls } from "./spoken-calls.ts";

/** The chunks of `POST /v1/chat/completions`, as servers really send them. */
export function createChatTranslator(request: ModelRequest, nowMs: () => number): Translator {
  const fragments: CallFragment[] = [];
  const tags = createThinkTags();
  const offered = request.tools.map(({ name }) => name);
  const spoken = createSpokenCalls(offered);
  let found: readonly SpokenCall[] = [];
  let chunks = 0;
  let said = "";
  let usage: ModelUsage | undefined;
  let reason = "";
  let refused = false;

  function* readPart(part: JsonObject): Iterable<ModelEvent> {
    const { thought, text, refusal } = readChatWords(part);
    if (thought !== "") yield { kind: "reasoning", text: thought };
    said += text;
    yield* withoutCalls(spoken, tags.push(text));
    refused ||= refusal !== "";
    if (refusal !== "") yield { kind: "text", text: refusal };
    fragments.push(...readCallFragments(part, (chunks += 1)));
  }

  /** A whole message instead of a delta: either everything, or a repetition of what was streamed. */
  function* readMessage(message: JsonObject): Iterable<ModelEvent> {
    const { text } = readChatWords(message);
    if (said === "" && fragments.length === 0) yield* readPart(message);
    else if (text.startsWith(said)) yield* readPart({ content: text.slice(said.length) });
  }

  return {
    *read(value): Iterable<ModelEvent> {
      const chunk = asObject(value, "a chunk");
      if (isFault(chunk)) throw classifyFault({ body: chunk }, nowMs());
      usage = readUsage(chunk["usage"]) ?? usage;
      const choice = listIn(chunk, "choices").find(isObject);
      if (choice === undefined) return;
      if (isFault(choice)) throw classifyFault({ body: choice }, nowMs());
      reason = textIn(choice, "finish_reason") || reason;
      const { delta, message } = choice;
      if (isObject(delta)) yield* readPart(delta);
      if (isObject(message)) yield* readMessage(message);
      if (BROKEN.has(reason)) throw new WireFailure("overloaded", `it ended the answer with “${reason}”`);
    },
    *flush() {
      yield* withoutCalls(spoken, tags.end());
      const { text, calls } = spoken.end(fragments.length > 0 || refused ? "calls" : "none");
      if (text !== "") yield { kind: "text", text };
      found = calls;
    },
    finish(tail): FinishedAnswer | undefined {
      if (reason === "" && !tail.trimEnd().endsWith("[DONE]")) return undefined;
      const early = refused ? "refusal" : EARLY[reason];
      const drafts = assembleCalls(fragments, offered);
      const calls = finishCalls(
        [...drafts, ...found.map(({ name, json }) => ({ name, json, ids: [] }))],
        createCallIds(request.messages),
        early === undefined ? "whole" : "cut",
      );
      // Servers say “stop” after calls, and “tool_calls” without any, so what was received decides.
      return { calls, usage, stop: early ?? (calls.length > 0 ? "tool_calls" : "end") };
    },
  };
}

const EARLY: Readonly<Record<string, StopReason>> = {
  length: "max_tokens",
  content_filter: "content_filter",
};

/** The server, or one behind it, gave up in the middle, in the words of OpenRouter, vLLM and SGLang. */
const BROKEN: ReadonlySet<string> = new Set(["error", "abort"]);

function readUsage(value: unknown): ModelUsage | undefined {
  const inputTokens = countIn(value, "prompt_tokens");
  if (!isObject(value) || inputTokens === undefined) return undefined;
  const read = countIn(value["prompt_tokens_details"], "cached_tokens");
  const reasoning = countIn(value["completion_tokens_details"], "reasoning_tokens");
  return {
    inputTokens,
    outputTokens: countIn(value, "completion_tokens") ?? 0,
    ...(read !== undefined && { cacheReadTokens: read }),
    ...(reasoning !== undefined && { reasoningTokens: reasoning }),
  };
}

/** The words of a delta or a whole message. */
interface ChatWords {
  readonly thought: string;
  readonly text: string;
  readonly refusal: string;
}

/** `content` is text, or a list of parts; reasoning has a field of its own, by one of two names, or a part. */
function readChatWords(part: JsonObject): ChatWords {
  const { content } = part;
  const parts = Array.isArray(content) ? content : [content];
  const thought = textIn(part, "reasoning_content") || textIn(part, "reasoning");
  return {
    thought: thought + parts.map(thoughtIn).join(""),
    text: parts.map(wordsIn).join(""),
    refusal: textIn(part, "refusal"),
  };
}

function wordsIn(part: unknown): string {
  if (typeof part === "string") return part;
  return isObject(part) ? textIn(part, "text") : "";
}

/** Mistral's `{type: "thinking", thinking: [{type: "text", text}]}`. */
function thoughtIn(part: unknown): string {
  const thinking = isObject(part) ? part["thinking"] : undefined;
  return (Array.isArray(thinking) ? thinking : [thinking]).map(wordsIn).join("");
}
