import type { CallId } from "@deputy/kit";
import { canonicalJson } from "@deputy/policy";
import type { ApprovalId, StoredEvent } from "@deputy/protocol";
import { defineTool } from "@deputy/tools";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { live, nextEvent, readAll, SECRET, setUpGate, sha256 } from "../agent.fixture.ts";
import { planBinding, toolHashOf } from "../approvals/approval-binding.ts";

const types = (events: readonly StoredEvent[]): string[] => events.map((event) => event.type);

async function answer(
  setup: ReturnType<typeof setUpGate>,
  decision: "approved" | "denied",
  scope?: "session",
) {
  const asked = await nextEvent(setup.log, setup.stream, "approval.requested");
  const { approvalId } = asked.data as { approvalId: CallId };
  return await setup.approvals.resolve(
    approvalId,
    { decision, ...(scope === undefined ? {} : { scope }) },
    "test",
  );
}

test("[A1] a call that needs no approval leaves its four events in order", async () => {
  const setup = setUpGate();
  const receipt = await setup.call("notes.read", {});
  expect(receipt.status).toBe("succeeded");
  expect(types(await readAll(setup.log, setup.stream))).toEqual([
    "call.requested",
    "call.decided",
    "call.started",
    "call.settled",
  ]);
});

test("[A1] [A2] an approved call starts after the answer", async () => {
  const setup = setUpGate();
  const pending = setup.call("notes.write", { text: "hi" });
  await nextEvent(setup.log, setup.stream, "approval.requested");
  expect(setup.world).toEqual([]);
  await answer(setup, "approved");
  expect(await pending).toMatchObject({ status: "succeeded", resultJson: '{"written":1}' });
  expect(types(await readAll(setup.log, setup.stream))).toEqual([
    "call.requested",
    "call.decided",
    "approval.requested",
    "approval.resolved",
    "call.started",
    "call.settled",
  ]);
});

test("[A291] what a call took does not include the wait for the user", async () => {
  const setup = setUpGate();
  const pending = setup.call("notes.write", { text: "hi" });
  await nextEvent(setup.log, setup.stream, "approval.requested");
  await setup.clock.advance(90_000);
  await answer(setup, "approved");
  expect((await pending).durationMs).toBe(0);
  const settled = await nextEvent(setup.log, setup.stream, "call.settled");
  expect(settled.data).toMatchObject({ durationMs: 0 });
});

test("[A291] a call that was denied took no time, however long the user thought about it", async () => {
  const setup = setUpGate();
  const pending = setup.call("notes.write", { text: "hi" });
  await nextEvent(setup.log, setup.stream, "approval.requested");
  await setup.clock.advance(90_000);
  await answer(setup, "denied");
  expect(await pending).toMatchObject({ status: "denied", durationMs: 0 });
});

test("[A2] a denied call never starts, and carries the reason", async () => {
  const setup = setUpGate();
  const pending = setup.call("notes.write", { text: "hi" });
  await answer(setup, "denied");
  expect(await pending).toMatchObject({ status: "denied", error: { code: "denied" } });
  expect(setup.world).toEqual([]);
  expect(types(await readAll(setup.log, setup.stream))).not.toContain("call.started");
});

test.each([
  ["unknown_tool", "notes.burn", {}],
  ["invalid_input", "notes.write", { text: 3 }],
  ["unknown_tool", "__proto__", {}],
])("[A3] %s fails before a decision", async (code, path, input) => {
  const setup = setUpGate();
  expect(await setup.call(path, input)).toMatchObject({ status: "failed", error: { code } });
  expect(types(await readAll(setup.log, setup.stream))).toEqual(["call.requested", "call.settled"]);
});

test("[A3] a schema that throws, or an input that nests too deeply, is an invalid input", async () => {
  const setup = setUpGate();
  expect(await setup.call("notes.strict", { n: "twelve" })).toMatchObject({
    error: { code: "invalid_input" },
  });
  const deep = JSON.parse("[".repeat(1_000) + "]".repeat(1_000)) as unknown;
  expect(await setup.call("notes.write", { text: deep })).toMatchObject({ error: { code: "invalid_input" } });
});

