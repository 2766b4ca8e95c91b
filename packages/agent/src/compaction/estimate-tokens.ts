import type { AssistantPart, ModelMessage, ModelRequest, ToolResult } from "@deputy/model";

/** Near enough for English and code; other scripts and dense data need more. A prompt it misjudges overflows, and is then made smaller. */
export const CHARS_PER_TOKEN = 4;

export function estimateRequestTokens({ system, tools, messages }: ModelRequest): number {
  return tokensOf(system.length + JSON.stringify(tools).length) + estimateTokens(messages);
}

export function estimateTokens(messages: readonly ModelMessage[]): number {
  return tokensOf(messages.reduce((sum, message) => sum + charsOf(message), 0));
}

function tokensOf(chars: number): number {
  return Math.ceil(chars / CHARS_PER_TOKEN);
}

function charsOf(message: ModelMessage): number {
  if (message.role === "user") return saidChars(message);
  if (message.role === "tool") return message.results.reduce((sum, result) => sum + saidChars(result), 0);
  return message.parts.reduce((sum, part) => sum + partChars(part), 0);
}

/** About what a screenshot takes; only some of many are shown. */
const PICTURE_TOKENS = 1_500;

function saidChars({ text, pictures = [] }: Pick<ToolResult, "text" | "pictures">): number {
  return text.length + pictures.length * PICTURE_TOKENS * CHARS_PER_TOKEN;
}

function partChars(part: AssistantPart): number {
  if (part.kind === "tool_call") return part.name.length + part.inputJson.length;
  // A provider that gets its opaque part back does not read the text too.
  return part.kind === "text" ? part.text.length : (part.opaque?.length ?? part.text.length);
}
