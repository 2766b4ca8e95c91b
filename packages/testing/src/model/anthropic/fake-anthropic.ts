import {
  type AnswerFrames,
  countTokens,
  FAKE_KEY,
  type FakeWire,
  frame,
  type Json,
  objectsIn,
  piecesOf,
  type StatusFault,
} from "../fake/fake-wire.ts";
import { type CachePart, createPrefixCache, type PrefixCache } from "../fake/prefix-cache.ts";
import type { FaultName, ScriptedAnswer, ScriptedPart } from "../fake/scripted-answer.ts";
import { blocksOf, findProblems } from "./anthropic-rules.ts";
import { createThinkingLedger } from "./thinking-ledger.ts";

/** Anthropic's Messages API. Remembers what it signed, and which prompts are in its cache. */
export function createFakeAnthropic(): FakeWire {
  const ledger = createThinkingLedger();
  const cache = createPrefixCache();
  let calls = 0;

  const toBlock = (part: ScriptedPart): Json => {
    if (part.kind === "text") return { type: "text", text: part.text };
    if (part.kind === "reasoning") return ledger.issue(part.text, part.hidden === true);
    calls += 1;
    const id = part.id ?? `toolu_${calls}`;
    return { type: "tool_use", id, name: part.name, input: part.json ?? part.input };
  };

  return {
    path: "/v1/messages",
    contentType: "text/event-stream; charset=utf-8",
    faults: anthropicFaults,
    complain({ headers, body }) {
      if (headers.authorization !== `Bearer ${FAKE_KEY}`) return anthropicFaults.wrong_key;
      const version = headers["anthropic-version"];
      const stale = version === "2026-10-21" ? [] : ["anthropic-version: header is required"];
      const [problem] = [...stale, ...findProblems(body), ...ledger.findProblems(body)];
      return problem === undefined ? undefined : anthropicFault(400, "invalid_request_error", problem);
    },
    frames(answer, { body }) {
      const blocks = answer.parts.map(toBlock);
      ledger.note(body, blocks);
      return toFrames(answer, blocks, body, useCache(cache, body));
    },
    errorFrame(name) {
      return frame(anthropicFaults[name].body, "error");
    },
  };
}

const event = (type: string, data: Json): string => frame({ type, ...data }, type);

function toFrames(answer: ScriptedAnswer, blocks: readonly Json[], body: Json, usage: Json): AnswerFrames {
  const message = { id: "msg_fake", type: "message", role: "assistant", model: body["model"], content: [] };
  const thinking = answer.parts.filter(({ kind }) => kind === "reasoning");
  const counted = { ...usage, output_tokens: countTokens(blocks) };
  return {
    before: [
      event("message_start", {
        message: { ...message, stop_reason: null, usage: { ...usage, output_tokens: 1 } },
      }),
      event("ping", {}),
    ],
    output: blocks.flatMap((block, index) => [
      event("content_block_start", { index, content_block: startOf(block) }),
      ...deltasOf(block).map((delta) => event("content_block_delta", { index, delta })),
      event("content_block_stop", { index }),
    ]),
    after: [
      event("message_delta", {
        delta: { stop_reason: stopOf(answer), stop_sequence: null },
        usage: { ...counted, output_tokens_details: { thinking_tokens: countTokens(thinking) } },
      }),
      event("message_stop", {}),
    ],
  };
}

function startOf(block: Json): Json {
  if (block["type"] === "text") return { type: "text", text: "" };
  if (block["type"] === "thinking") return { type: "thinking", thinking: "", signature: "" };
  return block["type"] === "tool_use" ? { ...block, input: {} } : block;
}

function deltasOf(block: Json): readonly Json[] {
  switch (block["type"]) {
    case "text":
      return piecesOf(String(block["text"])).map((text) => ({ type: "text_delta", text }));
    case "thinking":
      return [
        ...piecesOf(String(block["thinking"])).map((thinking) => ({ type: "thinking_delta", thinking })),
        { type: "signature_delta", signature: block["signature"] },
      ];
    case "tool_use": {
      const { input } = block;
      const isNone = Object.keys(input ?? {}).length === 0;
      const json = typeof input === "string" ? input : isNone ? "" : JSON.stringify(input);
      return ["", ...piecesOf(json)].map((partial_json) => ({ type: "input_json_delta", partial_json }));
    }
    default:
      return [];
  }
}

function stopOf({ parts, stop }: ScriptedAnswer): string {
  if (stop === "max_tokens" || stop === "refusal") return stop;
  if (stop === "context_full") return "model_context_window_exceeded";
  if (stop === "pause") return "pause_turn";
  return parts.some(({ kind }) => kind === "tool_call") ? "tool_use" : "end_turn";
}

function useCache(cache: PrefixCache, body: Json): Json {
  const head = [...objectsIn(body["tools"]), ...objectsIn(body["system"])].map((item) =>
    toCachePart("", item),
  );
  const said = objectsIn(body["messages"]).flatMap((message) =>
    blocksOf(message).map((block) => toCachePart(message["role"], block)),
  );
  const use = cache.use([...head, ...said]);
  return {
    input_tokens: use.total - use.read - use.written,
    cache_read_input_tokens: use.read,
    cache_creation_input_tokens: use.written,
  };
}

function toCachePart(role: unknown, { cache_control: mark, ...block }: Json): CachePart {
  return { text: JSON.stringify([role, block]), isBreakpoint: mark !== undefined };
}

/** `{type: "error", error: {type, message}, request_id}`, as the API's page on errors documents it. */
function anthropicFault(status: number, type: string, message: string, code?: string): StatusFault {
  const details = code === undefined ? {} : { details: { error_code: code } };
  return { status, body: { type: "error", error: { type, message, ...details }, request_id: "req_fake" } };
}

const anthropicFaults = {
  wrong_key: anthropicFault(401, "authentication_error", "invalid bearer token"),
  forbidden: anthropicFault(403, "permission_error", "Your API key may not use the specified resource."),
  unknown_model: anthropicFault(404, "not_found_error", "model: claude-unknown"),
  no_credit: anthropicFault(402, "billing_error", "Your credit balance is too low."),
  rate_limited: anthropicFault(429, "rate_limit_error", "This request would exceed your rate limit."),
  overloaded: anthropicFault(529, "overloaded_error", "Overloaded"),
  server_error: anthropicFault(500, "api_error", "Internal server error"),
  timeout: anthropicFault(504, "timeout_error", "The request timed out while processing."),
  context_overflow: anthropicFault(
    400,
    "invalid_request_error",
    "prompt is too long: 213462 tokens > 200000 maximum",
  ),
  output_limit: anthropicFault(
    400,
    "invalid_request_error",
    "max_tokens: 1000 > 640, which is the maximum allowed number of output tokens for claude-fake",
  ),
  content_filter: anthropicFault(400, "invalid_request_error", "Output blocked by content filtering policy"),
  bad_request: anthropicFault(400, "invalid_request_error", "messages.0: something is wrong"),
} as const satisfies Record<FaultName, StatusFault>;