test.each(["throw", "cycle", "function", "huge", "getter"])(
  "[A4] a tool that fails by %s settles as failed",
  async (how) => {
    const setup = setUpGate();
    const receipt = await setup.call("notes.fail", { how });
    expect(receipt.status).toBe("failed");
    expect(receipt.error?.message).not.toBe("");
  },
);

test("[A5] stopped while it waits for an answer, it is denied", async () => {
  const setup = setUpGate();
  const stop = new AbortController();
  const pending = setup.call("notes.write", { text: "hi" }, stop.signal);
  await nextEvent(setup.log, setup.stream, "approval.requested");
  stop.abort();
  expect((await pending).status).toBe("denied");
  expect(setup.world).toEqual([]);
  expect(await setup.approvals.pending()).toEqual([]);
});

test("[A5] stopped while it runs, its outcome is unknown", async () => {
  const setup = setUpGate();
  const stop = new AbortController();
  const pending = setup.call("notes.hang", {}, stop.signal);
  await setup.running;
  stop.abort();
  expect((await pending).status).toBe("unknown");
});

test("[A5] stopped before it starts, it never does", async () => {
  const setup = setUpGate();
  expect(await setup.call("notes.hang", {}, AbortSignal.abort())).toMatchObject({ status: "denied" });
  expect(types(await readAll(setup.log, setup.stream))).toEqual([
    "call.requested",
    "call.decided",
    "call.settled",
  ]);

  const stop = new AbortController();
  const pending = setup.call("notes.write", { text: "hi" }, stop.signal);
  await answer(setup, "approved");
  stop.abort();
  expect(await pending).toMatchObject({ status: "denied" });
  expect(setup.world).toEqual([]);
});

test("[A5] a tool that does not listen is given up after a while, and its outcome is unknown", async () => {
  const setup = setUpGate();
  const stop = new AbortController();
  const pending = setup.call("notes.deaf", {}, stop.signal);
  await setup.running;
  stop.abort();
  await setup.clock.advance(5_000);
  expect((await pending).status).toBe("unknown");
});

test("[A21] an approval is bound to the whole input, dates included, and shows it (GC28)", async () => {
  const setup = setUpGate();
  const asked: { readonly bindingHash: string }[] = [];
  for (const at of ["2020-01-01T00:00:00Z", "2030-01-01T00:00:00Z"]) {
    const stop = new AbortController();
    const stream = setup.ids.next("session");
    const pending = setup.call("notes.remind", { at }, stop.signal, stream);
    const { data } = await nextEvent(setup.log, stream, "approval.requested");
    asked.push(data as { bindingHash: string });
    stop.abort();
    await pending;
  }
  expect(asked).toMatchObject([
    { input: { at: "2020-01-01T00:00:00.000Z" }, preview: { title: "notes.remind" } },
    { input: { at: "2030-01-01T00:00:00.000Z" } },
  ]);
  expect(asked[0]?.bindingHash).not.toBe(asked[1]?.bindingHash);
});

test("[A6] the log holds no secret; the program gets the raw result", async () => {
  const setup = setUpGate();
  const read = await setup.call("notes.read", {});
  const failed = await setup.call("notes.fail", { how: "throw" });
  expect(read.resultJson).toContain(SECRET);
  expect(failed.error?.message).toContain(SECRET);
  const pending = setup.call("notes.write", { text: `my ${SECRET}` });
  await answer(setup, "approved");
  await pending;
  expect(setup.world).toEqual([`my ${SECRET}`]);
  expect(JSON.stringify(await readAll(setup.log, setup.stream))).not.toContain(SECRET);
});

test("[A7] the journal keeps the raw outcome of each settled call", async () => {
  const setup = setUpGate();
  await setup.call("notes.read", {});
  await setup.call("notes.fail", { how: "throw" });
  const entries = await Array.fromAsync(setup.log.journal.read(setup.cellId));
  const values = entries.map((entry) => JSON.parse(new TextDecoder().decode(entry.bytes)));
  expect(values).toMatchObject([{ status: "succeeded" }, { status: "failed" }]);
  expect(values[0].resultJson).toContain(SECRET);
});

