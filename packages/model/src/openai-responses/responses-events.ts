import type { ModelEvent, ModelRequest, ModelUsage, StopReason } from "../model.ts";
import { formatOpaque, type LayoutEntry } from "../wire/answer-layout.ts";
import { createCallIds } from "../wire/call-id.ts";
import { finishCallInput } from "../wire/call-input.ts";
import { asObject, countIn, isObject, type JsonObject, listIn, stringIn, textIn } from "../wire/json.ts";
import { classifyFault } from "../wire/provider-fault.ts";
import type { FinishedAnswer, FinishedCall, Translator } from "../wire/stream-answer.ts";
import { createItemWords } from "./item-words.ts";
import { RESPONSES_WIRE } from "./responses-request.ts";

interface End {
  readonly usage: ModelUsage | undefined;
  /** Why the answer is not complete, if it is not. */
  readonly early: StopReason | undefined;
}

/**
 * The events of `POST /v1/responses`. Unknown events and items are skipped. What was not streamed is taken
 * from the finished item; an item that never finished is taken from the whole response at the end.
 */
export function createResponsesTranslator(
  model: string,
  { messages }: ModelRequest,
  nowMs: () => number,
): Translator {
  const layout: LayoutEntry[] = [];
  const calls: FinishedCall[] = [];
  const words = createItemWords();
  const giveId = createCallIds(messages);
  /** By place and by name. */
  const done = new Set<unknown>();
  let items = 0;
  let refused = false;
  let end: End | undefined;

  function* finishItem(item: JsonObject, at: unknown): Iterable<ModelEvent> {
    for (const name of [at, ...namesOf(item)]) done.add(name);
    items += 1;
    switch (item["type"]) {
      case "message": {
        refused ||= listIn(item, "content").some((part) => isObject(part) && part["type"] === "refusal");
        const text = yield* words.finishText(at, listIn(item, "content").map(wordsIn).join(""));
        if (text > 0) layout.push({ text });
        break;
      }
      case "reasoning":
        yield* words.finishThought(at, listIn(item, "summary").map(wordsIn));
        // Without the encrypted part, the API would look for reasoning that it was told not to store.
        if (textIn(item, "encrypted_content") !== "") layout.push({ opaque: item });
        break;
      case "function_call": {
        const [id, name] = [stringIn(item, "call_id"), stringIn(item, "name")];
        const isCut = item["status"] === "incomplete";
        const inputJson = finishCallInput(textIn(item, "arguments"), isCut ? "cut" : "whole");
        if (inputJson === undefined) break;
        calls.push({ id: giveId(id), name, inputJson });
        layout.push({ call: calls.at(-1)?.id ?? id });
        break;
      }
      default:
    }
  }

  return {
    *read(value): Iterable<ModelEvent> {
      const event = asObject(value, "an event");
      const at = event["output_index"];
      switch (stringIn(event, "type")) {
        case "response.output_text.delta":
          yield* words.say(at, stringIn(event, "delta"));
          break;
        case "response.refusal.delta":
          refused = true;
          yield* words.say(at, stringIn(event, "delta"));
          break;
        case "response.reasoning_summary_part.added":
          words.beginThought();
          break;
        case "response.reasoning_summary_text.delta":
        case "response.reasoning_text.delta":
          yield* words.think(at, stringIn(event, "delta"));
          break;
        case "response.output_item.done":
          yield* finishItem(asObject(event["item"], "an item"), at ?? items);
          break;
        case "response.completed":
        case "response.incomplete": {
          const response = asObject(event["response"], "the response");
          for (const [index, item] of listIn(response, "output").entries())
            if (isObject(item) && ![index, ...namesOf(item)].some((name) => done.has(name)))
              yield* finishItem(item, index);
          end = readEnd(response);
          break;
        }
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
      const opaque = formatOpaque({ wire: RESPONSES_WIRE, bound: model, layout });
      const stop = early ?? (calls.length > 0 ? "tool_calls" : "end");
      return { opaque, calls, usage: end.usage, stop };
    },
  };
}

/** Identifies an item, besides its place. */
function namesOf(item: JsonObject): readonly unknown[] {
  return [item["id"], item["call_id"]].filter((name) => name !== undefined);
}

/** In a part of a message, a refusal included, or of a summary. */
function wordsIn(part: unknown): string {
  return isObject(part) ? textIn(part, "text") || textIn(part, "refusal") : "";
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
