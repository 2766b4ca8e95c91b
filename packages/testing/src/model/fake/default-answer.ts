import type { WireRequest } from "./fake-wire.ts";
import type { ScriptedStep } from "./scripted-answer.ts";

/** A program if the user sent one that has not run yet, otherwise a sentence: enough for the port's suite. */
export function answerByItself({ raw }: WireRequest): ScriptedStep {
  const wantsProgram = raw.includes("```ts") && !raw.includes("Result: ");
  return {
    kind: "answer",
    answer: {
      parts: wantsProgram
        ? [
            { kind: "text", text: "Running it." },
            { kind: "tool_call", name: "run_code", input: { code: "return 1;" } },
          ]
        : [{ kind: "text", text: "Good day." }],
    },
  };
}
