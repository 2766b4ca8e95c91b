import { findFencedCode } from "./fenced-code.ts";
import type { Model, ModelEvent, ModelMessage, ModelRef } from "./model.ts";

const HONEST_SENTENCE =
  "I am the rehearsal model: no language model is connected, so I cannot understand this request. " +
  "What I can do is run TypeScript against your tools: put it in a ```ts block. Connecting a model " +
  "(Anthropic, OpenAI or a local server) comes with a later version; DEPUTY_MODEL will name it.";

/**
 * The embedded default when no key is set. It is honest about what it is: it runs fenced TypeScript
 * through the same turn as any model would, and otherwise says how to connect one.
 */
export function createRehearsalModel(ref: ModelRef): Model {
  return {
    ref,
    async *stream(request, signal): AsyncGenerator<ModelEvent> {
      signal.throwIfAborted();
      const answer = answerTo(request.messages);
      yield { kind: "text", text: answer.text };
      if (answer.code !== undefined) {
        const id = `rehearsal_${request.messages.length}`;
        yield { kind: "tool_call", id, name: "run_code", inputJson: JSON.stringify({ code: answer.code }) };
      }
      yield { kind: "usage", usage: { inputTokens: 0, outputTokens: 0 } };
      yield { kind: "stop", reason: answer.code === undefined ? "end" : "tool_calls" };
    },
  };
}

function answerTo(messages: readonly ModelMessage[]): { readonly text: string; readonly code?: string } {
  const last = messages.at(-1);
  if (last?.role === "tool") {
    const outcomes = last.results.map((result) => result.text).join("\n\n");
    const failed = last.results.some((result) => result.isError);
    return {
      text: `${failed ? "The program did not finish" : "The program ran to its end"}.\n\n${outcomes}`,
    };
  }
  const code = last?.role === "user" ? findFencedCode(last.text) : undefined;
  if (code === undefined) return { text: HONEST_SENTENCE };
  return { text: "Running your program.", code };
}
