import type { ModelMessage } from "../model.ts";
import { digest } from "./digest.ts";

/** The form of call ids that Anthropic and OpenAI both accept. Ids of other servers may look different. */
const PLAIN = /^[a-zA-Z0-9_-]{1,64}$/;

/** The id under which a call of another provider is sent; stable for each id. */
export function plainCallId(id: string): string {
  return PLAIN.test(id) ? id : `call_${digest("", id)}`;
}

/** Generates ids that are new in the conversation, for servers that send none, or the same twice. */
export function createCallIds(messages: readonly ModelMessage[]): (wanted: string | undefined) => string {
  const taken = new Set(messages.flatMap(idsIn));
  return (wanted) => {
    let id = wanted;
    for (let n = taken.size; id === undefined || id === "" || taken.has(id); n++) id = `call_${n}`;
    taken.add(id);
    return id;
  };
}

function idsIn(message: ModelMessage): readonly string[] {
  if (message.role !== "assistant") return [];
  return message.parts.flatMap((part) => (part.kind === "tool_call" ? [part.id] : []));
}
