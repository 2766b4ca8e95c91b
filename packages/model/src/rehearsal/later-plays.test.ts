import { expect, test } from "vitest";
import type { AssistantPart, ModelEvent, ModelMessage } from "../model.ts";
import { createRehearsalModel } from "./rehearsal-model.ts";

const DEMO = "(demo: the folder demo in Deputy's home)";
const found = (...paths: readonly string[]) =>
  JSON.stringify(paths.map((path) => ({ path, description: `It does it ${DEMO}` })));
const METRICS = found("metrics.get_total");
const MAIL = found("mail.messages.get", "mail.messages.delete");
const GOAL = "check if my site has hit 10M visitors with PostHog and if it has let me know";
const SPAM = "check if it's spam and if it is delete it";
const QUIET = "NOTHING_TO_REPORT";

/** How Deputy's own task begins a run. */
const runOf = (prompt: string): string =>
  `${prompt}\n\n[Deputy: this is a task that runs without anybody watching. It is due: 2026-03-01T09:00:00.000Z. Your answer is sent to the user;\nif there is nothing that they wanted to be told, answer ${QUIET} and nothing else.\nIf what they asked for has come about and the task is over for good, call tools.tasks.finish.]`;
const REPORT = `[Not written by the user, came along with the next message, from hook demo-mailbox:]\n${JSON.stringify({ id: "m21", from: "a@b.example", subject: "{ You have won }" }, null, 2)}\n[The end of that.]`;
const result = (value: unknown): string =>
  `Result: ${JSON.stringify(value)}\nCalls:\n  1. x succeeded (1 ms)`;

interface Answer {
  readonly text: string;
  readonly call: (AssistantPart & { readonly kind: "tool_call" }) | undefined;
}

async function ask(messages: readonly ModelMessage[]): Promise<Answer> {
  const model = createRehearsalModel({ provider: "rehearsal", model: "tour" });
  const tools = ["run_code", "search_tools"].map((name) => ({ name, description: "", inputSchema: {} }));
  const request = { system: "", messages, tools, maxOutputTokens: 100 };
  const events: ModelEvent[] = await Array.fromAsync(model.stream(request, new AbortController().signal));
  const text = events.flatMap((event) => (event.kind === "text" ? [event.text] : [])).join("");
  return { text, call: events.find((event) => event.kind === "tool_call") };
}

/** Plays with the given results, after what was said, and returns the program and the last answer. */
async function play(said: readonly string[], ...results: readonly (string | { readonly error: string })[]) {
  const messages: ModelMessage[] = said.map((text) => ({ role: "user", text }));
  const answers = [await ask(messages)];
  for (const one of results) {
    const { text, call } = answers.at(-1) ?? { text: "", call: undefined };
    if (call === undefined) throw new Error(`It has ended: ${text}`);
    const outcome =
      typeof one === "string" ? { text: one, isError: false } : { text: one.error, isError: true };
    messages.push(
      { role: "assistant", parts: [...(text === "" ? [] : [{ kind: "text" as const, text }]), call] },
      { role: "tool", results: [{ callId: call.id, ...outcome }] },
    );
    answers.push(await ask(messages));
  }
  const codes = answers.map(({ call }) => (JSON.parse(call?.inputJson ?? "{}") as { code?: string }).code);
  return { answers, code: codes.findLast((code) => code !== undefined) ?? "", last: answers.at(-1)?.text };
}

test("[MR9] creates a task with the time and the remaining request, and reads back its next times", async () => {
  const made = {
    id: "tsk_1",
    runs: "every day at 09:00, Europe/Berlin",
    next: ["2026-03-02T08:00:00.000Z", "2026-03-03T08:00:00.000Z", "2026-03-29T07:00:00.000Z"],
  };
  const { answers, code, last } = await play([`Every day at 9am ${GOAL}`], METRICS, result(made));
  expect(answers[0]?.text).toMatch(/not a language model.*stand for PostHog/);
  expect(code).toContain(
    `tools.tasks.createRecurring(${JSON.stringify({ prompt: GOAL, schedule: "every day at 9am" })})`,
  );
  expect(last).toMatch(
    /^The task is set\. It runs every day at 09:00, Europe\/Berlin; the next times:\n- Mon,? 2 Mar 2026,? 09:00\n- Tue,? 3 Mar 2026,? 09:00\n- Sun,? 29 Mar 2026,? 09:00\n\nI stay silent until there are 10,000,000 visitors/,
  );
  expect(last).toContain("deputy tasks cancel tsk_1");
});

