import { expect, test } from "vitest";
import type { AssistantPart, ModelEvent, ModelMessage } from "../model.ts";
import { createRehearsalModel } from "./rehearsal-model.ts";

const PROMPT = "Close all issues older than 90 days";
const DEMO = "(demo: the folder demo in Deputy's home, not GitHub)";
const FOUND = JSON.stringify([
  { path: "github.issues.close", description: `Close an issue ${DEMO}` },
  { path: "github.issues.list", description: `List the issues ${DEMO}` },
]);
const MISTAKE =
  "The program does not typecheck; nothing was run.\nline 5, column 36 (TS2365): Operator '<' cannot be applied to types 'string' and 'number'.";

interface Answer {
  readonly text: string;
  readonly call: (AssistantPart & { readonly kind: "tool_call" }) | undefined;
}

const offered = (...names: readonly string[]) =>
  names.map((name) => ({ name, description: "", inputSchema: {} }));
const ALL = offered("run_code", "search_tools", "describe_tools");

/** A new model for each answer, so that only the messages carry over. */
async function ask(messages: readonly ModelMessage[], tools = ALL): Promise<Answer> {
  const model = createRehearsalModel({ provider: "rehearsal", model: "tour" });
  const request = { system: "", messages, tools, maxOutputTokens: 100 };
  const events: ModelEvent[] = await Array.fromAsync(model.stream(request, new AbortController().signal));
  const text = events.flatMap((event) => (event.kind === "text" ? [event.text] : [])).join("");
  return { text, call: events.find((event) => event.kind === "tool_call") };
}

/** Plays with the given results, one after the other, and returns every answer. */
async function play(prompt: string, ...results: readonly (string | { readonly error: string })[]) {
  const messages: ModelMessage[] = [{ role: "user", text: prompt }];
  const answers = [await ask(messages)];
  for (const result of results) {
    const { text, call } = answers.at(-1) ?? { text: "", call: undefined };
    if (call === undefined) throw new Error(`It has ended: ${text}`);
    const said = text === "" ? [] : [{ kind: "text" as const, text }];
    const outcome =
      typeof result === "string" ? { text: result, isError: false } : { text: result.error, isError: true };
    messages.push(
      { role: "assistant", parts: [...said, call] },
      { role: "tool", results: [{ callId: call.id, ...outcome }] },
    );
    answers.push(await ask(messages));
  }
  return { messages, answers, last: answers.at(-1) ?? { text: "", call: undefined } };
}

const result = (value: unknown): string =>
  `Result: ${JSON.stringify(value)}\nCalls:\n  1. github.issues.list succeeded (1 ms)`;
const codeOf = (answer: Answer): string =>
  (JSON.parse(answer.call?.inputJson ?? "{}") as { code?: string }).code ?? "";

test("[MR2] searches, describes, makes a mistake, fixes it and sums up", async () => {
  const done = result({ open: 7, closed: [{ number: 1, title: "Old" }], kept: [] });
  const { answers } = await play(PROMPT, FOUND, "declare const tools: …", { error: MISTAKE }, done);
  expect(answers.map(({ call }) => call?.name)).toEqual([
    "search_tools",
    "describe_tools",
    "run_code",
    "run_code",
    undefined,
  ]);
  const [draft, mended] = answers.slice(2).map(codeOf);
  expect(draft).toContain("issue.createdAt < cutoff");
  expect(mended).toBe(draft?.replace("issue.createdAt <", "Date.parse(issue.createdAt) <"));
  expect(answers[3]?.text).toContain("line 5, column 36 (TS2365)");
  const ids = answers.flatMap(({ call }) => (call === undefined ? [] : [call.id]));
  expect(new Set(ids).size).toBe(ids.length);
});

test("[MR2] gives the same answer to the same messages", async () => {
  const { messages, last } = await play(PROMPT, FOUND, "…", { error: MISTAKE });
  expect(await ask(messages)).toEqual(last);
});

test("[MR2] plays a second request in the same conversation from its start", async () => {
  const done = result({ open: 1, closed: [], kept: [] });
  const { messages, last } = await play(PROMPT, FOUND, "…", { error: MISTAKE }, done);
  const again = await ask([
    ...messages,
    { role: "assistant", parts: [{ kind: "text", text: last.text }] },
    { role: "user", text: PROMPT },
  ]);
  expect(again.call?.name).toBe("search_tools");
});

test("[MR1] says what it is, and what it assumes", async () => {
  const { text } = (await play(PROMPT)).last;
  expect(text).toContain("I am the rehearsal model: not a language model");
  expect(text).toContain("so I take acme/website");
  expect(text).not.toContain("You named no age");
  expect((await play("Close stale issues on acme/website")).last.text).toContain("so I take 90 days");
});