test("[A11] an answer for the session lets the next call with these values pass, in this session only", async () => {
  const setup = setUpGate();
  const first = setup.call("notes.write", { text: "one" });
  await answer(setup, "approved", "session");
  await first;
  expect((await setup.call("notes.write", { text: "one" })).status).toBe("succeeded");
  expect(setup.world).toEqual(["one", "one"]);

  const another = new AbortController();
  const second = setup.call("notes.write", { text: "two" }, another.signal);
  await vi.waitFor(async () => expect(await setup.approvals.pending()).toHaveLength(1));
  another.abort();
  expect((await second).status).toBe("denied");

  const other = setup.ids.next("session");
  const stop = new AbortController();
  const elsewhere = setup.call("notes.write", { text: "three" }, stop.signal, other);
  await nextEvent(setup.log, other, "approval.requested");
  stop.abort();
  expect((await elsewhere).status).toBe("denied");
});

test("[A37] a tool that takes longer than its limit is stopped: failed if it only reads, else unknown", async () => {
  const slow = (effect: "read" | "write") =>
    defineTool({
      description: "Slow",
      approval: "auto",
      effect,
      limits: { timeoutMs: 1_000 },
      args: z.object({}),
      run: (_input, { signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener("abort", () => reject(signal.reason as Error)),
        ),
    });
  const setup = setUpGate({ extra: { slow: { read: slow("read"), write: slow("write") } } });
  const ended = Promise.all([setup.call("slow.read", {}), setup.call("slow.write", {})]);
  await vi.waitFor(async () =>
    expect(
      types(await readAll(setup.log, setup.stream)).filter((type) => type === "call.started"),
    ).toHaveLength(2),
  );
  await setup.clock.advance(1_000);
  expect(await ended).toMatchObject([
    { status: "failed", error: { code: "tool_timeout" } },
    { status: "unknown" },
  ]);
});

test("[A37] a result that is longer than the tool's own limit is an error", async () => {
  const long = defineTool({
    description: "Long",
    approval: "auto",
    limits: { resultChars: 10 },
    args: z.object({}),
    run: () => "x".repeat(20),
  });
  const setup = setUpGate({ extra: { long } });
  expect(await setup.call("long", {})).toMatchObject({
    status: "failed",
    error: { code: "result_too_large" },
  });
});

test("[A153] a result of too many values or levels is an error that says the numbers and what to do", async () => {
  const read = (result: unknown) =>
    defineTool({ description: "Read", approval: "auto", args: z.object({}), run: () => result });
  const deep = JSON.parse("[".repeat(1_001) + "]".repeat(1_001)) as unknown;
  const many = Array.from({ length: 1_000_000 }, () => 0);
  const setup = setUpGate({ extra: { deep: read(deep), many: read(many) } });
  for (const [path, count] of [
    ["deep", "1001 levels"],
    ["many", "1000001 values"],
  ] as const) {
    const { status, error } = await setup.call(path, {});
    expect(status).toBe("failed");
    expect(error?.code).toBe("result_too_large");
    expect(error?.message).toContain(count);
    expect(error?.message).toMatch(/a page, for fewer fields, or with a filter/);
  }
});

test("[A93] a denial has the user's reason; late and repeated answers run nothing (GC30)", async () => {
  const setup = setUpGate();
  const pending = setup.call("notes.write", { text: "hi" });
  const { approvalId } = (await nextEvent(setup.log, setup.stream, "approval.requested")).data as {
    approvalId: CallId;
  };
  await setup.approvals.resolve(approvalId, { decision: "denied", reason: "too loud" }, "page");
  expect(await pending).toMatchObject({ status: "denied", error: { code: "denied", message: "too loud" } });
  const late = await setup.approvals.resolve(approvalId, { decision: "approved", scope: "session" }, "phone");
  expect(late).toEqual({ kind: "already_resolved", decision: "denied" });
  expect(setup.world).toEqual([]);
});

test("[A93] of many yeses at once, and one more afterwards, one call comes (GC30)", async () => {
  const setup = setUpGate();
  const pending = setup.call("notes.write", { text: "hi" });
  const { approvalId } = (await nextEvent(setup.log, setup.stream, "approval.requested")).data as {
    approvalId: CallId;
  };
  const yes = () => setup.approvals.resolve(approvalId, { decision: "approved" }, "me");
  await Promise.all([yes(), yes(), yes()]);
  await pending;
  await yes();
  expect(setup.world).toEqual(["hi"]);
});

test("[A91] a question that nobody answers in time denies its call as `approval_expired` (GC30)", async () => {
  const setup = setUpGate({ approvalTtlMs: 60_000 });
  const pending = setup.call("notes.write", { text: "hi" });
  const asked = await nextEvent(setup.log, setup.stream, "approval.requested");
  expect(asked.data).toMatchObject({ expiresAt: new Date(setup.clock.now() + 60_000).toISOString() });
  await vi.waitFor(() => expect(setup.clock.sleepers).toBe(1));
  await setup.clock.advance(60_000);
  expect(await pending).toMatchObject({ status: "denied", error: { code: "approval_expired" } });
  expect(setup.world).toEqual([]);
  expect(types(await readAll(setup.log, setup.stream)).slice(-2)).toEqual([
    "approval.resolved",
    "call.settled",
  ]);
});

test("[A91] unless set, questions have no end", async () => {
  const setup = setUpGate();
  const stop = new AbortController();
  const pending = setup.call("notes.write", { text: "hi" }, stop.signal);
  const asked = await nextEvent(setup.log, setup.stream, "approval.requested");
  expect(asked.data).not.toHaveProperty("expiresAt");
  await setup.clock.advance(365 * 24 * 3_600_000);
  expect(await setup.approvals.pending()).toHaveLength(1);
  stop.abort();
  await pending;
});

test("[A94] [A95] a question says why it is asked, and shows what is hidden in the tool's own words", async () => {
  const setup = setUpGate();
  const stop = new AbortController();
  const pending = setup.call("notes.write", { text: "p\u0430y\u202e" }, stop.signal);
  const { data } = await nextEvent(setup.log, setup.stream, "approval.requested");
  expect(data).toMatchObject({
    input: { text: "p\u0430y\u202e" },
    preview: {
      title: "Write p\u0430y\\u{202e}",
      reasons: [expect.stringContaining("notes.write"), expect.stringContaining("p\\u{430}y")],
    },
  });
  stop.abort();
  await pending;
});

test.each([
  ["another program", { programHash: sha256("another") }],
  ["another input", { inputJson: JSON.stringify({ text: "other" }) }],
] as const)("[A90] what was approved for a call is not for that of %s (GC28)", async (_what, other) => {
  const setup = setUpGate();
  const stop = new AbortController();
  const first = setup.call("notes.write", { text: "hi" }, stop.signal);
  const asked = (await nextEvent(setup.log, setup.stream, "approval.requested")).data as {
    approvalId: CallId;
    bindingHash: string;
  };
  await setup.approvals.resolve(asked.approvalId, { decision: "approved" }, "me");
  await first;
  expect(setup.world).toEqual(["hi"]);
  const request = {
    ...requestOf(setup),
    toolPath: "notes.write",
    inputJson: JSON.stringify({ text: "hi" }),
    ...other,
    prior: {
      callId: asked.approvalId,
      toolPath: "notes.write",
      inputHash: "",
      input: {},
      deaths: 0,
      stage: { kind: "asked" as const, asked },
    },
  };
  expect(await setup.gate.call(request, stop.signal)).toMatchObject({ status: "denied" });
  expect(setup.world).toEqual(["hi"]);
});

test("[A90] a plan's approval is for the calls it lists, by their ids, and for its program (GC28)", async () => {
  const setup = setUpGate();
  const inputHash = sha256(canonicalJson({ text: "hi" }));
  const [callId, planId] = [setup.ids.next("call"), setup.ids.next("plan")];
  const tool = setup.catalogue.get("notes.write");
  if (tool === undefined) throw new Error("There is no such tool");
  const calls = [{ callId, toolPath: "notes.write", inputHash, toolHash: toolHashOf(sha256, tool) }];
  const programHash = sha256("program");
  const bindingHash = planBinding(sha256, programHash, calls);
  const asked = { approvalId: planId, bindingHash, calls };
  const data = { ...asked, toolPath: "plan", input: {}, preview: { title: "x" }, cellId: setup.cellId };
  await setup.log.append(setup.stream, [{ type: "approval.requested", data }]);
  await setup.approvals.resolve(planId, { decision: "approved" }, "me");
  const go = (more: { readonly callId?: CallId; readonly text?: string; readonly program?: string }) => {
    const stage = { kind: "asked" as const, asked };
    const prior = {
      callId: more.callId ?? callId,
      toolPath: "notes.write",
      inputHash: "",
      input: {},
      deaths: 0,
      stage,
    };
    const inputJson = JSON.stringify({ text: more.text ?? "hi" });
    const program = sha256(more.program ?? "program");
    const request = { ...requestOf(setup), toolPath: "notes.write", inputJson, programHash: program, prior };
    return setup.gate.call(request, live);
  };
  expect(await go({ callId: setup.ids.next("call") })).toMatchObject({ status: "denied" });
  expect(await go({ text: "other" })).toMatchObject({ status: "denied" });
  expect(await go({ program: "another" })).toMatchObject({ status: "denied" });
  expect(setup.world).toEqual([]);
  expect(await go({})).toMatchObject({ status: "succeeded" });
  expect(setup.world).toEqual(["hi"]);
});

test("[A90] a yes is to what could be looked at: when that has changed since, the call does not run (GC28)", async () => {
  const drafts = new Map([["d", "hello"]]);
  const sent: string[] = [];
  const send = defineTool({
    description: "Send a draft",
    approval: "required",
    args: z.object({ draft: z.string() }),
    circumstances: ({ draft }) => drafts.get(draft) ?? "",
    run: ({ draft }) => sent.push(drafts.get(draft) ?? ""),
  });
  const setup = setUpGate({ extra: { mail: { send } } });
  const changed = setup.call("mail.send", { draft: "d" });
  await nextEvent(setup.log, setup.stream, "approval.requested");
  drafts.set("d", "something else");
  await answer(setup, "approved");
  expect(await changed).toMatchObject({
    status: "denied",
    error: { message: expect.stringContaining("has changed since") },
  });
  expect(sent).toEqual([]);

  const again = setUpGate({ extra: { mail: { send } } });
  const same = again.call("mail.send", { draft: "d" });
  await answer(again, "approved");
  expect(await same).toMatchObject({ status: "succeeded" });
  expect(sent).toEqual(["something else"]);
});

function requestOf(setup: ReturnType<typeof setUpGate>) {
  const { stream, turnId, cellId } = setup;
  return {
    stream,
    turnId,
    cellId,
    index: 0,
    programHash: sha256("program"),
    sessionKey: "test",
    labels: [],
    log: () => undefined,
    nextOrder: () => 0,
    setWaiting: () => undefined,
  };
}

test("[A21] what has no plain form is judged, bound and shown as it was asked for", async () => {
  const many = defineTool({
    description: "Takes a set",
    approval: "required",
    args: z.object({ to: z.array(z.string()).transform((list) => new Set(list)) }),
    run: ({ to }) => [...to],
  });
  const { call, approvals, log, stream } = setUpGate({ extra: { many } });
  const running = call("many", { to: ["a@x.example", "b@x.example"] });
  const { data } = await nextEvent(log, stream, "approval.requested");
  expect(data).toMatchObject({ input: { to: ["a@x.example", "b@x.example"] } });
  await approvals.resolve((data as { approvalId: ApprovalId }).approvalId, { decision: "approved" }, "me");
  expect(await running).toMatchObject({ status: "succeeded", resultJson: '["a@x.example","b@x.example"]' });
});

test("[A6] the reasons of a decision are redacted like everything else in the log", async () => {
  const { call, log, stream } = setUpGate({
    policy: {
      decide: () => ({ decision: "deny", rule: "test", reasons: [`to "${SECRET}" comes from mail`] }),
    },
  });
  await call("notes.read", {});
  expect(JSON.stringify(await readAll(log, stream))).not.toContain(SECRET);
});
