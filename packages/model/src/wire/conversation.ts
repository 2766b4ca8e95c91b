import type { AssistantPart, ModelMessage } from "../model.ts";

const NO_TEXT = "(no text)";
const LEFT_OUT = "(The beginning of this conversation is left out.)";
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
    else if (message.role === "user") addUserText(tidy, message.text.trim() === "" ? NO_TEXT : message.text);
    else if (message.results.length > 0) tidy.push(message);
  }
  if (tidy[0]?.role !== "user") tidy.unshift({ role: "user", text: LEFT_OUT });
  if (tidy.at(-1)?.role === "assistant") tidy.push({ role: "user", text: GO_ON });
  return tidy;
}

function addUserText(tidy: ModelMessage[], text: string): void {
  const last = tidy.at(-1);
  if (last?.role === "user") tidy[tidy.length - 1] = { role: "user", text: `${last.text}\n\n${text}` };
  else tidy.push({ role: "user", text });
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
