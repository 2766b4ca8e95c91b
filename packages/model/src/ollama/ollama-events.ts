import type { ModelEvent, ModelRequest, ModelUsage } from "../model.ts";
import { readCallFragments } from "../openai-chat/call-fragment.ts";
import { createSpokenCalls, withoutCalls } from "../openai-chat/spoken-calls.ts";
import { finishCalls } from "../openai-chat/finish-calls.ts";
import { createCallIds } from "../wire/call-id.ts";
import { asObject, countIn, isObject, type JsonObject, textIn } from "../wire/json.ts";
import { classifyFault, isFault } from "../wire/provider-fault.ts";
import type { FinishedAnswer, Translator } from "../wire/stream-answer.ts";
import { createThinkTags } from "../wire/think-tags.ts";

/** The lines of `POST /api/chat`. */
export function createOllamaTranslator(request: ModelRequest, nowMs: () => number): Translator {
  const calls: { readonly ids: readonly string[]; readonly name: string; readonly json: string }[] = [];
  const tags = createThinkTags();
  const spoken = createSpokenCalls(request.tools.map(({ name }) => name));
  let last: JsonObject | undefined;

  return {
    *read(value): Iterable<ModelEvent> {
      const line = asObject(value, "a line");
      if (isFault(line)) throw classifyFault({ body: line }, nowMs());
      if (line["done"] === true) last = line;
      const message = line["message"];
      if (!isObject(message)) return;
      const thought = textIn(message, "thinking");
      if (thought !== "") yield { kind: "reasoning", text: thought };
      yield* withoutCalls(spoken, tags.push(textIn(message, "content")));
      // Every entry here is a complete call.
      for (const { id, name, json } of readCallFragments(message, 0))
        calls.push({ ids: id === "" ? [] : [id], name, json });
    },
    *flush() {
      yield* withoutCalls(spoken, tags.end());
      const found = spoken.end(calls.length > 0 ? "calls" : "none");
      if (found.text !== "") yield { kind: "text", text: found.text };
      for (const call of found.calls) calls.push({ ...call, ids: [] });
    },
    finish(): FinishedAnswer | undefined {
      if (last === undefined) return undefined;
      const isCut = textIn(last, "done_reason") === "length";
      const finished = finishCalls(calls, createCallIds(request.messages), "whole");
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
