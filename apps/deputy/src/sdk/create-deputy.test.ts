import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRehearsalModel, type Model } from "@deputy/model";
import type { StreamEvent } from "@deputy/protocol";
import {
  type AgentEvent,
  agentEvents,
  type ApprovalQuestion,
  type Deputy,
  type RunEvents,
} from "@deputy/sdk";
import { defineTool } from "@deputy/tools";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { createDeputy, type DeputyOptions } from "./create-deputy.ts";

const REF = { provider: "own", model: "script" };
/** Runs the fenced program of a message. */
const fenced: Model = createRehearsalModel(REF);
/** Says that it has started, and then nothing until it is stopped. */
const silent: Model = {
  ref: REF,
  async *stream(_request, signal) {
    yield { kind: "text", text: "Let me think" };
    await new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    });
  },
};
const program = (code: string): string => `\`\`\`ts\n${code}\n\`\`\``;
const SEND = program('return await tools.mail.send({ to: "ada@example.org" });');

function mailTools() {
  const sent: string[] = [];
  const send = defineTool({
    description: "Send a mail",
    approval: "required",
    args: z.object({ to: z.string() }),
    returns: z.object({ sent: z.number() }),
    run: ({ to }) => ({ sent: sent.push(to) }),
    formatApproval: ({ to }) => ({ title: `Mail to ${to}` }),
  });
  return { sent, tools: { mail: { send } } };
}

