import {
  type AnswerFrames,
  countTokens,
  type FakeWire,
  isJson,
  type Json,
  objectsIn,
  piecesOf,
  type StatusFault,
  unknownField,
} from "../fake/fake-wire.ts";
import type { FaultName, ScriptedAnswer, ScriptedPart } from "../fake/scripted-answer.ts";

const fault = (status: number, error: string): StatusFault => ({ status, body: { error } });

const faults = {
  unknown_model: fault(404, "model 'unknown' not found"),
  overloaded: fault(503, "server busy, please try again. maximum pending requests exceeded"),
  server_error: fault(500, "llama runner process has terminated"),
  context_overflow: fault(400, "the input length exceeds the context length"),
  bad_request: fault(400, "registry.ollama.ai/library/old does not support tools"),
} as const satisfies Partial<Record<FaultName, StatusFault>>;

/** Ollama's own `/api/chat`. `together`: all calls in one line. It needs no key, unless a proxy in front does. */
export function createFakeOllama(
  options: { readonly calls?: "one_by_one" | "together"; readonly ownKey?: string } = {},
): FakeWire {
  let count = 0;
  return {
    path: "/api/chat",
    contentType: "application/x-ndjson",
    faults,
    others: { "/api/version": { version: "0.17.0" } },
    complain({ headers, body }) {
      const own = options.ownKey === undefined ? undefined : `Bearer ${options.ownKey}`;
      if (headers.authorization !== own) return fault(401, "unauthorized");
      const [problem] = findProblems(body);
      return problem === undefined ? undefined : fault(400, problem);
    },
    frames(answer, { body }) {
      const apart = answer.parts.flatMap((part) => messagesOf(part, () => `call_${(count += 1)}`));
      const messages = options.calls === "together" ? joinCalls(apart) : apart;
      return toFrames(answer, messages, countTokens(body["messages"]));
    },
    errorFrame(name) {
      const known = name in faults ? faults[name as keyof typeof faults] : undefined;
      return known === undefined ? undefined : line(known.body as Json);
    },
  };
}

const line = (data: Json): string => `${JSON.stringify(data)}\n`;

function toFrames(answer: ScriptedAnswer, messages: readonly Json[], promptTokens: number): AnswerFrames {
  const base = { model: "fake", created_at: "2026-11-15T00:00:00Z" };
  const done_reason = answer.stop === "max_tokens" ? "length" : "stop";
  const counts = { prompt_eval_count: promptTokens, eval_count: countTokens(messages) };
  return {
    before: [],
    output: messages.map((message) =>
      line({ ...base, message: { role: "assistant", content: "", ...message }, done: false }),
    ),
    after: [
      line({ ...base, message: { role: "assistant", content: "" }, done: true, done_reason, ...counts }),
    ],
  };
}

function messagesOf(part: ScriptedPart, nextId: () => string): readonly Json[] {
  if (part.kind === "text") return piecesOf(part.text).map((content) => ({ content }));
  if (part.kind === "reasoning")
    return part.hidden === true ? [] : piecesOf(part.text).map((thinking) => ({ thinking }));
  return [
    {
      tool_calls: [
        { id: part.id ?? nextId(), function: { index: 0, name: part.name, arguments: part.input } },
      ],
    },
  ];
}

function joinCalls(messages: readonly Json[]): readonly Json[] {
  const words = messages.filter((message) => !("tool_calls" in message));
  return [...words, { tool_calls: messages.flatMap((message) => objectsIn(message["tool_calls"])) }];
}

const BODY_FIELDS = [
  "model",
  "messages",
  "stream",
  "tools",
  "options",
  "truncate",
  "shift",
  "think",
  "keep_alive",
];
const MESSAGE_FIELDS = ["role", "content", "thinking", "tool_calls", "tool_name", "tool_call_id", "images"];

/** What it rejects, and what it would accept but treat differently. */
function* findProblems(body: Json): Iterable<string> {
  const extra = unknownField(body, BODY_FIELDS);
  if (extra !== undefined) yield `unknown field ${extra}`;
  if (typeof body["model"] !== "string") yield "model is required";
  if (body["model"] === "plain" && "think" in body) yield '"plain" does not support thinking';
  if ("think" in body && ![true, false, "low", "medium", "high"].includes(body["think"] as string))
    yield "invalid think value: it must be high, medium, low, true, or false";
  if (body["truncate"] !== false || body["shift"] !== false)
    yield "the beginning would be forgotten silently";
  const options = body["options"];
  if (!isJson(options) || typeof options["num_ctx"] !== "number")
    yield "the context would be a few thousand tokens";
  const messages = objectsIn(body["messages"]);
  for (const message of messages) {
    const odd = unknownField(message, MESSAGE_FIELDS);
    if (odd !== undefined) yield `unknown field ${odd}`;
    if (typeof message["content"] !== "string") yield "content is not a string";
    for (const call of objectsIn(message["tool_calls"])) {
      const called = call["function"];
      if (!isJson(called) || !isJson(called["arguments"]))
        yield "json: cannot unmarshal string into Go struct field ChatRequest.messages.tool_calls.function.arguments";
    }
  }
  if (messages.at(-1)?.["role"] === "assistant") yield "the conversation ends with the assistant";
  const called = messages.flatMap((message) => objectsIn(message["tool_calls"])).map(({ id }) => id);
  const answered = messages.filter(({ role }) => role === "tool").map((message) => message["tool_call_id"]);
  if (called.length !== answered.length || called.some((id) => !answered.includes(id)))
    yield "calls and results do not pair up";
}
