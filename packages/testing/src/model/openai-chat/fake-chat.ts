import {
  type AnswerFrames,
  countTokens,
  type FakeWire,
  frame,
  type Json,
  objectsIn,
  piecesOf,
  type StatusFault,
} from "../fake/fake-wire.ts";
import { createPrefixCache } from "../fake/prefix-cache.ts";
import type { FaultName, ScriptedAnswer, ScriptedPart } from "../fake/scripted-answer.ts";
import { findProblems } from "./chat-rules.ts";

/** How a server streams its calls; real ones differ in exactly these ways. */
export interface ChatManners {
  readonly index: "counted" | "zero" | "missing";
  readonly id: "once" | "missing" | "changing" | "always_the_same";
  readonly arguments: "streamed" | "whole" | "object" | "repeated";
  /** The finish reason of an answer with calls, and of one without. */
  readonly finish: "right" | "wrong" | "missing";
  readonly usage: "last_chunk" | "missing";
  /** `pieces`: a function's name is streamed like any text. */
  readonly name: "whole" | "pieces";
  /** `together`: all calls in one chunk; only for calls that are not streamed. */
  readonly chunks: "one_by_one" | "together";
  /** Where words are: text, a list of parts, a whole message, or text that begins with its reasoning. */
  readonly words: "content" | "parts" | "message" | "think_tags";
  /** Where calls are: by themselves, or left in the text as the model wrote them. */
  readonly calls: "apart" | "tagged" | "bracketed" | "bare" | "fenced";
}

export const GOOD_MANNERS: ChatManners = {
  index: "counted",
  id: "once",
  arguments: "streamed",
  finish: "right",
  usage: "last_chunk",
  name: "whole",
  chunks: "one_by_one",
  words: "content",
  calls: "apart",
};

/** A server with OpenAI's Chat Completions, like llama.cpp, LM Studio and vLLM. It accepts only its own key. */
export function createFakeChat(given: Partial<ChatManners> = {}, ownKey?: string): FakeWire {
  const manners = { ...GOOD_MANNERS, ...given };
  const cache = createPrefixCache();
  let count = 0;

  return {
    path: "/v1/chat/completions",
    contentType: "text/event-stream",
    faults: chatFaults,
    complain({ headers, body }) {
      const { authorization } = headers;
      if (ownKey !== undefined && authorization !== `Bearer ${ownKey}`) return chatFaults.wrong_key;
      const isLeak = ownKey === undefined && authorization !== undefined;
      const leaked = isLeak ? ["a local server was sent a key"] : [];
      const [problem] = [...leaked, ...findProblems(body)];
      return problem === undefined ? undefined : chatFault(400, "BadRequestError", problem);
    },
    frames(answer, { body }) {
      const calls = answer.parts.filter((part) => part.kind === "tool_call");
      const words = answer.parts.flatMap((part) =>
        part.kind === "tool_call" ? [] : wordsOf(part, answer.stop === "refusal", manners),
      );
      const fragments = calls.flatMap((call, at) => fragmentsOf(call, at, (count += 1), manners));
      const spoken = piecesOf(spokenOf(calls, manners, words.length > 0)).map((content) => ({ content }));
      const deltas =
        manners.calls === "apart" ? [...words, ...inChunks(fragments, manners)] : [...words, ...spoken];
      const parts = [body["tools"], ...objectsIn(body["messages"])];
      const use = cache.use(
        parts.map((part) => ({ text: JSON.stringify(part ?? null), isBreakpoint: true })),
      );
      const usage = {
        prompt_tokens: use.total,
        completion_tokens: countTokens(deltas),
        prompt_tokens_details: { cached_tokens: use.read },
      };
      return toFrames(answer, deltas, manners, usage);
    },
    errorFrame(name) {
      const fault = name in chatFaults ? chatFaults[name as keyof typeof chatFaults] : undefined;
      return fault === undefined ? undefined : frame(fault.body);
    },
  };
}

const chunk = (delta: Json, finish_reason: string | null = null, field = "delta"): string =>
  frame({
    id: "chatcmpl_fake",
    object: "chat.completion.chunk",
    choices: [{ index: 0, [field]: delta, finish_reason }],
  });

function toFrames(
  answer: ScriptedAnswer,
  deltas: readonly Json[],
  manners: ChatManners,
  usage: Json,
): AnswerFrames {
  const last = { id: "chatcmpl_fake", object: "chat.completion.chunk", choices: [], usage };
  return {
    before: [": a comment keeps the connection open\n\n", chunk({ role: "assistant", content: "" })],
    output: manners.words === "message" ? [wholeOf(deltas)] : deltas.map((delta) => chunk(delta)),
    after: [
      ...(manners.finish === "missing" ? [] : [chunk({}, finishOf(answer, manners))]),
      ...(manners.usage === "missing" ? [] : [frame(last)]),
      "data: [DONE]\n\n",
    ],
  };
}

function finishOf({ parts, stop }: ScriptedAnswer, { finish }: ChatManners): string {
  if (stop === "max_tokens") return "length";
  if (stop === "content_filter") return stop;
  const hasCalls = parts.some(({ kind }) => kind === "tool_call");
  return hasCalls === (finish === "right") ? "tool_calls" : "stop";
}

