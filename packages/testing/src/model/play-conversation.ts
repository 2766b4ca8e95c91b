import type { AssistantPart, Model, ModelEvent, ModelMessage, ModelTool, StopReason } from "@deputy/model";
import { expect } from "vitest";
import type { FakeModelServer } from "./fake/fake-model-server.ts";
import type { ScriptedAnswer } from "./fake/scripted-answer.ts";
import type { ScriptedConversation } from "./scripted-conversations.ts";

export const RUN_CODE: ModelTool = {
  name: "run_code",
  description: "Runs a program",
  inputSchema: { type: "object", properties: { code: { type: "string" } }, required: ["code"] },
};

export const live = new AbortController().signal;

export const SYSTEM_PROMPT = "You are Deputy.";

export function askWith(
  model: Model,
  messages: readonly ModelMessage[],
  options: { readonly system?: string; readonly signal?: AbortSignal } = {},
): AsyncIterable<ModelEvent> {
  const { system = SYSTEM_PROMPT, signal = live } = options;
  return model.stream({ system, messages, tools: [RUN_CODE], maxOutputTokens: 1_000 }, signal);
}

/** Asks turn by turn, keeping the conversation as an agent would, and checks every answer. */
export async function playConversation(
  model: Model,
  fake: FakeModelServer,
  conversation: ScriptedConversation,
  traits: { readonly stops: readonly StopReason[]; readonly sectionBreak: string },
): Promise<readonly ModelMessage[]> {
  const messages: ModelMessage[] = [];
  for (const { user, results = [], answer } of conversation.turns) {
    if (user !== undefined) messages.push({ role: "user", text: user });
    else messages.push({ role: "tool", results: pair(callIdsIn(messages.at(-1)), results) });
    fake.play({ kind: "answer", answer });
    const events = await Array.fromAsync(askWith(model, messages));
    expect(summarise(events)).toEqual(expected(answer, traits));
    messages.push({ role: "assistant", parts: toParts(events) });
  }
  return messages;
}

/** An answer as the log keeps it: reasoning, then text, then calls. */
export function toParts(events: readonly ModelEvent[]): readonly AssistantPart[] {
  const [text, reasoning] = [wordsIn(events, "text"), wordsIn(events, "reasoning")];
  const opaque = events.find((event) => event.kind === "reasoning_done")?.opaque;
  const thought = opaque === undefined ? { text: reasoning } : { text: reasoning, opaque };
  const calls = events.flatMap((event) => (event.kind === "tool_call" ? [event] : []));
  return [
    ...(reasoning !== "" || opaque !== undefined ? [{ kind: "reasoning", ...thought } as const] : []),
    ...(text === "" ? [] : [{ kind: "text", text } as const]),
    ...calls,
  ];
}

/** The result of an answer, for any chunking. */
export function summarise(events: readonly ModelEvent[]) {
  return {
    text: wordsIn(events, "text"),
    // Providers separate its sections in their own ways.
    reasoning: wordsIn(events, "reasoning").replaceAll(/\s+/g, " "),
    calls: events.flatMap((event) =>
      event.kind === "tool_call" ? [{ name: event.name, input: JSON.parse(event.inputJson) as unknown }] : [],
    ),
    stop: events.flatMap((event) => (event.kind === "stop" ? [event.reason] : [])),
  };
}

function wordsIn(events: readonly ModelEvent[], kind: "text" | "reasoning"): string {
  return events.map((event) => (event.kind === kind ? event.text : "")).join("");
}

function expected(
  { parts, stop }: ScriptedAnswer,
  { stops, sectionBreak }: { readonly stops: readonly StopReason[]; readonly sectionBreak: string },
): ReturnType<typeof summarise> {
  const join = (kind: "text" | "reasoning", between: string): string =>
    parts.flatMap((part) => (part.kind === kind && part.text !== "" ? [part.text] : [])).join(between);
  const calls = parts.flatMap((part) =>
    part.kind === "tool_call" ? [{ name: part.name, input: part.input }] : [],
  );
  const usual = calls.length > 0 ? "tool_calls" : "end";
  const reason = stop !== undefined && stops.includes(stop) ? stop : usual;
  return { text: join("text", ""), reasoning: join("reasoning", sectionBreak), calls, stop: [reason] };
}

function callIdsIn(message: ModelMessage | undefined): readonly string[] {
  if (message?.role !== "assistant") return [];
  return message.parts.flatMap((part) => (part.kind === "tool_call" ? [part.id] : []));
}

function pair(
  ids: readonly string[],
  results: readonly { readonly text: string; readonly isError?: boolean }[],
) {
  expect(ids).toHaveLength(results.length);
  return results.map(({ text, isError = false }, at) => ({ callId: ids[at] ?? "", text, isError }));
}
