import {
  type AnswerFrames,
  asText,
  countTokens,
  FAKE_KEY,
  type FakeWire,
  frame,
  type Json,
  objectsIn,
  piecesOf,
} from "../fake/fake-wire.ts";
import { createPrefixCache } from "../fake/prefix-cache.ts";
import type { ScriptedAnswer, ScriptedPart } from "../fake/scripted-answer.ts";
import { openAiFault, responsesFaults } from "./responses-faults.ts";
import { findProblems } from "./responses-rules.ts";

/** Where a server puts the words of an answer: also in deltas, or only in the complete items. */
export type ResponsesManner = "streamed" | "items_only" | "end_only";

/** OpenAI's Responses API, for requests that store nothing. Remembers what it encrypted. */
export function createFakeResponses(manner: ResponsesManner = "streamed"): FakeWire {
  const encrypted = new Map<string, unknown>();
  const cache = createPrefixCache();
  let count = 0;

  const toItem = (part: ScriptedPart, body: Json, isRefused: boolean): Json => {
    count += 1;
    if (part.kind === "text") {
      const content = isRefused
        ? { type: "refusal", refusal: part.text }
        : { type: "output_text", text: part.text };
      return {
        type: "message",
        id: `msg_${count}`,
        role: "assistant",
        status: "completed",
        content: [content],
      };
    }
    if (part.kind === "tool_call") {
      const json = part.json ?? JSON.stringify(part.input);
      const ids = { id: `fc_${count}`, call_id: part.id ?? `call_${count}` };
      return { type: "function_call", ...ids, name: part.name, arguments: json, status: "completed" };
    }
    const summary = part.hidden === true ? [] : [{ type: "summary_text", text: part.text }];
    const encrypted_content = `gAAAA_${count} é "\\ \u2028 +/== 😀`;
    encrypted.set(encrypted_content, body["model"]);
    return { type: "reasoning", id: `rs_${count}`, summary, encrypted_content };
  };

  function* findReasoningProblems(body: Json): Iterable<string> {
    for (const item of objectsIn(body["input"]).filter(({ type }) => type === "reasoning")) {
      const content = item["encrypted_content"];
      if (typeof content !== "string")
        yield `Item with id '${String(item["id"])}' not found. Items are not persisted when \`store\` is set to false.`;
      else if (encrypted.get(content) !== body["model"])
        yield `The encrypted content for item ${String(item["id"])} could not be verified.`;
    }
  }

  return {
    path: "/v1/responses",
    contentType: "text/event-stream; charset=utf-8",
    faults: responsesFaults,
    complain({ headers, body }) {
      if (headers.authorization !== `Bearer ${FAKE_KEY}`) return responsesFaults.wrong_key;
      const [problem] = [...findProblems(body), ...findReasoningProblems(body)];
      return problem === undefined ? undefined : openAiFault(400, "invalid_value", problem);
    },
    frames(answer, { body }) {
      const items = answer.parts.map((part) => toItem(part, body, answer.stop === "refusal"));
      const parts = [body["instructions"], body["tools"], ...objectsIn(body["input"])];
      const use = cache.use(
        parts.map((part) => ({ text: JSON.stringify(part ?? null), isBreakpoint: true })),
      );
      const thought = answer.parts.filter(({ kind }) => kind === "reasoning");
      const usage = {
        input_tokens: use.total,
        input_tokens_details: { cached_tokens: use.read, cache_write_tokens: use.written },
        output_tokens: countTokens(items),
        output_tokens_details: { reasoning_tokens: countTokens(thought) },
      };
      return toFrames(answer, items, usage, manner);
    },
    errorFrame(name) {
      const { code, message } = responsesFaults[name].body.error;
      // Half of the failures come as one kind of event, half as the other.
      if (name.length % 2 === 0) return event("error", { code, message, param: null });
      return event("response.failed", { response: { status: "failed", error: { code, message } } });
    },
  };
}

const event = (type: string, data: Json): string => frame({ type, sequence_number: 0, ...data }, type);

function toFrames(
  answer: ScriptedAnswer,
  items: readonly Json[],
  usage: Json,
  manner: ResponsesManner,
): AnswerFrames {
  const response = { id: "resp_fake", object: "response", status: "in_progress", output: [] };
  const incomplete = {
    max_tokens: "max_output_tokens",
    content_filter: "content_filter",
    pause: "max_messages",
  };
  const reason = answer.stop !== undefined && answer.stop in incomplete ? answer.stop : undefined;
  const ending = reason === undefined ? "completed" : "incomplete";
  const incomplete_details =
    reason === undefined ? null : { reason: incomplete[reason as keyof typeof incomplete] };
  return {
    before: [event("response.created", { response }), event("response.in_progress", { response })],
    output: items.flatMap((item, output_index) => {
      const added = { ...item, status: "in_progress", content: [] };
      const deltas = manner === "streamed" ? Array.from(deltasOf(item)) : [];
      if (manner === "end_only") return [];
      return [
        event("response.output_item.added", { output_index, item: added }),
        ...deltas.map(([type, data]) => event(type, { output_index, ...data })),
        event("response.output_item.done", { output_index, item }),
      ];
    }),
    after: [
      event(`response.${ending}`, {
        response: { ...response, status: ending, incomplete_details, output: items, usage },
      }),
    ],
  };
}

/** An event's type and content. */
type Delta = readonly [type: string, data: Json];

function* deltasOf(item: Json): Iterable<Delta> {
  switch (item["type"]) {
    case "function_call":
      yield* streamOf("response.function_call_arguments.delta", item["arguments"]);
      yield ["response.function_call_arguments.done", { arguments: item["arguments"] }];
      return;
    case "reasoning":
      for (const [summary_index, part] of objectsIn(item["summary"]).entries()) {
        yield ["response.reasoning_summary_part.added", { summary_index }];
        yield* streamOf("response.reasoning_summary_text.delta", part["text"]);
      }
      return;
    default:
      for (const part of objectsIn(item["content"])) {
        if (part["type"] === "refusal") yield* streamOf("response.refusal.delta", part["refusal"]);
        else yield* streamOf("response.output_text.delta", part["text"]);
      }
  }
}

function streamOf(type: string, text: unknown): readonly Delta[] {
  return piecesOf(asText(text)).map((delta) => [type, { delta }]);
}
