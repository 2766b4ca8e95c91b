import type { ModelEvent, ModelUsage, StopReason } from "../model.ts";
import { asObject, countIn, isObject, type JsonObject, listIn, textIn } from "../wire/json.ts";
import type { FinishedAnswer, Translator } from "../wire/stream-answer.ts";
import { createCallAssembly } from "./call-assembly.ts";

/** The chunks of `POST /v1/chat/completions`, as servers really send them. */
export function createChatTranslator(giveId: (wanted: string | undefined) => string): Translator {
  const calls = createCallAssembly(giveId);
  let usage: ModelUsage | undefined;
  let reason = "";
  let refused = false;

  return {
    *read(value): Iterable<ModelEvent> {
      const chunk = asObject(value, "a chunk");
      usage = readUsage(chunk["usage"]) ?? usage;
      const choice = listIn(chunk, "choices").find(isObject);
      if (choice === undefined) return;
      reason = textIn(choice, "finish_reason") || reason;
      const delta = choice["delta"];
      if (!isObject(delta)) return;
      const thought = textIn(delta, "reasoning_content") || textIn(delta, "reasoning");
      if (thought !== "") yield { kind: "reasoning", text: thought };
      const refusal = textIn(delta, "refusal");
      refused ||= refusal !== "";
      const text = textIn(delta, "content") + refusal;
      if (text !== "") yield { kind: "text", text };
      for (const fragment of fragmentsIn(delta)) calls.add(fragment);
    },
    finish(tail): FinishedAnswer | undefined {
      if (reason === "" && !tail.trimEnd().endsWith("[DONE]")) return undefined;
      const early = refused ? "refusal" : EARLY[reason];
      const finished = calls.finish(early === undefined ? "whole" : "cut");
      // Servers say “stop” after calls, and “tool_calls” after none: what was seen decides.
      return { calls: finished, usage, stop: early ?? (finished.length > 0 ? "tool_calls" : "end") };
    },
  };
}

function fragmentsIn(delta: JsonObject): readonly unknown[] {
  const fragments = listIn(delta, "tool_calls");
  return isObject(delta["tool_calls"]) ? [delta["tool_calls"]] : fragments;
}

const EARLY: Readonly<Record<string, StopReason>> = {
  length: "max_tokens",
  content_filter: "content_filter",
};

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
