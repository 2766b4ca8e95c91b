import { isObject, type JsonObject, textIn } from "../wire/json.ts";

/** What a delta, or a whole message, says. */
export interface ChatWords {
  readonly thought: string;
  readonly text: string;
  readonly refusal: string;
}

/** `content` is text, or a list of parts; reasoning has a field of its own, by one of two names, or a part. */
export function readChatWords(part: JsonObject): ChatWords {
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
