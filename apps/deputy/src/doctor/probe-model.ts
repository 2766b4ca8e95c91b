import { CodedError } from "@deputy/kit";
import type { AssistantPart, Model, ModelMessage, ModelRequest } from "@deputy/model";

export type ProbeOutcome =
  | { readonly kind: "works" }
  /** It answers, but does not call tools, so Deputy cannot use it. */
  | { readonly kind: "calls_nothing"; readonly said: string }
  | { readonly kind: "failed"; readonly message: string; readonly hint?: string };

const WORD = "heliotrope";
const MAX_OUTPUT_TOKENS = 2_000;
const SHOWN_CHARS = 200;
const TOOL = {
  name: "note_word",
  description: "Notes one word.",
  inputSchema: {
    type: "object",
    properties: { word: { type: "string" } },
    required: ["word"],
    additionalProperties: false,
  },
};

/** Asks for one call and answers it, as Deputy needs. Rejects with the signal's reason. */
export async function probeModel(model: Model, signal: AbortSignal): Promise<ProbeOutcome> {
  const ask: ModelMessage = { role: "user", text: `Call note_word with the word “${WORD}”. Nothing else.` };
  try {
    const first = await read(model, [ask], signal);
    const call = first.parts.find((part) => part.kind === "tool_call");
    if (call?.name !== TOOL.name || !call.inputJson.includes(WORD))
      return { kind: "calls_nothing", said: first.text.slice(0, SHOWN_CHARS) };
    const result: ModelMessage = {
      role: "tool",
      results: [{ callId: call.id, text: '"noted"', isError: false }],
    };
    await read(model, [ask, { role: "assistant", parts: first.parts }, result], signal);
    return { kind: "works" };
  } catch (error) {
    if (signal.aborted || !(error instanceof CodedError)) throw error;
    return {
      kind: "failed",
      message: error.message,
      ...(error.hint === undefined ? {} : { hint: error.hint }),
    };
  }
}

async function read(model: Model, messages: readonly ModelMessage[], signal: AbortSignal) {
  const request: ModelRequest = {
    system: "You are being tried out. Do exactly what you are asked.",
    messages,
    tools: [TOOL],
    maxOutputTokens: MAX_OUTPUT_TOKENS,
  };
  const parts: AssistantPart[] = [];
  let text = "";
  let reasoning = "";
  for await (const event of model.stream(request, signal)) {
    if (event.kind === "text") text += event.text;
    if (event.kind === "reasoning") reasoning += event.text;
    if (event.kind === "reasoning_done")
      parts.push({ kind: "reasoning", text: reasoning, opaque: event.opaque });
    if (event.kind === "tool_call") {
      const { id, name, inputJson } = event;
      parts.push({ kind: "tool_call", id, name, inputJson });
    }
  }
  const said: AssistantPart[] = text === "" ? [] : [{ kind: "text", text }];
  const calls = parts.filter(({ kind }) => kind === "tool_call");
  return { text, parts: [...parts.filter(({ kind }) => kind === "reasoning"), ...said, ...calls] };
}
