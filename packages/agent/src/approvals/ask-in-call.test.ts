import { defineTool, type ToolAnswer, ToolsError } from "@deputy/tools";
import { type ApprovalId, readEvent } from "@deputy/protocol";
import { expect, test } from "vitest";
import { z } from "zod";
import { nextEvent, readAll, SECRET, setUpGate, sha256 } from "../agent.fixture.ts";
import { createPriorCalls } from "../gate/prior-call.ts";

function setUp() {
  const answers: ToolAnswer[] = [];
  const shop = {
    order: defineTool({
      description: "Asks before it orders",
      approval: "auto",
      effect: "write",
      critical: [],
      args: z.object({ item: z.string() }),
      run: async ({ item }, context) => {
        const input = { item, fields: ["size"] };
        const answer = await context.ask?.({ title: "Which size?\nreally", details: `of ${item}`, input });
        if (answer !== undefined) answers.push(answer);
        return answer?.kind ?? "nobody";
      },
    }),
    book: defineTool({
      description: "Needs values",
      approval: "auto",
      effect: "write",
      critical: [],
      args: z.object({}),
      run: async (_input, context) => {
        const schema = {
          type: "object",
          properties: {
            size: { enum: ["m", "xl"] },
            count: { type: "integer", minimum: 1 },
            mail: { type: "string", format: "email" },
          },
          required: ["size", "count"],
        };
        const form = { schema, proposed: { count: 1 } };
        const answer = await context.ask?.({ title: "Which size?", input: {}, form });
        if (answer !== undefined) answers.push(answer);
        return answer?.kind ?? "nobody";
      },
    }),
    lose: defineTool({
      description: "Loses its server",
      approval: "auto",
      effect: "write",
      critical: [],
      args: z.object({}),
      run: () => {
        throw new ToolsError("outcome_unknown", "The server went away");
      },
    }),
  };
  const setup = setUpGate({ extra: { shop } });
  const asked = async () => {
    const event = await nextEvent(setup.log, setup.stream, "approval.requested");
    return event.data as { approvalId: ApprovalId; askedBy: string; preview: { title: string } };
  };
  return { ...setup, answers, asked };
}

test("[A291] what a call took does not include the wait for an answer to its own question", async () => {
  const setup = setUp();
  const call = setup.call("shop.order", { item: "tea" });
  const { approvalId } = await setup.asked();
  await setup.clock.advance(90_000);
  await setup.approvals.resolve(approvalId, { decision: "approved" }, "test");
  expect(await call).toMatchObject({ status: "succeeded", durationMs: 0 });
});

test("[A134] a running call can ask the user: a question of its own, bound to the call, shown as any other", async () => {
  const setup = setUp();
  const call = setup.call("shop.order", { item: "tea" });
  const question = await setup.asked();
  expect(question.preview).toMatchObject({ title: "Which size?\\u{a}really", details: "of tea" });
  expect(await setup.approvals.pending()).toMatchObject([
    { id: question.approvalId, askedBy: question.askedBy },
  ]);
  await setup.approvals.resolve(question.approvalId, { decision: "approved", scope: "session" }, "test");
  expect(await call).toMatchObject({
    status: "succeeded",
    callId: question.askedBy,
    resultJson: '"accepted"',
  });
  expect(setup.answers).toEqual([{ kind: "accepted" }]);
  // A yes to a question allows no further call.
  const events = await readAll(setup.log, setup.stream);
  expect(events.map(({ type }) => type)).not.toContain("grant.created");
});

test("[A134] what the user answers goes to the tool whole, and to the log redacted; a no is told as one", async () => {
  const setup = setUp();
  const value = { size: "xl", note: SECRET };
  const first = setup.call("shop.order", { item: "tea" });
  const { approvalId } = await setup.asked();
  await setup.approvals.resolve(approvalId, { decision: "approved", result: { value } }, "test");
  await first;
  expect(setup.answers).toEqual([{ kind: "accepted", value }]);
  expect(JSON.stringify(await readAll(setup.log, setup.stream))).not.toContain(SECRET);

  const other = setUp();
  const second = other.call("shop.order", { item: "tea" });
  await other.approvals.resolve(
    (await other.asked()).approvalId,
    { decision: "denied", reason: "no" },
    "test",
  );
  await second;
  expect(other.answers).toEqual([{ kind: "declined", reason: "no" }]);
});

