import type {
  ContentBlockParam,
  ImageBlockParam,
  MessageCreateParamsStreaming,
  MessageParam,
  RedactedThinkingBlockParam,
  TextBlockParam,
  ThinkingBlockParam,
  Tool,
  ToolResultBlockParam,
  CacheControlEphemeral,
} from "@anthropic-ai/sdk/resources/messages/messages";
import type { AssistantPart, Effort, ModelMessage, ModelRequest, Picture, ToolResult } from "../model.ts";
import { arrangeAnswer, type OpaqueAnswer, parseOpaque, type Piece } from "../wire/answer-layout.ts";
import { plainCallId } from "../wire/call-id.ts";
import { toInputObject } from "../wire/call-input.ts";
import { tidyConversation } from "../wire/conversation.ts";
import { digest } from "../wire/digest.ts";
import { isObject } from "../wire/json.ts";

const MARK: CacheControlEphemeral = { type: "ephemeral" };

/** One breakpoint that the previous request wrote, and one for the next request. */
const MARKED_MESSAGES = 2;

export const ANTHROPIC_WIRE = "anthropic";

export interface AnthropicRequest {
  readonly params: MessageCreateParamsStreaming;
  /** Thinking in the answer is only valid after exactly this prompt. */
  readonly bound: string;
}

/** Models from this generation on think by themselves, and show it only on request. */
const SHOWS_THINKING_WHEN_ASKED = /^claude-[a-z]+-(?:[5-9]|\d\d)(?:-|$)/;

export function toAnthropicRequest(model: string, request: ModelRequest): AnthropicRequest {
  const tools = request.tools.map(toTool);
  const system: TextBlockParam[] = request.system === "" ? [] : [{ type: "text", text: request.system }];
  const { messages, bound } = toMessages(
    tidyConversation(request.messages),
    digest("", JSON.stringify([system, tools])),
  );
  const marked = markForCache({ system, tools, messages });
  const params: MessageCreateParamsStreaming = {
    model,
    max_tokens: request.maxOutputTokens,
    messages: marked.messages,
    stream: true,
    ...(system.length > 0 && { system: marked.system }),
    ...(tools.length > 0 && { tools: marked.tools }),
    ...toThinking(model, request.effort),
  };
  return { params, bound };
}

/** Thinking is switched off only where it is on by itself. The API knows no effort below `low`. */
function toThinking(
  model: string,
  effort: Effort | undefined,
): Pick<MessageCreateParamsStreaming, "thinking" | "output_config"> {
  const thinks = SHOWS_THINKING_WHEN_ASKED.test(model);
  if (effort === "none") return thinks ? { thinking: { type: "disabled" } } : {};
  return {
    ...(thinks && { thinking: { type: "adaptive", display: "summarized" } }),
    ...(effort !== undefined && { output_config: { effort: effort === "minimal" ? "low" : effort } }),
  };
}

function toTool(tool: ModelRequest["tools"][number]): Tool {
  return {
    name: tool.name,
    description: tool.description,
    input_schema: { ...tool.inputSchema, type: "object" },
  };
}

/**
 * The API rejects a thinking block, and all after it, if anything before it has changed: a system prompt that
 * names a new tool, a shortened history. Such blocks are left out.
 */
function toMessages(
  conversation: readonly ModelMessage[],
  start: string,
): { readonly messages: MessageParam[]; readonly bound: string } {
  const messages: MessageParam[] = [];
  let bound = start;
  let counted = 0;
  let isUnchanged = true;
  const boundSoFar = (): string => {
    for (; counted < messages.length; counted++) bound = digest(bound, JSON.stringify(messages[counted]));
    return bound;
  };
  const readOpaque = (opaque: string | undefined): OpaqueAnswer | undefined => {
    const answer = parseOpaque(opaque, ANTHROPIC_WIRE);
    isUnchanged &&= answer !== undefined && answer.bound === boundSoFar();
    return isUnchanged ? answer : undefined;
  };
  for (const message of conversation) {
    if (message.role === "assistant")
      messages.push({ role: "assistant", content: toAnswer(message.parts, readOpaque) });
    else if (message.role === "tool") messages.push({ role: "user", content: message.results.map(toResult) });
    else addUserBlocks(messages, [{ type: "text", text: message.text }, ...toImages(message.pictures)]);
  }
  return { messages, bound: boundSoFar() };
}

/** What the user says after the results of calls goes into the same message as the results. */
function addUserBlocks(messages: MessageParam[], blocks: (TextBlockParam | ImageBlockParam)[]): void {
  const last = messages.at(-1);
  if (last?.role === "user" && Array.isArray(last.content)) last.content.push(...blocks);
  else messages.push({ role: "user", content: blocks });
}

function toImages(pictures: readonly Picture[] = []): ImageBlockParam[] {
  return pictures.flatMap(({ data, found }) =>
    data === undefined || found === undefined
      ? []
      : [{ type: "image", source: { type: "base64", media_type: found.mediaType, data } }],
  );
}

function toAnswer(
  parts: readonly AssistantPart[],
  readOpaque: (opaque: string | undefined) => OpaqueAnswer | undefined,
): ContentBlockParam[] {
  return arrangeAnswer(parts, readOpaque).flatMap(toBlock);
}

function toBlock(piece: Piece): readonly ContentBlockParam[] {
  if (piece.kind === "opaque") return isThinking(piece.value) ? [piece.value] : [];
  if (piece.kind === "text") return [{ type: "text", text: piece.text }];
  const { id, name, inputJson } = piece;
  return [{ type: "tool_use", id: plainCallId(id), name, input: toInputObject(inputJson) }];
}

function isThinking(value: unknown): value is ThinkingBlockParam | RedactedThinkingBlockParam {
  return isObject(value) && (value["type"] === "thinking" || value["type"] === "redacted_thinking");
}

function toResult(result: ToolResult): ToolResultBlockParam {
  return {
    type: "tool_result",
    tool_use_id: plainCallId(result.callId),
    ...(result.text !== "" && { content: toContent(result) }),
    ...(result.isError && { is_error: true }),
  };
}

function toContent({ text, pictures }: ToolResult): NonNullable<ToolResultBlockParam["content"]> {
  const images = toImages(pictures);
  return images.length === 0 ? text : [{ type: "text", text }, ...images];
}

interface CachablePrompt {
  readonly system: readonly TextBlockParam[];
  readonly tools: readonly Tool[];
  readonly messages: readonly MessageParam[];
}

/**
 * Places the four breakpoints a request may have: after the tools, after the system prompt, and after the
 * last two messages of the user. What came before a breakpoint is read from the cache next time.
 */
function markForCache(prompt: CachablePrompt): {
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
