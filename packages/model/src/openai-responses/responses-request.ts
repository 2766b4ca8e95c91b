import type {
  FunctionTool,
  ResponseCreateParamsStreaming,
  ResponseInputImage,
  ResponseInputItem,
  ResponseInputText,
  ResponseReasoningItem,
} from "openai/resources/responses/responses";
import type { ModelMessage, ModelRequest, Picture } from "../model.ts";
import { toDataUrl } from "../pictures/data-url.ts";
import { arrangeAnswer, type OpaqueAnswer, parseOpaque, type Piece } from "../wire/answer-layout.ts";
import { plainCallId } from "../wire/call-id.ts";
import { toInputJson } from "../wire/call-input.ts";
import { tidyConversation } from "../wire/conversation.ts";
import { isObject } from "../wire/json.ts";

export const RESPONSES_WIRE = "openai-responses";

/** The API accepts no smaller limit. */
const LEAST_OUTPUT_TOKENS = 16;

/** Nothing is stored with the provider: each request contains the whole conversation, with encrypted reasoning. */
export function toResponsesRequest(model: string, request: ModelRequest): ResponseCreateParamsStreaming {
  const tools = request.tools.map(toTool);
  return {
    model,
    input: tidyConversation(request.messages).flatMap((message) => toItems(message, model)),
    max_output_tokens: Math.max(LEAST_OUTPUT_TOKENS, request.maxOutputTokens),
    store: false,
    include: ["reasoning.encrypted_content"],
    stream: true,
    ...(request.system !== "" && { instructions: request.system }),
    ...(tools.length > 0 && { tools }),
    ...(request.effort !== undefined && { reasoning: { effort: request.effort } }),
  };
}

function toTool({ name, description, inputSchema }: ModelRequest["tools"][number]): FunctionTool {
  return { type: "function", name, description, parameters: { ...inputSchema }, strict: false };
}

function toItems(message: ModelMessage, model: string): readonly ResponseInputItem[] {
  if (message.role === "user") return [{ role: "user", content: toContent(message) }];
  if (message.role === "tool") {
    return message.results.map((result) => ({
      type: "function_call_output",
      call_id: plainCallId(result.callId),
      output: toContent(result),
    }));
  }
  // Another model cannot decrypt it.
  const readOpaque = (opaque: string | undefined): OpaqueAnswer | undefined => {
    const answer = parseOpaque(opaque, RESPONSES_WIRE);
    return answer?.bound === model ? answer : undefined;
  };
  return arrangeAnswer(message.parts, readOpaque).flatMap(toItem);
}

/** Text alone, unless there are pictures. */
function toContent({
  text,
  pictures = [],
}: {
  readonly text: string;
  readonly pictures?: readonly Picture[];
}): string | (ResponseInputText | ResponseInputImage)[] {
  const images = pictures.flatMap(toDataUrl);
  if (images.length === 0) return text;
  return [
    { type: "input_text", text },
    ...images.map((image_url) => ({ type: "input_image" as const, detail: "auto" as const, image_url })),
  ];
}

function toItem(piece: Piece): readonly ResponseInputItem[] {
  if (piece.kind === "opaque") return isReasoning(piece.value) ? [piece.value] : [];
  if (piece.kind === "text") return [{ role: "assistant", content: piece.text }];
  const { id, name, inputJson } = piece;
  return [{ type: "function_call", call_id: plainCallId(id), name, arguments: toInputJson(inputJson) }];
}

function isReasoning(value: unknown): value is ResponseReasoningItem {
  return isObject(value) && value["type"] === "reasoning";
}
