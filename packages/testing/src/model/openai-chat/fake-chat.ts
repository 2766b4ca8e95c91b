import {
  type AnswerFrames,
  countTokens,
  type FakeWire,
  frame,
  type Json,
  objectsIn,
  piecesOf,
} from "../fake/fake-wire.ts";
import { createPrefixCache } from "../fake/prefix-cache.ts";
import type { ScriptedAnswer, ScriptedPart } from "../fake/scripted-answer.ts";
import { chatFault, chatFaults } from "./chat-faults.ts";
import { findProblems } from "./chat-rules.ts";

/** How a server streams its calls; real ones differ in exactly these ways. */
export interface ChatManners {
  readonly index: "counted" | "zero" | "missing";
  readonly id: "once" | "missing" | "changing" | "always_the_same";
  readonly arguments: "streamed" | "whole" | "object" | "repeated";
  /** What stands at the end of an answer with calls, and of one without. */
  readonly finish: "right" | "wrong" | "missing";
  readonly usage: "last_chunk" | "missing";
}

export const GOOD_MANNERS: ChatManners = {
  index: "counted",
  id: "once",
  arguments: "streamed",
  finish: "right",
  usage: "last_chunk",
};

/** A server with OpenAI's Chat Completions, as llama.cpp, LM Studio and vLLM are. It wants no key. */
export function createFakeChat(manners: ChatManners = GOOD_MANNERS): FakeWire {
  const cache = createPrefixCache();
  let count = 0;

  return {
    path: "/v1/chat/completions",
    contentType: "text/event-stream",
    faults: chatFaults,
    complain({ headers, body }) {
      const leaked = headers.authorization === undefined ? [] : ["a local server was sent a key"];
      const [problem] = [...leaked, ...findProblems(body)];
      return problem === undefined ? undefined : chatFault(400, "BadRequestError", problem);
    },
    frames(answer, { body }) {
      const calls = answer.parts.filter((part) => part.kind === "tool_call");
      const deltas = [
        ...answer.parts.flatMap((part) =>
          part.kind === "tool_call" ? [] : wordsOf(part, answer.stop === "refusal"),
        ),
        ...calls.flatMap((call, at) => fragmentsOf(call, at, (count += 1), manners)),
      ];
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

const chunk = (delta: Json, finish_reason: string | null = null): string =>
  frame({
    id: "chatcmpl_fake",
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, finish_reason }],
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
    output: deltas.map((delta) => chunk(delta)),
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

function wordsOf(part: Exclude<ScriptedPart, { kind: "tool_call" }>, isRefused: boolean): readonly Json[] {
  if (part.kind === "reasoning" && part.hidden === true) return [];
  const field = part.kind === "reasoning" ? "reasoning_content" : isRefused ? "refusal" : "content";
  return piecesOf(part.text).map((text) => ({ [field]: text }));
}

function fragmentsOf(
  call: Extract<ScriptedPart, { kind: "tool_call" }>,
  at: number,
  number: number,
  manners: ChatManners,
): readonly Json[] {
  const json = JSON.stringify(call.input);
  const pieces: readonly unknown[] =
    manners.arguments === "whole" || manners.arguments === "repeated"
      ? [json]
      : manners.arguments === "object"
        ? [call.input]
        : ["", ...piecesOf(json)];
  const fragments = pieces.map((piece, n): Json => {
    const isNamed = n === 0 || manners.id === "changing";
    const called = isNamed ? { name: call.name, arguments: piece } : { arguments: piece };
    const id = isNamed ? idOf(number, n, manners) : {};
    return Object.assign({ type: "function", function: called }, indexOf(at, manners), id);
  });
  const all = manners.arguments === "repeated" ? [...fragments, ...fragments] : fragments;
  return all.map((fragment) => ({ tool_calls: [fragment] }));
}

function indexOf(at: number, { index }: ChatManners): Json {
  return index === "missing" ? {} : { index: index === "zero" ? 0 : at };
}

function idOf(number: number, n: number, { id }: ChatManners): Json {
  if (id === "missing") return {};
  if (id === "always_the_same") return { id: "call_0" };
  return { id: id === "changing" ? `chatcmpl-tool-${number}-${n}` : `chatcmpl-tool-${number}` };
}