test("[MR1] the program uses the repository, the age and the time from the request", async () => {
  const { last } = await play("On Acme/Shop, close issues not touched for 2 weeks", FOUND, "…");
  expect(codeOf(last)).toContain('{ owner: "Acme", repo: "Shop" }');
  expect(codeOf(last)).toContain("Date.now() - 14 * 24");
  expect(codeOf(last)).toContain("issue.updatedAt < cutoff");
});

test.each([
  ["none at all", "[]"],
  ["one of the two", JSON.stringify(JSON.parse(FOUND).slice(1))],
  ["tools of the user", FOUND.replaceAll(DEMO, "")],
  ["something else", "no JSON"],
])("[MR3] plays nothing if the search finds %s", async (_what, found) => {
  const { last } = await play(PROMPT, found);
  expect(last.call).toBeUndefined();
  expect(last.text).toContain("only on the built-in demo tracker");
  expect(last.text).toContain("DEPUTY_MODEL");
});

test("[MR3] plays nothing if the search fails", async () => {
  expect((await play(PROMPT, { error: FOUND })).last.call).toBeUndefined();
});

test.each([
  [
    "an unexpected diagnostic",
    "The program does not typecheck; nothing was run.\nline 1, column 1 (TS2304): No.",
  ],
  ["a failure", "It failed at line 4: The demo tracker has no repository a/b (tool_failed)"],
])("[MR4] reports %s unchanged", async (_what, error) => {
  const { last } = await play(PROMPT, FOUND, "…", { error });
  expect(last.call).toBeUndefined();
  expect(last.text).toContain(`The program did not finish.\n\n${error}`);
});

test("[MR4] fixes the expected diagnostic once, not forever", async () => {
  const { last } = await play(PROMPT, FOUND, "…", { error: MISTAKE }, { error: MISTAKE });
  expect(last.call).toBeUndefined();
  expect(last.text).toContain("The program did not finish.");
});

const sumUp = async (value: unknown, prompt = PROMPT): Promise<string> =>
  (await play(prompt, FOUND, "…", { error: MISTAKE }, result(value))).last.text;

test("[MR5] the summary names what was closed, and what was left open and why", async () => {
  const closed = [
    { number: 1, title: "One" },
    { number: 3, title: "Three" },
  ];
  const kept = [{ number: 2, title: "Two", why: "The user said no." }];
  expect(await sumUp({ open: 7, closed, kept })).toMatch(
    /^acme\/website had 7 open issues; 3 are older than 90 days\.\nClosed 2:\n- #1 One\n- #3 Three\nLeft open 1:\n- #2 Two: The user said no\.\n\nThat was the rehearsal/,
  );
});

test("[MR5] has its own words for nothing to close, one issue, and staleness", async () => {
  expect(await sumUp({ open: 1, closed: [], kept: [] })).toMatch(
    /^acme\/website had 1 open issue; none is older than 90 days\.\nNothing was closed\.\n/,
  );
  const one = { open: 2, closed: [{ number: 1, title: "One" }], kept: [] };
  expect(await sumUp(one, "close issues with no activity in 1 day")).toContain(
    "1 is untouched for more than 1 day.",
  );
});

test("[MR5] shows a result of another shape without summing it up", async () => {
  expect(await sumUp({ other: 1 })).toContain('The program ran to its end.\n\nResult: {"other":1}');
});

test("[MR6] a message during a program: reports the outcome first, then answers", async () => {
  const done = result({ open: 7, closed: [{ number: 1, title: "One" }], kept: [] });
  const { messages } = await play(PROMPT, FOUND, "…", { error: MISTAKE }, done);
  const { text, call } = await ask([...messages, { role: "user", text: "Thank you" }]);
  expect(call).toBeUndefined();
  expect(text).toMatch(/Closed 1:\n- #1 One[\s\S]*I cannot understand this request/);
});

test("[MR6] a message in the middle of the play: continues with the latest request", async () => {
  const { messages } = await play(PROMPT, FOUND);
  const { text, call } = await ask([...messages, { role: "user", text: "Wait" }]);
  expect(call).toBeUndefined();
  expect(text).toMatch(/^I am the rehearsal model: no language model is connected/);
});

test.each([
  ["a program", "```ts\nreturn 1;\n```"],
  ["the example", PROMPT],
])("[MR7] says that it cannot do %s without run_code", async (_what, text) => {
  const answer = await ask([{ role: "user", text }], offered("search_tools", "describe_tools"));
  expect(answer.call).toBeUndefined();
  expect(answer.text).toContain("I act only by programs");
});
