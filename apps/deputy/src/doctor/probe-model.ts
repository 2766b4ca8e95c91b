import { CodedError } from "@deputy/kit";
import type { AssistantPart, Model, ModelMessage, ModelRequest } from "@deputy/model";

export type ProbeOutcome =
  /** `sees`: whether it can see pictures, if that was tried. */
  | { readonly kind: "works"; readonly sees?: boolean }
  /** It answers, but does not call tools, so Deputy cannot use it. */
  | { readonly kind: "calls_nothing" }
  /** It calls tools, but when it is asked for a program, it writes none. */
  | { readonly kind: "no_programs" }
  | {
      readonly kind: "failed";
      readonly message: string;
      readonly code?: string | undefined;
      readonly hint?: string;
    };

const WORD = "heliotrope";
const MAX_OUTPUT_TOKENS = 2_000;
const TOOL = {
  name: "run_code",
  description: "Runs a TypeScript program; what it returns with `return` is the result.",
  inputSchema: {
    type: "object",
    properties: { code: { type: "string", description: "The program" } },
    required: ["code"],
    additionalProperties: false,
  },
};

/** What to tell the user about a model that answers, but is no use for Deputy as it is set. */
export function probeProblem(
  kind: "calls_nothing" | "no_programs",
  model: string,
): { readonly message: string; readonly hint: string } {
  if (kind === "calls_nothing")
    return {
      message: `${model} answers, but does not call tools, so Deputy cannot use it.`,
      hint: "Nothing was changed. Choose another model.",
    };
  return {
    message: `${model} calls tools, but does not write programs when asked, so it cannot do code mode.`,
    hint: "Nothing was changed. Choose another model, or have it use one tool at a time: set `agent.mode` to `functions`, on the page under All settings or with `deputy config set agent.mode functions`, and connect it again.",
  };
}

/** Asks for one program and answers it, as Deputy needs. Rejects with the signal's reason. */
export async function probeModel(model: Model, signal: AbortSignal): Promise<ProbeOutcome> {
  const text = `Call ${TOOL.name} with a program that returns the word “${WORD}”. Nothing else.`;
  const ask: ModelMessage = { role: "user", text };
  try {
    const first = await read(model, [ask], signal);
    const call = first.parts.find((part) => part.kind === "tool_call");
    if (call === undefined) return { kind: "calls_nothing" };
    if (call.name !== TOOL.name || !isProgram(call.inputJson)) return { kind: "no_programs" };
    const result: ModelMessage = {
      role: "tool",
      results: [{ callId: call.id, text: `Result: "${WORD}"`, isError: false }],
    };
    await read(model, [ask, { role: "assistant", parts: first.parts }, result], signal);
    return { kind: "works" };
  } catch (error) {
    if (signal.aborted || !(error instanceof CodedError)) throw error;
    return {
      kind: "failed",
      message: error.message,
      code: error.code,
      ...(error.hint === undefined ? {} : { hint: error.hint }),
    };
  }
}

function isProgram(inputJson: string): boolean {
  try {
    const { code } = JSON.parse(inputJson) as { readonly code?: unknown };
    return typeof code === "string" && code.includes(WORD) && !code.includes("```");
  } catch {
    return false;
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
  return { parts: [...parts.filter(({ kind }) => kind === "reasoning"), ...said, ...calls] };
}
