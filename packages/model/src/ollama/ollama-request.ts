import type { Effort, ModelMessage, ModelRequest } from "../model.ts";
import { textOf } from "../openai-chat/chat-request.ts";
import { toInputObject } from "../wire/call-input.ts";
import { tidyConversation, withPicturesApart } from "../wire/conversation.ts";

/** Ollama's own default is a few thousand tokens, beyond which it silently drops the beginning. */
export const OLLAMA_CONTEXT_TOKENS = 16_384;

/** The body of `POST /api/chat`. `truncate` and `shift` off: a conversation that is too long is an error. */
export function toOllamaRequest(model: string, request: ModelRequest, contextTokens: number): unknown {
  const names = new Map(request.messages.flatMap(callNames));
  const system = request.system === "" ? [] : [{ role: "system", content: request.system }];
  const tools = request.tools.map(({ name, description, inputSchema }) => ({
    type: "function",
    function: { name, description, parameters: inputSchema },
  }));
  return {
    model,
    messages: [
      ...system,
      ...withPicturesApart(tidyConversation(request.messages)).flatMap((message) =>
        toMessages(message, names),
      ),
    ],
    stream: true,
    truncate: false,
    shift: false,
    options: { num_ctx: contextTokens, num_predict: request.maxOutputTokens },
    ...(tools.length > 0 && { tools }),
    ...(request.effort !== undefined && { think: toThink(request.effort) }),
  };
}

/** Models without levels take any of them as `true`. */
function toThink(effort: Effort): boolean | string {
  if (effort === "none") return false;
  if (effort === "minimal") return "low";
  return effort === "xhigh" || effort === "max" ? "high" : effort;
}

function callNames(message: ModelMessage): readonly (readonly [id: string, name: string])[] {
  if (message.role !== "assistant") return [];
  return message.parts.flatMap((part) => (part.kind === "tool_call" ? [[part.id, part.name] as const] : []));
}

function toMessages(message: ModelMessage, names: ReadonlyMap<string, string>): readonly unknown[] {
  if (message.role === "user") {
    const images = (message.pictures ?? []).flatMap(({ data }) => data ?? []);
    return [{ role: "user", content: message.text, ...(images.length > 0 && { images }) }];
  }
  if (message.role === "tool") {
    return message.results.map(({ callId, text }) => ({
      role: "tool",
      content: text,
      tool_call_id: callId,
      ...(names.has(callId) && { tool_name: names.get(callId) }),
    }));
  }
  const calls = message.parts.flatMap((part) =>
    part.kind === "tool_call"
      ? [{ id: part.id, function: { name: part.name, arguments: toInputObject(part.inputJson) } }]
      : [],
  );
  return [
    { role: "assistant", content: textOf(message.parts), ...(calls.length > 0 && { tool_calls: calls }) },
  ];
}
