import type { ModelMessage, ToolResult } from "../model.ts";
import { parseJson } from "../wire/json.ts";

/** Where a play is: the last call that has a result, with that result. */
export interface PlayStep {
  readonly name: string;
  readonly result: ToolResult;
  /** How many programs there were so far. */
  readonly programs: number;
}

export function lastStep(messages: readonly ModelMessage[]): PlayStep | undefined {
  const calls = messages.flatMap((message) =>
    message.role === "assistant" ? message.parts.filter((part) => part.kind === "tool_call") : [],
  );
  const result = messages.flatMap((message) => (message.role === "tool" ? message.results : [])).at(-1);
  const call = calls.findLast(({ id }) => id === result?.callId);
  if (call === undefined || result === undefined) return undefined;
  return { name: call.name, result, programs: calls.filter(({ name }) => name === "run_code").length };
}

const RESULT = "Result: ";

/** A program's result, from the turn's report about it. Undefined if there is none. */
export function resultIn({ text, isError }: ToolResult): unknown {
  const [first = ""] = text.split("\n", 1);
  return isError || !first.startsWith(RESULT) ? undefined : parseJson(first.slice(RESULT.length));
}
