import type { ModelEvent, ModelUsage, StopReason } from "../model.ts";
import { formatOpaque, type LayoutEntry } from "../wire/answer-layout.ts";
import { readCallInput, refuseCall } from "../wire/call-input.ts";
import { asObject, countIn, isObject, type JsonObject, listIn, stringIn, textIn } from "../wire/json.ts";
import { classifyFault } from "../wire/provider-fault.ts";
import type { FinishedAnswer, FinishedCall, Translator } from "../wire/stream-answer.ts";
import { RESPONSES_WIRE } from "./responses-request.ts";

interface End {
  readonly usage: ModelUsage | undefined;
  /** Why the answer is not complete, if it is not. */
  readonly early: StopReason | undefined;
}

/** The events of `POST /v1/responses`. Unknown events and items are passed over. */
export function createResponsesTranslator(model: string, nowMs: () => number): Translator {
  const layout: LayoutEntry[] = [];
  const calls: FinishedCall[] = [];
  const broken: string[] = [];
  let textInItem = 0;
  let textBefore = 0;
  let reasoned = false;
  let refused = false;
  let end: End | undefined;

  function* say(text: string): Iterable<ModelEvent> {
    if (text === "") return;
    // Two messages of one answer are two paragraphs.
    const whole = textInItem === 0 && textBefore > 0 ? `\n\n${text}` : text;
    textInItem += whole.length;
    yield { kind: "text", text: whole };
  }

  function* think(text: string): Iterable<ModelEvent> {
    if (text === "") return;
    reasoned = true;
    yield { kind: "reasoning", text };
  }

  const finishItem = (item: JsonObject): void => {
    switch (item["type"]) {
      case "message":
        refused ||= listIn(item, "content").some((part) => isObject(part) && part["type"] === "refusal");
        if (textInItem > 0) layout.push({ text: textInItem });
        textBefore += textInItem;
        textInItem = 0;
        break;
      case "reasoning":
        // Without the encrypted part the API would look for what it was told not to store.
        if (textIn(item, "encrypted_content") !== "") layout.push({ opaque: item });
        break;
      case "function_call": {
        const [id, name] = [stringIn(item, "call_id"), stringIn(item, "name")];
        const inputJson = readCallInput(textIn(item, "arguments"));
        if (inputJson === undefined || item["status"] === "incomplete") broken.push(name);
        else {
          calls.push({ id, name, inputJson });
          layout.push({ call: id });
        }
        break;
      }
      default:
    }
  };

  return {
    *read(value): Iterable<ModelEvent> {
      const event = asObject(value, "an event");
      switch (stringIn(event, "type")) {
        case "response.output_text.delta":
          yield* say(stringIn(event, "delta"));
          break;
        case "response.refusal.delta":
          refused = true;
          yield* say(stringIn(event, "delta"));
          break;
        case "response.reasoning_summary_part.added":
          if (reasoned) yield* think("\n\n");
          break;
        case "response.reasoning_summary_text.delta":
        case "response.reasoning_text.delta":
          yield* think(stringIn(event, "delta"));
          break;
        case "response.output_item.done":
          finishItem(asObject(event["item"], "an item"));
          break;
        case "response.completed":
        case "response.incomplete":
          end = readEnd(asObject(event["response"], "the response"));
          break;
        case "response.failed": {
          const { error } = asObject(event["response"], "the response");
          throw classifyFault({ body: error }, nowMs());
        }
        case "error":
          throw classifyFault({ body: event }, nowMs());
        default:
      }
    },
    finish(): FinishedAnswer | undefined {
      if (end === undefined) return undefined;
      const early = end.early ?? (refused ? "refusal" : undefined);
      if (early === undefined) for (const name of broken) refuseCall(name);
      const opaque = formatOpaque({ wire: RESPONSES_WIRE, bound: model, layout });
      const stop = early ?? (calls.length > 0 ? "tool_calls" : "end");
      return { opaque, calls, usage: end.usage, stop };
    },
  };
}

const EARLY: Readonly<Record<string, StopReason>> = {
  max_output_tokens: "max_tokens",
  content_filter: "content_filter",
};

function readEnd(response: JsonObject): End {
  const usage = readUsage(response["usage"]);
  if (response["status"] !== "incomplete") return { usage, early: undefined };
  const details = response["incomplete_details"];
  return { usage, early: EARLY[isObject(details) ? textIn(details, "reason") : ""] ?? "pause" };
}

function readUsage(value: unknown): ModelUsage | undefined {
  const inputTokens = countIn(value, "input_tokens");
  const outputTokens = countIn(value, "output_tokens");
  if (!isObject(value) || inputTokens === undefined || outputTokens === undefined) return undefined;
  const read = countIn(value["input_tokens_details"], "cached_tokens");
  const write = countIn(value["input_tokens_details"], "cache_write_tokens");
  const reasoning = countIn(value["output_tokens_details"], "reasoning_tokens");
  return {
    inputTokens,
    outputTokens,
    ...(read !== undefined && { cacheReadTokens: read }),
    ...(write !== undefined && { cacheWriteTokens: write }),
    ...(reasoning !== undefined && { reasoningTokens: reasoning }),
  };
}
