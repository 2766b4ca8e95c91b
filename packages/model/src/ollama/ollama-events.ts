import type { ModelEvent, ModelUsage } from "../model.ts";
import { createCallAssembly } from "../openai-chat/call-assembly.ts";
import { asObject, countIn, isObject, type JsonObject, listIn, textIn } from "../wire/json.ts";
import { classifyFault } from "../wire/provider-fault.ts";
import type { FinishedAnswer, Translator } from "../wire/stream-answer.ts";

/** The lines of `POST /api/chat`. */
export function createOllamaTranslator(
  giveId: (wanted: string | undefined) => string,
  nowMs: () => number,
): Translator {
  const calls = createCallAssembly(giveId);
  let last: JsonObject | undefined;

  return {
    *read(value): Iterable<ModelEvent> {
      const line = asObject(value, "a line");
      if (line["error"] !== undefined) throw classifyFault({ body: line }, nowMs());
      if (line["done"] === true) last = line;
      const message = line["message"];
      if (!isObject(message)) return;
      const thought = textIn(message, "thinking");
      if (thought !== "") yield { kind: "reasoning", text: thought };
      const text = textIn(message, "content");
      if (text !== "") yield { kind: "text", text };
      // Every entry is a whole call here.
      for (const call of listIn(message, "tool_calls")) calls.add(call);
    },
    finish(): FinishedAnswer | undefined {
      if (last === undefined) return undefined;
      const isCut = textIn(last, "done_reason") === "length";
      const finished = calls.finish(isCut ? "cut" : "whole");
      const stop = isCut ? "max_tokens" : finished.length > 0 ? "tool_calls" : "end";
      return { calls: finished, usage: readUsage(last), stop };
    },
  };
}

function readUsage(line: JsonObject): ModelUsage | undefined {
  const inputTokens = countIn(line, "prompt_eval_count");
  const outputTokens = countIn(line, "eval_count");
  return inputTokens === undefined || outputTokens === undefined ? undefined : { inputTokens, outputTokens };
}