test("[A134] a yes with values is no answer to whether a call may run", async () => {
  const setup = setUp();
  const call = setup.call("notes.write", { text: "hi" });
  const { approvalId } = await setup.asked();
  const answer = { decision: "approved", result: { value: 1 } } as const;
  expect(await setup.approvals.resolve(approvalId, answer, "test")).toMatchObject({ kind: "invalid" });
  await setup.approvals.resolve(approvalId, { decision: "denied" }, "test");
  expect(await call).toMatchObject({ status: "denied" });
});

test("[A134] a yes without the values that are needed, or with others, is refused, and the question stays open", async () => {
  const setup = setUp();
  const call = setup.call("shop.book", {});
  const { approvalId } = await setup.asked();
  const say = (value?: unknown) =>
    setup.approvals.resolve(
      approvalId,
      { decision: "approved", ...(value === undefined ? {} : { result: { value } }) },
      "test",
    );
  expect(await say()).toMatchObject({ kind: "invalid", message: expect.stringMatching(/^result: .*size/) });
  expect(await say("xl")).toMatchObject({ kind: "invalid", message: expect.stringContaining("an object") });
  expect(await say({ size: "xl", count: "many" })).toMatchObject({
    kind: "invalid",
    message: expect.stringContaining("count"),
  });
  expect(await say({ size: "xl", mail: "ada" })).toMatchObject({
    kind: "invalid",
    message: "result: mail: must be a mail address",
  });
  expect(await setup.approvals.pending()).toMatchObject([{ id: approvalId }]);
  expect(await say({ size: "xl" })).toEqual({ kind: "resolved" });
  expect(await call).toMatchObject({ status: "succeeded" });
  expect(setup.answers).toEqual([{ kind: "accepted", value: { size: "xl" } }]);

  const other = setUp();
  const second = other.call("shop.book", {});
  const no = { decision: "denied" } as const;
  const asked = await other.asked();
  expect(await other.approvals.resolve(asked.approvalId, no, "test")).toEqual({ kind: "resolved" });
  await second;
  expect(other.answers).toMatchObject([{ kind: "declined" }]);
});

test("[A134] a call that is stopped while it asks takes its question away", async () => {
  const setup = setUp();
  const stop = new AbortController();
  const call = setup.call("shop.order", { item: "tea" }, stop.signal);
  const { approvalId } = await setup.asked();
  stop.abort();
  await call;
  expect(await setup.approvals.pending()).toEqual([]);
  expect(await setup.approvals.answered(approvalId)).toMatchObject({ decision: "denied" });
});

test("[A134] a question that a restart finds open is withdrawn: nobody waits for its answer any more", async () => {
  const setup = setUp();
  const { stream, turnId, cellId } = setup;
  void setup.call("shop.order", { item: "tea" });
  const { approvalId } = await setup.asked();
  const before = createPriorCalls(cellId);
  for (const stored of await readAll(setup.log, stream)) {
    const read = readEvent(stored);
    if (read.kind === "known") before.apply(read.event);
  }
  const prior = before.byIndex.get(0);
  expect(prior).toMatchObject({ stage: { kind: "started" }, questions: [approvalId] });

  // As the next process makes the same call again.
  const stop = new AbortController();
  const again = setup.gate.call(
    {
      stream,
      turnId,
      cellId,
      index: 0,
      toolPath: "shop.order",
      inputJson: '{"item":"tea"}',
      programHash: sha256("program"),
      sessionKey: "test",
      labels: [],
      log: () => undefined,
      nextOrder: () => 0,
      setWaiting: () => undefined,
      prior,
    },
    stop.signal,
  );
  await expect
    .poll(() => setup.approvals.answered(approvalId))
    .toMatchObject({ decision: "denied", by: "deputy" });
  stop.abort();
  expect(await again).toMatchObject({ status: "unknown" });
});

test("[A135] a tool that cannot say whether it took effect leaves its call unknown", async () => {
  const setup = setUp();
  expect(await setup.call("shop.lose", {})).toMatchObject({
    status: "unknown",
    error: { code: "unknown", message: "The server went away" },
  });
});
