import { createIdSource, createSystemClock } from "@deputy/kit";
import { expect, test } from "vitest";
import { askFor, parseApproval, parseSome } from "./answer/parse-approval.ts";
import { createApprover } from "./approver.ts";

const ids = createIdSource({ clock: createSystemClock() });
const calls = Array.from({ length: 6 }, () => ids.next("call"));
const some = (...numbers: number[]) => numbers.map((n) => calls[n - 1]);

test.each([
  ["1", some(1)],
  ["1,3-5", some(1, 3, 4, 5)],
  [" 2 , 4 - 6 ", some(2, 4, 5, 6)],
  ["1-6", some(1, 2, 3, 4, 5, 6)],
  ["2,2,1-2", some(2, 1)],
])("of a plan, %j approves those calls", (line, named) => {
  expect(parseSome(line, calls)).toEqual({ decision: "approved", calls: named });
});

test("the rest of the line is the reason for the others", () => {
  expect(parseSome("1 keep the rest", calls)).toEqual({
    decision: "approved",
    calls: some(1),
    reason: "keep the rest",
  });
});

test.each(["", "y", "n no", "0", "7", "5-9", "3-1", "1,", "-1", "1;2", "99999999999999999999"])(
  "%j is no choice among six calls",
  (line) => {
    expect(parseSome(line, calls)).toBeUndefined();
  },
);

const request = {
  type: "approval_request" as const,
  id: calls[0]!,
  toolPath: "mail.send",
  input: {},
  preview: { title: "Send it" },
};

test.each([
  ["y", { decision: "approved" }],
  ["S", { decision: "approved", scope: "session" }],
  ["sa", { decision: "approved", scope: "session-any" }],
  ["o", { decision: "approved", scope: "once" }],
  ["no not now", { decision: "denied", reason: "not now" }],
  ['a {"size":"xl"}', { decision: "approved", scope: "once", result: { value: { size: "xl" } } }],
])("%j answers a question", (line, answer) => {
  expect(parseApproval(line, request)).toEqual(answer);
});

test("whatever the values is offered where the card does", () => {
  const card = { title: "Send it", groups: [], why: [] };
  expect(askFor({ ...request, card })).toBe("Approve? [y]es, [n]o, [d]etails:");
  expect(askFor({ ...request, card: { ...card, scopes: ["once", "session", "session-any"] } })).toBe(
    "Approve? [y]es, [n]o, [s] this tool for this conversation, [sa] … whatever the values, [d]etails:",
  );
  expect(askFor({ ...request, card: { ...card, scopes: ["once", "session"], sameOnly: true } })).toBe(
    "Approve? [y]es, [n]o, [s] the very same for this conversation, [d]etails:",
  );
});

test("where a tool asks once, the prompt says what yes means, and offers less", () => {
  const card = { title: "Send it", groups: [], why: [], scopes: ["once", "session"] as ["once", "session"] };
  expect(askFor({ ...request, card: { ...card, scope: "session" } })).toBe(
    "Approve? [y]es, for this conversation, [n]o, [o]nce, [s] this tool for this conversation, [d]etails:",
  );
  expect(parseApproval("o", request)).toEqual({ decision: "approved", scope: "once" });
});

test("d shows all of the question, which stays open", async () => {
  const body = Array.from({ length: 120 }, (_, n) => (n === 60 ? "PS: hunter2" : `line ${n}`)).join("\n");
  const [notes, lines]: [string[], string[]] = [[], ["d", "n"]];
  const reader = { next: async () => lines.shift(), [Symbol.dispose]: () => undefined };
  const approver = createApprover("ask", reader, { note: (text) => void notes.push(text) });
  const answer = await approver.answer({ ...request, input: { body } }, new AbortController().signal);
  expect(answer).toEqual({ decision: "denied" });
  expect(notes).toHaveLength(1);
  expect(notes[0]).toContain("│ PS: hunter2");
});

test.each(["yes please send it to Bob instead", "session 4", "1", "send it", "", "a", "a size xl"])(
  "%j does not: a sentence is no answer",
  (line) => {
    expect(parseApproval(line, request)).toBeUndefined();
  },
);

test("what is shown after a question that was answered elsewhere begins in a line of its own", async () => {
  const shown: string[] = [];
  const answeredElsewhere = new Error("answered elsewhere");
  const reader = { next: async () => await Promise.reject(answeredElsewhere), [Symbol.dispose]: () => {} };
  const output = { note: (line: string) => void shown.push(line), width: 80 };
  const approver = createApprover("ask", reader, output);
  await expect(approver.answer(request, new AbortController().signal)).rejects.toBe(answeredElsewhere);
  expect(shown).toEqual([""]);
});

test("--approve all says no to what needs more than a yes", async () => {
  const reader = { next: async () => undefined, [Symbol.dispose]: () => undefined };
  const approver = createApprover("all", reader, { note: () => undefined });
  const { signal } = new AbortController();
  expect(await approver.answer(request, signal)).toEqual({ decision: "approved" });
  expect(await approver.answer(request, signal, "result: size is missing")).toEqual({
    decision: "denied",
    reason: "It needs more than the yes of --approve all. result: size is missing",
  });
});

test("values that are asked for are typed one after the other, also where a yes says too little", async () => {
  const schema = {
    type: "object",
    properties: { size: { type: "string", enum: ["m", "xl"] }, count: { type: "integer" } },
    required: ["size"],
  };
  const form = { schema, proposed: { count: 1 } };
  expect(askFor({ ...request, form })).toBe("Answer? [f]ill it in, [n]o, [d]etails:");
  expect(askFor({ ...request, form: { schema, proposed: { size: "m" } } })).toBe(
    "Answer? [f]ill it in, [y]es to what is proposed, [n]o, [d]etails:",
  );
  const [notes, prompts, lines]: [string[], string[], string[]] = [[], [], ["y", "", "2", "", "y"]];
  const reader = {
    async next(prompt: string) {
      prompts.push(prompt);
      return lines.shift();
    },
    [Symbol.dispose]: () => undefined,
  };
  const approver = createApprover("ask", reader, { note: (text) => void notes.push(text) });
  expect(await approver.answer({ ...request, form }, new AbortController().signal)).toEqual({
    decision: "approved",
    scope: "once",
    result: { value: { size: "xl" } },
  });
  expect(prompts.slice(1)).toEqual([
    "  “size” (/back, /no declines): ",
    "  “size” (/back, /no declines): ",
    "  “count” (Enter keeps 1, /back, /no declines): ",
    "  Send it? [y]es, [n]o, or the number of a value to change it: ",
  ]);
  expect(notes[1]).toBe("  It must be given.");
  expect(notes.at(-1)).toContain('│ 1. size: "xl"\n  │ 2. count: 1');
});