/** From a server that does not stream its answer. */
function wholeOf(deltas: readonly Json[]): string {
  const join = (field: string): string => deltas.map((delta) => asWords(delta[field])).join("");
  const tool_calls = deltas.flatMap((delta) => objectsIn(delta["tool_calls"]));
  const said = { content: join("content"), reasoning_content: join("reasoning_content") };
  const refusal = join("refusal");
  return chunk({ role: "assistant", ...said, refusal: refusal || null, tool_calls }, null, "message");
}

/** Calls as models write them. */
function spokenOf(
  calls: readonly Extract<ScriptedPart, { kind: "tool_call" }>[],
  { calls: manner }: ChatManners,
  hasWords: boolean,
): string {
  if (calls.length === 0) return "";
  const written = calls.map(({ name, input }) => ({ name, arguments: input }));
  const [first] = calls;
  const bare = JSON.stringify({ name: first?.name, parameters: first?.input });
  switch (manner) {
    case "tagged": {
      const tagged = written.map((call) => `<tool_call>\n${JSON.stringify(call)}\n</tool_call>`);
      return `${hasWords ? "\n" : ""}${tagged.join("\n")}`;
    }
    case "bracketed":
      return `${hasWords ? "\n" : ""}[TOOL_CALLS] ${JSON.stringify(written)}`;
    case "fenced":
      return `\`\`\`json\n${bare}\n\`\`\``;
    default:
      return bare;
  }
}

const asWords = (value: unknown): string => (typeof value === "string" ? value : "");

function wordsOf(
  part: Exclude<ScriptedPart, { kind: "tool_call" }>,
  isRefused: boolean,
  { words }: ChatManners,
): readonly Json[] {
  if (part.kind === "reasoning") {
    if (part.hidden === true) return [];
    if (words !== "think_tags") return piecesOf(part.text).map((text) => ({ reasoning_content: text }));
    return piecesOf(`<think>\n${part.text}</think>\n\n`).map((content) => ({ content }));
  }
  if (isRefused) return piecesOf(part.text).map((refusal) => ({ refusal }));
  return piecesOf(part.text).map((text) => ({
    content: words === "parts" ? [{ type: "text", text }] : text,
  }));
}

function fragmentsOf(
  call: Extract<ScriptedPart, { kind: "tool_call" }>,
  at: number,
  number: number,
  manners: ChatManners,
): readonly Json[] {
  const json = call.json ?? JSON.stringify(call.input);
  const isWhole = manners.arguments === "whole" || manners.arguments === "repeated";
  const streamed = manners.arguments === "object" ? [call.json ?? call.input] : ["", ...piecesOf(json)];
  const [first, ...rest]: readonly unknown[] = isWhole ? [json] : streamed;
  const names = manners.name === "pieces" ? (call.name.match(/.{1,4}/g) ?? []) : [call.name];
  const heads = names.map((name, n) => ({ name, arguments: n === names.length - 1 ? first : "" }));
  const isNamed = manners.id === "changing";
  const tails = rest.map((piece) => (isNamed ? { name: call.name, arguments: piece } : { arguments: piece }));
  const fragments = [...heads, ...tails].map((called, n): Json => {
    const id = n === 0 || manners.id === "changing" ? idOf(call.id, number, n, manners) : {};
    return Object.assign({ type: "function", function: called }, indexOf(at, manners), id);
  });
  return manners.arguments === "repeated" ? [...fragments, ...fragments] : fragments;
}

function inChunks(fragments: readonly Json[], { chunks }: ChatManners): readonly Json[] {
  if (chunks === "one_by_one") return fragments.map((fragment) => ({ tool_calls: [fragment] }));
  return fragments.length === 0 ? [] : [{ tool_calls: fragments }];
}

function indexOf(at: number, { index }: ChatManners): Json {
  return index === "missing" ? {} : { index: index === "zero" ? 0 : at };
}

function idOf(given: string | undefined, number: number, n: number, { id }: ChatManners): Json {
  if (given !== undefined) return { id: given };
  if (id === "missing") return {};
  if (id === "always_the_same") return { id: "call_0" };
  return { id: id === "changing" ? `chatcmpl-tool-${number}-${n}` : `chatcmpl-tool-${number}` };
}

/** `{error: {message, type, param, code}}`, where vLLM puts the status into `code`. */
function chatFault(status: number, type: string, message: string): StatusFault {
  return { status, body: { error: { message, type, param: null, code: status } } };
}

const chatFaults = {
  wrong_key: { status: 401, body: { error: "Unauthorized" } },
  unknown_model: chatFault(404, "NotFoundError", "The model `unknown` does not exist."),
  rate_limited: chatFault(429, "rate_limit", "Too many requests."),
  overloaded: chatFault(503, "unavailable_error", "Loading model"),
  server_error: chatFault(500, "server_error", "Compute error."),
  context_overflow: chatFault(
    400,
    "BadRequestError",
    "This model's maximum context length is 4096 tokens. However, you requested 5120 tokens.",
  ),
  output_limit: chatFault(
    400,
    "BadRequestError",
    "'max_tokens' or 'max_completion_tokens' is too large: 1000. This model's maximum context length is 800 tokens and your request has 160 input tokens (1000 > 800 - 160).",
  ),
  bad_request: chatFault(
    400,
    "BadRequestError",
    '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
  ),
} as const satisfies Partial<Record<FaultName, StatusFault>>;
