import type { ScriptedAnswer } from "./fake/scripted-answer.ts";

/** A conversation that every wire must carry; results answer the calls of the answer before, in order. */
export interface ScriptedConversation {
  readonly name: string;
  readonly turns: readonly ScriptedTurn[];
}

export interface ScriptedTurn {
  readonly user?: string;
  readonly results?: readonly { readonly text: string; readonly isError?: boolean }[];
  readonly answer: ScriptedAnswer;
}

const text = (words: string) => ({ kind: "text", text: words }) as const;
const think = (words: string) => ({ kind: "reasoning", text: words }) as const;
const hidden = { kind: "reasoning", text: "", hidden: true } as const;
const call = (input: Readonly<Record<string, unknown>>) =>
  ({ kind: "tool_call", name: "run_code", input }) as const;

/** Characters of one to four bytes, and those that JSON, SSE and JavaScript treat specially. */
const ODD_TEXT =
  'Grüße, 世界 👩‍👩‍👧 é\u2028 "quoted" \\ back\\slash\ttab\ndata: [DONE]\n\nevent: error\u0000 end';

export const scriptedConversations: readonly ScriptedConversation[] = [
  {
    name: "words of every kind, and an answer to them",
    turns: [
      { user: "Hello", answer: { parts: [text(ODD_TEXT)] } },
      { user: ODD_TEXT, answer: { parts: [text("Thank you.")] } },
    ],
  },
  {
    name: "reasoning, a program, its result, reasoning again",
    turns: [
      { user: "What is 1?", answer: { parts: [think("Let me see. 😀"), call({ code: "return 1;" })] } },
      {
        results: [{ text: "Result: 1" }],
        answer: { parts: [think("So."), text("It is "), call({ code: "return 2;" })] },
      },
      { results: [{ text: "Result: 2" }], answer: { parts: [text("One, or two.")] } },
      { user: "Thanks", answer: { parts: [think("Polite."), text("You are welcome.")] } },
    ],
  },
  {
    name: "two programs at once, of which one fails, after hidden reasoning",
    turns: [
      {
        user: "Do both",
        answer: {
          parts: [hidden, text("Both."), call({ code: ODD_TEXT, deep: [{ a: null }, 1.5] }), call({})],
        },
      },
      {
        results: [{ text: ODD_TEXT }, { text: "", isError: true }],
        answer: { parts: [text("One failed.")] },
      },
    ],
  },
  {
    name: "reasoning between words and a program",
    turns: [
      {
        user: "Go",
        answer: { parts: [think("First."), text("Right."), think("Then."), call({ code: "1" })] },
      },
      { results: [{ text: "Result: 1" }], answer: { parts: [text("Done.")] } },
    ],
  },
  {
    name: "an answer that is cut off, and a refusal",
    turns: [
      { user: "Tell me all", answer: { parts: [text("Once upon")], stop: "max_tokens" } },
      { user: "Something bad", answer: { parts: [text("I would rather not.")], stop: "refusal" } },
    ],
  },
];
