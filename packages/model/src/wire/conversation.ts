import type { AssistantPart, ModelMessage, ToolResult } from "../model.ts";

const NO_TEXT = "(no text)";
const LEFT_OUT = "(The beginning of this conversation is left out.)";
const OF_RESULTS = "(The pictures of these results.)";
const GO_ON = "(Go on.)";

/**
 * The same conversation in the form that every provider accepts: it begins with the user and does not end
 * with the assistant, there are no two user messages in a row, no empty messages, and no answer ends in
 * reasoning. Depends only on the messages, so that a longer conversation begins the same.
 */
export function tidyConversation(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const tidy: ModelMessage[] = [];
  for (const message of messages) {
    if (message.role === "assistant") addAnswer(tidy, tidyParts(message.parts));
    else if (message.role === "user") addUserText(tidy, message);
    else if (message.results.length > 0) tidy.push(message);
  }
  if (tidy[0]?.role !== "user") tidy.unshift({ role: "user", text: LEFT_OUT });
  if (tidy.at(-1)?.role === "assistant") tidy.push({ role: "user", text: GO_ON });
  return tidy;
}

function addUserText(tidy: ModelMessage[], message: Extract<ModelMessage, { role: "user" }>): void {
  const last = tidy.at(-1);
  const text = message.text.trim() === "" ? NO_TEXT : message.text;
  if (last?.role !== "user") tidy.push({ ...message, text });
  else {
    const pictures = [...(last.pictures ?? []), ...(message.pictures ?? [])];
    tidy[tidy.length - 1] = {
      role: "user",
      text: `${last.text}\n\n${text}`,
      ...(pictures.length > 0 && { pictures }),
    };
  }
}

/**
 * The same for wires whose results are text alone: the pictures of results follow in a message of the user's role.
 */
export function withPicturesApart(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const apart: ModelMessage[] = [];
  for (const message of messages) {
    if (message.role !== "tool") {
      if (message.role === "user") addUserText(apart, message);
      else apart.push(message);
      continue;
    }
    const pictures = message.results.flatMap((result) => result.pictures ?? []);
    apart.push({ ...message, results: message.results.map(withoutPictures) });
    if (pictures.length > 0) apart.push({ role: "user", text: OF_RESULTS, pictures });
  }
  return apart;
}

function addAnswer(tidy: ModelMessage[], parts: readonly AssistantPart[]): void {
  const last = tidy.at(-1);
  if (parts.length === 0) return;
  if (last?.role === "assistant")
    tidy[tidy.length - 1] = { role: "assistant", parts: [...last.parts, ...parts] };
  else tidy.push({ role: "assistant", parts });
}

function tidyParts(parts: readonly AssistantPart[]): readonly AssistantPart[] {
  const said = parts.filter((part) => part.kind !== "text" || part.text.trim() !== "");
  return said.slice(0, said.findLastIndex((part) => part.kind !== "reasoning") + 1);
}

function withoutPictures({ callId, text, isError }: ToolResult): ToolResult {
  return { callId, text, isError };
}
