import type { CallId } from "@deputy/kit";
import { createPolicy } from "@deputy/policy";
import { type ApprovalMode, defineTool, type ToolContext } from "@deputy/tools";
import { expect, test } from "vitest";
import { z } from "zod";
import { nextEvent, setUpGate } from "../agent.fixture.ts";

/** A tool whose terms depend on more than its input, and which writes down who let it through. */
function setup(options: Parameters<typeof setUpGate>[0] = {}) {
  const state: { approval: ApprovalMode; onTerms: () => void } = { approval: "auto", onTerms: () => {} };
  const approvedBy: ToolContext["approvedBy"][] = [];
  const run = defineTool({
    description: "Runs",
    approval: "required",
    effect: "write",
    critical: [],
    terms: () => {
      const { approval } = state;
      state.onTerms();
      return { approval };
    },
    args: z.object({ n: z.number() }),
    run: (_input, context) => void approvedBy.push(context.approvedBy),
  });
  const opened = setUpGate({ ...options, extra: { host: { run } } });
  const approve = async (scope: "once" | "session"): Promise<void> => {
    const { data } = await nextEvent(opened.log, opened.stream, "approval.requested");
    await opened.approvals.resolve(
      (data as { approvalId: CallId }).approvalId,
      { decision: "approved", scope },
      "test",
    );
  };
  return { ...opened, state, approvedBy, approve };
}

test("[A130] a tool is told that nobody was asked, since the call's terms said so", async () => {
  const { call, approvedBy } = setup();
  await call("host.run", { n: 1 });
  expect(approvedBy).toEqual(["terms"]);
});

test("[A130] what counts are the terms it was judged on, not those of a moment later", async () => {
  const { call, approvedBy, state } = setup();
  state.onTerms = () => (state.approval = "required");
  await call("host.run", { n: 1 });
  expect(approvedBy).toEqual(["terms"]);
});

test("[A130] it is told of the user's yes, to this call or in a grant that covers it", async () => {
  const { call, approvedBy, state, approve } = setup();
  state.approval = "required";
  const asked = call("host.run", { n: 1 });
  await approve("session");
  await asked;
  await call("host.run", { n: 2 });
  expect(approvedBy).toEqual(["user", "user"]);
});

test("[A130] a rule that allows what would ask is the user's yes; one that has nothing to lift is not", async () => {
  const policy = createPolicy({ rules: [{ tool: "host", decision: "allow" }] });
  const { call, approvedBy, state } = setup({ policy });
  await call("host.run", { n: 1 });
  state.approval = "required";
  await call("host.run", { n: 2 });
  expect(approvedBy).toEqual(["terms", "user"]);
});

test("[A130] a yes for the session to a tool that takes it for one input only is for that input (GC32)", async () => {
  const world: number[] = [];
  const commit = defineTool({
    description: "Commits",
    approval: "required",
    grantable: "input",
    args: z.object({ n: z.number() }),
    run: ({ n }) => void world.push(n),
  });
  const { call, log, stream, approvals } = setUpGate({ extra: { shop: { commit } } });
  const first = call("shop.commit", { n: 1 });
  const { data } = await nextEvent(log, stream, "approval.requested");
  expect(data).toMatchObject({ grantable: "input" });
  await approvals.resolve(
    (data as { approvalId: CallId }).approvalId,
    { decision: "approved", scope: "session" },
    "test",
  );
  await first;
  await call("shop.commit", { n: 1 });
  expect(world).toEqual([1, 1]);
  const stop = new AbortController();
  const other = call("shop.commit", { n: 2 }, stop.signal);
  const open = async () => await Array.fromAsync(await approvals.pending());
  await expect.poll(open).toHaveLength(1);
  stop.abort();
  expect(await other).toMatchObject({ status: "denied" });
  expect(world).toEqual([1, 1]);
});