const scratch = mkdtempSync(join(tmpdir(), "deputy-sdk-"));
const temporaryHome = (): string => mkdtempSync(join(scratch, "home-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

async function open(options: Partial<DeputyOptions>) {
  const { sent, tools } = mailTools();
  const bugs: unknown[] = [];
  const onBug = (error: unknown): void => void bugs.push(error);
  const quiet = { env: {}, onWarning: () => undefined, onBug };
  const deputy = await createDeputy({ model: fenced, tools, ...quiet, ...options });
  return { deputy, sent, bugs };
}

/** For tests that need a deputy of their own. */
async function setup(options: Partial<DeputyOptions>) {
  const opened = await open(options);
  onTestFinished(() => opened.deputy.close());
  return opened;
}

async function collect(events: RunEvents) {
  const seen: StreamEvent[] = [];
  for (;;) {
    const next = await events.next();
    if (next.done === true) return { seen, result: next.value };
    seen.push(next.value);
  }
}

/** The first open question; polled with every event of the run. */
async function untilAsked(deputy: Deputy, events: RunEvents): Promise<ApprovalQuestion> {
  for (;;) {
    const next = await events.next();
    if (next.done === true) throw new Error("It ended without a question");
    const [question] = await deputy.approvals.list();
    if (question !== undefined) return question;
  }
}

const places = [
  { place: "on a home", where: (): Partial<DeputyOptions> => ({ home: temporaryHome() }) },
  { place: "in memory", where: (): Partial<DeputyOptions> => ({}) },
];

describe.each(places)("a deputy $place", ({ where }) => {
  /** Has no `approve`, and runs fenced programs. */
  let shared: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    shared = await open(where());
  });
  afterAll(() => shared.deputy.close());

  test("[SD1] a query gives its run's output through its end, and returns the result", async () => {
    const { deputy } = shared;
    const { seen, result } = await collect(deputy.query(program("return 6 * 7;")));
    const types = seen.map(({ payload }) => payload.type);
    expect(types).toContain("response_start");
    expect(types.at(-1)).toBe("response_done");
    expect(new Set(seen.map(({ run_id }) => run_id))).toEqual(new Set([result.runId]));
    const output = result.output.find(({ type }) => type === "script_execution_output");
    expect(output).toMatchObject({ result: 42, error: null });
  });

  test("[SD1] sends nothing before the first event is requested", async () => {
    const { deputy } = shared;
    const { sessionId } = await deputy.run(program("return 1;"));
    deputy.query(program("return 2;"), { session: sessionId });
    expect(await (await deputy.resume(sessionId)).history()).toHaveLength(1);
  });

  test("[SD2] the result of a run is data, even if it failed", async () => {
    const { deputy } = shared;
    expect(await deputy.run(program("return 1;"))).toMatchObject({
      status: "completed",
      text: expect.stringContaining("Result: 1"),
      usage: { modelCalls: 2 },
    });
    const failing: Model = {
      ref: REF,
      async *stream() {
        yield { kind: "stop", reason: "refusal" };
      },
    };
    const other = await setup({ ...where(), model: failing });
    expect(await other.deputy.run("Hello")).toMatchObject({
      status: "failed",
      text: "",
      error: { code: "model_refused" },
    });
  });

  test("[SD3] queries run concurrently, each in its own session", async () => {
    const { deputy } = shared;
    const results = await Promise.all([1, 2, 3].map((n) => deputy.run(program(`return ${n};`))));
    expect(results.map(({ text }) => text.match(/Result: (\d)/)?.[1])).toEqual(["1", "2", "3"]);
    expect(new Set(results.map(({ sessionId }) => sessionId)).size).toBe(3);
  });

  test("[SD3] a message during a run joins it", async () => {
    const { deputy } = shared;
    const first = deputy.query(SEND);
    const question = await untilAsked(deputy, first);
    const second = deputy.query(program("return 2;"), { session: question.sessionId });
    const opening = await second.next();
    await deputy.approvals.answer(question.id, "approved");
    const [one, two] = await Promise.all([collect(first), collect(second)]);
    expect(opening.value).toMatchObject({ run_id: one.result.runId });
    expect(two.result).toEqual({ ...one.result, output: expect.anything() });
  });

  test("[SD4] continues a session by its id, with its history", async () => {
    const { deputy } = shared;
    const { sessionId } = await deputy.run(program("return 1;"));
    const session = await deputy.resume(sessionId);
    expect(session.unfinished).toBeUndefined();
    expect(await session.run(program("return 2;"))).toMatchObject({ status: "completed", sessionId });
    expect((await session.history()).map(({ status }) => status)).toEqual(["completed", "completed"]);
  });

  test("[SD4] any other id is unknown_session", async () => {
    const { deputy } = shared;
    for (const id of ["ses_01M7KJ8H38F455YF2X1S5DMNZ6", "nonsense", "terminal--default"]) {
      await expect(deputy.resume(id)).rejects.toMatchObject({ code: "unknown_session" });
      await expect(deputy.run("Hello", { session: id })).rejects.toMatchObject({ code: "unknown_session" });
    }
  });

  test("[SD6] approve is called once, with the card, and decides", async () => {
    const asked: ApprovalQuestion[] = [];
    const approve = (question: ApprovalQuestion) => {
      asked.push(question);
      return asked.length === 1 ? ("approved" as const) : { decision: "denied" as const, reason: "Not now" };
    };
    const { deputy, sent } = await setup({ ...where(), approve });
    const { sessionId } = await deputy.run(SEND);
    expect(asked).toEqual([
      expect.objectContaining({
        sessionId,
        toolPath: "mail.send",
        input: { to: "ada@example.org" },
        preview: expect.objectContaining({ title: "Mail to ada@example.org" }),
      }),
    ]);
    expect(sent).toEqual(["ada@example.org"]);
    const denied = await deputy.run(SEND);
    expect(denied.text).toContain("Not now");
    expect(sent).toHaveLength(1);
  });

  test("[SD6] a program with several questions is one question, with all its calls", async () => {
    const asked: ApprovalQuestion[] = [];
    const approve = (question: ApprovalQuestion) => (asked.push(question), "approved" as const);
    const { deputy, sent } = await setup({ ...where(), approve });
    await deputy.run(program('for (const to of ["a@x.org", "b@x.org"]) await tools.mail.send({ to });'));
    expect(asked.map(({ plan }) => plan?.calls.map(({ input }) => input))).toEqual([
      [{ to: "a@x.org" }, { to: "b@x.org" }],
    ]);
    expect(sent).toEqual(["a@x.org", "b@x.org"]);
  });

  test("[SD13] the same run is told as system.init … result, with questions and their answers", async () => {
    const { deputy } = await setup({ ...where(), approve: () => "approved" });
    const told: AgentEvent[] = [];
    for await (const event of agentEvents(deputy.query(SEND))) told.push(event);
    const types = told.map(({ type }) => type);
    expect(types.filter((type) => type !== "assistant.delta" && type !== "user.message")).toEqual([
      "system.init",
      "assistant.message",
      "tool.use",
      "permission.question",
      "permission.decision",
      "tool.result",
      "assistant.message",
      "result",
    ]);
    const of = <Type extends AgentEvent["type"]>(type: Type) =>
      told.findLast((event): event is Extract<AgentEvent, { type: Type }> => event.type === type);
    expect(of("system.init")).toMatchObject({ model: "own/script" });
    expect(of("tool.use")).toMatchObject({ name: "run_code", input: expect.stringContaining("mail.send") });
    expect(of("tool.result")).toMatchObject({ id: of("tool.use")?.id, output: { sent: 1 } });
    expect(of("permission.decision")).toMatchObject({
      id: of("permission.question")?.id,
      decision: "approved",
    });
    expect(of("result")).toMatchObject({ status: "completed", text: of("assistant.message")?.text });
  });

  test("[SD13] leaving the loop over them stops the run; a failed run's result says why", async () => {
    const quiet = await setup({ ...where(), model: silent });
    for await (const { type } of agentEvents(quiet.deputy.query("Hello")))
      if (type === "assistant.delta") break;
    const failing: Model = {
      ref: REF,
      async *stream() {
        yield { kind: "stop", reason: "refusal" };
      },
    };
    const { deputy } = await setup({ ...where(), model: failing });
    const told: AgentEvent[] = [];
    for await (const event of agentEvents(deputy.query("Hello"))) told.push(event);
    expect(told.at(-1)).toMatchObject({ type: "result", status: "failed", error: { code: "model_refused" } });
  });

  test("[SD6] a query's own approve replaces the deputy's", async () => {
    const { deputy, sent } = await setup({ ...where(), approve: () => "denied" });
    const { sessionId } = await deputy.run(SEND, { approve: () => "approved" });
    await deputy.run(SEND, { session: sessionId });
    await deputy.run(SEND);
    expect(sent).toEqual(["ada@example.org"]);
  });

  test("[SD7] a question can be answered from elsewhere; the first answer counts", async () => {
    const { deputy, sent } = shared;
    const before = sent.length;
    const events = deputy.query(SEND);
    const { id } = await untilAsked(deputy, events);
    expect(await deputy.approvals.answer(id, "approved")).toEqual({ decision: "approved" });
    expect(await deputy.approvals.answer(id, "denied")).toEqual({ decision: "approved" });
    expect((await collect(events)).result.status).toBe("completed");
    expect(sent).toHaveLength(before + 1);
    expect(await deputy.approvals.list()).toEqual([]);
  });

  test("[SD7] approve is told if somebody else has answered", async () => {
    const told = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<ApprovalQuestion>();
    const { deputy, sent, bugs } = await setup({
      ...where(),
      approve: (question, signal) => {
        asked.resolve(question);
        return new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => {
            told.resolve();
            reject(new Error("Nobody waits for me"));
          });
        });
      },
    });
    const running = deputy.run(SEND);
    await deputy.approvals.answer((await asked.promise).id, "approved");
    await told.promise;
    expect((await running).status).toBe("completed");
    expect({ sent, bugs }).toEqual({ sent: ["ada@example.org"], bugs: [] });
  });

  test("[SD7] an answer without a question is unknown_approval", async () => {
    const { deputy } = shared;
    for (const id of ["nonsense", "cal_01M7KJ8GE8ANMANS5QTJW4YYWP"])
      await expect(deputy.approvals.answer(id, "approved")).rejects.toMatchObject({
        code: "unknown_approval",
      });
  });

  test.each([
    ["throws", () => Promise.reject(new Error("The phone is off"))],
    ["gives no answer", () => ({ decision: "approved" as const, calls: [] })],
  ])("[SD8] if approve %s, nothing is approved and the run is stopped", async (_how, approve) => {
    const { deputy, sent, bugs } = await setup({ ...where(), approve });
    await expect(deputy.run(SEND)).rejects.toMatchObject({ code: "approval_failed" });
    expect({ sent, bugs }).toEqual({ sent: [], bugs: [] });
    expect(await deputy.approvals.list()).toEqual([]);
  });

  test("[SD9] a signal stops the run; its end is then in the log", async () => {
    const { deputy } = await setup({ ...where(), model: silent });
    const stop = new AbortController();
    const events = deputy.query("Think", { signal: stop.signal });
    const { value } = await events.next();
    const session = await deputy.resume((value as StreamEvent).trace.thread_id);
    stop.abort(new Error("Enough"));
    await expect(collect(events)).rejects.toThrow("Enough");
    expect(await session.history()).toMatchObject([{ status: "aborted" }]);
  });

  test("[SD9] leaving the loop stops the run", async () => {
    const { deputy } = await setup({ ...where(), model: silent });
    let id = "";
    for await (const { trace, payload } of deputy.query("Think")) {
      id = trace.thread_id;
      if (payload.type === "item_delta") break;
    }
    expect(await (await deputy.resume(id)).history()).toMatchObject([{ status: "aborted" }]);
  });

  test("[SD9] sends nothing if the signal is already aborted", async () => {
    const { deputy } = shared;
    const { sessionId } = await deputy.run(program("return 1;"));
    const signal = AbortSignal.abort(new Error("Too late"));
    await expect(deputy.run("Hello", { session: sessionId, signal })).rejects.toThrow("Too late");
    expect(await (await deputy.resume(sessionId)).history()).toHaveLength(1);
  });

  test("[SD10] running runs and later requests throw deputy_closed", async () => {
    const { deputy } = await setup({ ...where(), model: silent });
    const events = deputy.query("Think");
    await events.next();
    const ended = expect(collect(events)).rejects.toMatchObject({ code: "deputy_closed" });
    await Promise.all([deputy.close(), deputy.close()]);
    await ended;
    await expect(deputy.run("Hello")).rejects.toMatchObject({ code: "deputy_closed" });
    await expect(deputy.resume("ses_01M7KJ8H38F455YF2X1S5DMNZ6")).rejects.toMatchObject({
      code: "deputy_closed",
    });
    await expect(deputy.approvals.list()).rejects.toMatchObject({ code: "deputy_closed" });
  });

  test("[SD10] a signal closes the deputy, or prevents its opening", async () => {
    const stop = new AbortController();
    const { deputy } = await setup({ ...where(), signal: stop.signal });
    stop.abort();
    await expect(deputy.run("Hello")).rejects.toMatchObject({ code: "deputy_closed" });
    await expect(setup({ ...where(), signal: AbortSignal.abort(new Error("No")) })).rejects.toThrow("No");
  });

  test("[SD11] senseless tools prevent its opening", async () => {
    const tools = { mail: { "not a name": mailTools().tools.mail.send } };
    await expect(setup({ ...where(), tools })).rejects.toMatchObject({ code: "invalid_tool" });
  });

  test("[SD11] the model can be a name; a meaningless name is refused", async () => {
    const { deputy } = await setup({ ...where(), model: "rehearsal/tour" });
    expect((await deputy.run("Hello")).text).toContain("I am the rehearsal model");
    await expect(setup({ ...where(), model: "nobody/knows" })).rejects.toMatchObject({
      code: "unknown_provider",
    });
  });
});

