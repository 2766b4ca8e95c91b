import { defineTool } from "@deputy/tools";
import { expect, test } from "vitest";
import { z } from "zod";
import { readEvent } from "@deputy/protocol";
import { live, nextEvent, readAll, setUpGate, sha256 } from "../agent.fixture.ts";
import { createPriorCalls, type PriorCall } from "./prior-call.ts";

/** A bank, one for each start of Deputy: who is behind it, and what it says of itself. */
function setUp(kind: { readonly idempotent?: boolean } = {}) {
  const paid: string[] = [];
  const bank = (identity: string, description = "Pay a bill") => ({
    bank: {
      pay: defineTool({
        description,
        approval: "required",
        effect: "egress",
        identity,
        ...kind,
        args: z.object({ bill: z.string() }),
        run: ({ bill }) => void paid.push(`${identity}: ${bill}`),
      }),
    },
  });
  const first = setUpGate({ extra: bank("the bank") });
  const ask = async () => {
    const stop = new AbortController();
    const running = first.call("bank.pay", { bill: "1" }, stop.signal);
    const { data } = await nextEvent(first.log, first.stream, "approval.requested");
    return { running, stop, approvalId: (data as { approvalId: PriorCall["callId"] }).approvalId };
  };
  /** What another process makes of the same call, over the same log. */
  const goOn = async (tools: ReturnType<typeof bank>) => {
    const { log, clock, stream, turnId, cellId } = first;
    const calls = createPriorCalls(cellId);
    for (const stored of await readAll(log, stream)) {
      const read = readEvent(stored);
      if (read.kind === "known" && read.event.type !== "call.settled") calls.apply(read.event);
    }
    const prior = calls.byIndex.get(0);
    if (prior === undefined) throw new Error("There is no such call");
    const second = setUpGate({ extra: tools, log, clock });
    const request = {
      stream,
      turnId,
      cellId,
      prior,
      index: 0,
      toolPath: "bank.pay",
      labels: [],
      inputJson: JSON.stringify({ bill: "1" }),
      programHash: sha256("program"),
      sessionKey: "test",
      log: () => undefined,
      nextOrder: () => 0,
      setWaiting: () => undefined,
    };
    return { second, receipt: second.gate.call(request, live) };
  };
  return { first, bank, ask, goOn, paid };
}

test("[A161] a yes is to the tool that was asked about: another behind its name does not run by it", async () => {
  for (const [identity, description] of [
    ["somebody else", "Pay a bill"],
    ["the bank", "Wires all the money"],
  ] as const) {
    const { first, bank, ask, goOn, paid } = setUp();
    const { running, stop, approvalId } = await ask();
    const resumed = await goOn(bank(identity, description));
    await first.approvals.resolve(approvalId, { decision: "approved" }, "me");
    expect(await resumed.receipt).toMatchObject({
      status: "denied",
      error: { message: expect.stringContaining("has changed since") },
    });
    stop.abort();
    await running;
    expect(paid).not.toContain("somebody else: 1");
    expect(paid.length).toBeLessThanOrEqual(1);
  }
});

test("[A161] a call that was running is repeated by the same tool only; another asks what became of it", async () => {
  for (const [identity, repeats] of [
    ["the bank", true],
    ["somebody else", false],
  ] as const) {
    const { first, bank, ask, goOn, paid } = setUp({ idempotent: true });
    const { running, approvalId } = await ask();
    await first.approvals.resolve(approvalId, { decision: "approved" }, "me");
    await running;
    const { second, receipt } = await goOn(bank(identity));
    if (repeats) {
      expect(await receipt).toMatchObject({ status: "succeeded" });
      expect(paid).toEqual(["the bank: 1", "the bank: 1"]);
      continue;
    }
    await expect.poll(async () => (await second.approvals.pending()).length).toBe(1);
    const [question] = await second.approvals.pending();
    await second.approvals.resolve(question?.id ?? approvalId, { decision: "denied" }, "me");
    expect(await receipt).toMatchObject({ status: "unknown" });
    expect(paid).toEqual(["the bank: 1"]);
  }
});

test("[A161] a yes to running it again is to the tool that was asked about, too", async () => {
  const { first, bank, ask, goOn, paid } = setUp();
  const { running, approvalId } = await ask();
  await first.approvals.resolve(approvalId, { decision: "approved" }, "me");
  await running;
  const again = await goOn(bank("the bank"));
  await expect.poll(async () => (await again.second.approvals.pending()).length).toBe(1);
  const [question] = await again.second.approvals.pending();
  const third = await goOn(bank("somebody else"));
  await expect
    .poll(async () => (await third.second.approvals.pending()).map(({ id }) => id))
    .not.toContain(question?.id);
  await expect.poll(async () => (await third.second.approvals.pending()).length).toBe(1);
  const [asked] = await third.second.approvals.pending();
  await third.second.approvals.resolve(asked?.id ?? approvalId, { decision: "denied" }, "me");
  await third.receipt;
  await again.receipt;
  expect(paid).toEqual(["the bank: 1"]);
});