test("[MR9] does the same for a task that mail starts, and names an assumed time", async () => {
  const made = { id: "tsk_1", runs: "whenever demo-mailbox reports something", next: [] };
  const { code, last } = await play([`When I get an email, ${SPAM}`], MAIL, result(made));
  expect(code).toContain(
    `tools.tasks.createEventTrigger(${JSON.stringify({ prompt: SPAM, hook: "demo-mailbox" })})`,
  );
  expect(last).toContain("It runs whenever demo-mailbox reports something.\n");
  const [assumed] = (await play(["Let me know when my site hits 2 million visitors"])).answers;
  expect(assumed?.text).toContain("so I take every day at 9am");
});

test("[MR9] reports unchanged why a task was not created", async () => {
  const error = "It failed at line 1: The user said no. (approval_denied)";
  const { last } = await play([`Every day at 9am ${GOAL}`], METRICS, { error });
  expect(last).toContain(`The program did not finish.\n\n${error}`);
});

test("[MR10] in a run, stays silent about a goal that is not reached, and ends the task once it is", async () => {
  const { code, last } = await play([runOf(GOAL)], METRICS, result({ total: 9_999_999 }));
  expect(code).toContain('tools.metrics.get_total({ name: "visitors" })');
  expect(code).toContain("if (total >= 10000000) await tools.tasks.finish(");
  expect(last).toBe(QUIET);
  const reached = await play([runOf(GOAL)], METRICS, result({ total: 10_000_000 }));
  expect(reached.last).toMatch(/^Your site has had 10,000,000 visitors: the 10,000,000 have been reached\./);
});

test("[MR10] reports a number; outside a run, finishes nothing and says what is not reached", async () => {
  const asked = "Tell me how many people have subscribed";
  const { code, last } = await play([runOf(asked)], METRICS, result({ total: 18_269 }));
  expect(code).not.toContain("finish");
  expect(last).toMatch(/^You have 18,269 subscribers so far\./);
  const now = await play([GOAL], METRICS, result({ total: 5 }));
  expect(now.code).not.toContain("finish");
  expect(now.last).toMatch(/^Not yet: Your site has had 5 visitors so far, of 10,000,000\./);
});

test("[MR10] plays a later run from its start", async () => {
  const before = [runOf(GOAL), "x", runOf(GOAL)];
  expect((await play(before)).answers[0]?.call?.name).toBe("search_tools");
});

test("[MR11] the program reads and judges the reported mail; stays silent about good mail", async () => {
  const kept = { from: "a@b.example", subject: "Hi", found: ["act now"], outcome: "kept" };
  const { code, last } = await play([REPORT, runOf(SPAM)], MAIL, result(kept));
  expect(code).toContain('tools.mail.messages.get({ id: "m21" })');
  expect(code).toContain("if (found.length < 2) return");
  expect(last).toBe(QUIET);
});

test("[MR11] reports what was deleted, or should have been, with the signs", async () => {
  const judged = { from: "a@b.example", subject: "Hi", found: ["act now", "no risk"] };
  const tell = async (more: object) =>
    (await play([REPORT, runOf(SPAM)], MAIL, result({ ...judged, ...more }))).last;
  expect(await tell({ outcome: "deleted" })).toBe(
    "Deleted “Hi” from a@b.example: it contains “act now” and “no risk”.",
  );
  expect(await tell({ outcome: "refused", why: "The user said no." })).toContain(
    "it stays: The user said no.",
  );
});

test("[MR11] runs nothing for a report that is not a mail", async () => {
  for (const report of ["Hello", '{"id":4}', REPORT.replace("}\n[", "\n[")]) {
    const [answer] = (await play([report, runOf(SPAM)])).answers;
    expect(answer?.call).toBeUndefined();
    expect(answer?.text).toContain("not a mail of the demo mailbox");
  }
});

test.each([
  [[`Every day at 9am ${GOAL}`], "[]"],
  [[runOf(GOAL)], METRICS.replaceAll(DEMO, "")],
  [[REPORT, runOf(SPAM)], found("mail.messages.get")],
])("[MR3] uses only the demo's tools: %#", async (said, tools) => {
  const { answers, last } = await play(said, tools);
  expect(answers.at(-1)?.call).toBeUndefined();
  expect(last).toMatch(/not available.*DEPUTY_MODEL/);
});

test.each([[[runOf(GOAL)], METRICS] as const, [[REPORT, runOf(SPAM)], MAIL] as const])(
  "[MR4] reports a run whose program fails: %#",
  async (said, tools) => {
    const { last } = await play(said, tools, { error: "It failed at line 1: 404 (tool_failed)" });
    expect(last).toContain("The program did not finish.");
  },
);
