import type {
  CacheControlEphemeral,
  ContentBlockParam,
  MessageParam,
  TextBlockParam,
  Tool,
} from "@anthropic-ai/sdk/resources/messages/messages";

export interface CachablePrompt {
  readonly system: readonly TextBlockParam[];
  readonly tools: readonly Tool[];
  readonly messages: readonly MessageParam[];
}

const MARK: CacheControlEphemeral = { type: "ephemeral" };
/** One that the request before has written, and one for the request after this. */
const MARKED_MESSAGES = 2;

/**
 * Places the four breakpoints a request may have: after the tools, after the system prompt, and after the
 * last two messages of the user. What came before a breakpoint is read from the cache next time.
 */
export function markForCache(prompt: CachablePrompt): {
  readonly system: TextBlockParam[];
  readonly tools: Tool[];
  readonly messages: MessageParam[];
} {
  const ofUser = prompt.messages.flatMap(({ role }, at) => (role === "user" ? [at] : []));
  const marked = new Set(ofUser.slice(-MARKED_MESSAGES));
  return {
    system: markLast(prompt.system),
    tools: markLast(prompt.tools),
    messages: prompt.messages.map((message, at) => (marked.has(at) ? markMessage(message) : message)),
  };
}

function markLast<T extends object>(items: readonly T[]): T[] {
  return items.map((item, at) => (at === items.length - 1 ? { ...item, cache_control: MARK } : item));
}

function markMessage(message: MessageParam): MessageParam {
  if (message.role !== "user" || typeof message.content === "string") return message;
  return { role: "user", content: markLast<ContentBlockParam>(message.content) };
}
