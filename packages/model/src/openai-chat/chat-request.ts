import type {
  ChatCompletionContentPart,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionFunctionTool,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import type { AssistantPart, ModelMessage, ModelRequest } from "../model.ts";
import { toInputJson } from "../wire/call-input.ts";
import { toDataUrl } from "../pictures/data-url.ts";
import { tidyConversation, withPicturesApart } from "../wire/conversation.ts";

/**
 * The fields that Ollama, llama.cpp, LM Studio and vLLM all accept. No `tool_choice`, which vLLM refuses
 * without flags; `max_tokens`, which all of them know. Reasoning is not sent back: they have no common way.
 */
export function toChatRequest(model: string, request: ModelRequest): ChatCompletionCreateParamsStreaming {
  const system: ChatCompletionMessageParam[] =
    request.system === "" ? [] : [{ role: "system", content: request.system }];
  const tools = request.tools.map(toTool);
  return {
    model,
    messages: [...system, ...withPicturesApart(tidyConversation(request.messages)).flatMap(toMessages)],
    max_tokens: request.maxOutputTokens,
    stream: true,
    stream_options: { include_usage: true },
    ...(tools.length > 0 && { tools }),
    ...(request.effort !== undefined && { reasoning_effort: request.effort }),
  };
}

function toTool({
  name,
  description,
  inputSchema,
}: ModelRequest["tools"][number]): ChatCompletionFunctionTool {
  return { type: "function", function: { name, description, parameters: { ...inputSchema } } };
}

function toMessages(message: ModelMessage): readonly ChatCompletionMessageParam[] {
  if (message.role === "user") return [{ role: "user", content: toContent(message) }];
  if (message.role === "tool") {
    return message.results.map(({ callId, text }) => ({ role: "tool", tool_call_id: callId, content: text }));
  }
  const calls = message.parts.flatMap(toCall);
  const text = textOf(message.parts);
  return [
    {
      role: "assistant",
      content: text === "" ? null : text,
      ...(calls.length > 0 && { tool_calls: calls }),
    },
  ];
}

/** Text alone, unless there are pictures: some servers take nothing else. */
function toContent({
  text,
  pictures = [],
}: Extract<ModelMessage, { role: "user" }>): string | ChatCompletionContentPart[] {
  const images = pictures.flatMap(toDataUrl);
  if (images.length === 0) return text;
  return [
    { type: "text", text },
    ...images.map((url) => ({ type: "image_url" as const, image_url: { url } })),
  ];
}

function toCall(part: AssistantPart) {
  if (part.kind !== "tool_call") return [];
  const called = { name: part.name, arguments: toInputJson(part.inputJson) };
  return [{ id: part.id, type: "function" as const, function: called }];
}

export function textOf(parts: readonly AssistantPart[]): string {
  return parts.map((part) => (part.kind === "text" ? part.text : "")).join("");
}