test("[SD6] a task that the agent started asks too", async () => {
  const asked: ApprovalQuestion[] = [];
  const approve = (question: ApprovalQuestion) => (asked.push(question), "approved" as const);
  const did = Promise.withResolvers<string>();
  const send = defineTool({
    description: "Send a mail",
    approval: "required",
    args: z.object({ to: z.string() }),
    run: ({ to }) => did.resolve(to),
  });
  const { deputy } = await setup({ home: temporaryHome(), approve, tools: { mail: { send } } });
  const { sessionId } = await deputy.run(
    program(`return await tools.tasks.create({ prompt: ${JSON.stringify(SEND)} });`),
  );
  expect(await did.promise).toBe("ada@example.org");
  expect(asked.map(({ toolPath }) => toolPath)).toEqual(["tasks.create", "mail.send"]);
  expect(asked.map((question) => question.sessionId === sessionId)).toEqual([true, false]);
});

test("[SD11] in memory the agent gets its instructions; on a home its files have them", async () => {
  const systems: string[] = [];
  const listening: Model = {
    ref: REF,
    async *stream({ system }) {
      systems.push(system);
      yield { kind: "text", text: "Yes" };
      yield { kind: "stop", reason: "end" };
    },
  };
  const instructions = "You look after the lighthouse.";
  const { deputy } = await setup({ model: listening, instructions });
  expect(await deputy.run("Are you there?")).toMatchObject({ status: "completed", text: "Yes" });
  expect(systems).toEqual([expect.stringContaining(instructions)]);
  await expect(setup({ home: temporaryHome(), instructions })).rejects.toMatchObject({ code: "usage" });
});

test("[SD12] in memory a policy decides; on a home its settings have one", async () => {
  const rules = [{ tool: "mail.send", decision: "allow" as const }];
  const allowed = await setup({ policy: { rules } });
  expect(await allowed.deputy.run(SEND)).toMatchObject({ status: "completed" });
  expect(allowed.sent).toEqual(["ada@example.org"]);
  const denied = await setup({ policy: { deny: ["mail"], rules } });
  expect((await denied.deputy.run(SEND)).text).toContain("mail.send");
  expect(denied.sent).toEqual([]);
  const wrong = { rules: [{ tool: "mail..send", decision: "allow" as const }] };
  await expect(setup({ policy: wrong })).rejects.toMatchObject({ code: "config_invalid" });
  await expect(setup({ home: temporaryHome(), policy: { rules } })).rejects.toMatchObject({ code: "usage" });
});

test("[SD4] a later process resumes a session", async () => {
  const home = temporaryHome();
  const first = await setup({ home });
  const { sessionId } = await first.deputy.run(program("return 1;"));
  await first.deputy.close();
  const second = await setup({ home });
  const session = await second.deputy.resume(sessionId);
  expect(await session.history()).toMatchObject([{ status: "completed" }]);
  expect(await session.run(program("return 2;"))).toMatchObject({ status: "completed", sessionId });
});

test("[SD5] a suspended run continues, and its question is asked again", async () => {
  const home = temporaryHome();
  const first = await setup({ home });
  const events = first.deputy.query(SEND);
  const { sessionId, id } = await untilAsked(first.deputy, events);
  const ended = expect(collect(events)).rejects.toMatchObject({ code: "deputy_closed" });
  await first.deputy.close();
  await ended;
  const asked: string[] = [];
  const approve = (question: ApprovalQuestion) => (asked.push(question.id), "approved" as const);
  const second = await setup({ home, approve });
  const { unfinished } = await second.deputy.resume(sessionId);
  if (unfinished === undefined) throw new Error("Nothing was left to go on with");
  const { seen, result } = await collect(unfinished);
  expect(seen.map(({ payload }) => payload.type)).toContain("response_start");
  expect(result.status).toBe("completed");
  expect({ asked, sent: second.sent }).toEqual({ asked: [id], sent: ["ada@example.org"] });
});
