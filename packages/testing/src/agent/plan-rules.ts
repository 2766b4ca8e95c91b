import type { CallId } from "@deputy/kit";
import type { PlannedCall } from "@deputy/protocol";
import { expect, test } from "vitest";
import { eventsOf, type OpenDesk, setUpDesk } from "./desk-harness.ts";

/** A plan of three calls, two of them alike. */
async function setUpPlan(open: OpenDesk, extra: Partial<PlannedCall> = {}) {
  const setup = setUpDesk(open);
  const call = (toolPath: string, digit: string): PlannedCall => {
    return { callId: setup.ids.next("call"), toolPath, inputHash: digit.repeat(64), ...extra };
  };
  const calls = [call("notes.write", "1"), call("notes.write", "1"), call("mail.send", "2")];
  const planId = await setup.request({ approvalId: setup.ids.next("plan"), toolPath: "plan", calls });
  const idOf = (n: number): CallId => calls[n]?.callId ?? setup.ids.next("call");
  const grants = async () => (await eventsOf(setup.log, "grant.created")).map(({ data }) => data);
  return { ...setup, planId, idOf, grants };
}

const write = { toolPath: "notes.write", inputHash: "1".repeat(64) };
const send = { toolPath: "mail.send", inputHash: "2".repeat(64) };

export function describePlans(open: OpenDesk): void {
  test("[A103] approving a plan grants each listed call with its exact input, once per listing", async () => {
    const { desk, planId, grants } = await setUpPlan(open);
    expect(await desk.resolve(planId, { decision: "approved" }, "me")).toEqual({ kind: "resolved" });
    expect(await desk.answered(planId)).toMatchObject({ decision: "approved", scope: "plan" });
    expect(await grants()).toMatchObject([{ scope: "plan", planId, bindings: [write, write, send] }]);
  });

  test("[A103] approving part of it grants that part, and the answer says which", async () => {
    const { desk, planId, idOf, grants } = await setUpPlan(open);
    const calls = [idOf(2), idOf(0)];
    expect(await desk.resolve(planId, { decision: "approved", calls }, "me")).toEqual({ kind: "resolved" });
    expect(await desk.answered(planId)).toMatchObject({ decision: "approved", calls });
    expect(await grants()).toMatchObject([{ scope: "plan", bindings: [write, send] }]);
    const again = await desk.resolve(planId, { decision: "approved" }, "me");
    expect(again).toEqual({ kind: "already_resolved", decision: "approved", calls });
  });

  test("[A103] denying it grants nothing", async () => {
    const { desk, planId, grants } = await setUpPlan(open);
    await desk.resolve(planId, { decision: "denied", scope: "session", reason: "no" }, "me");
    expect(await desk.answered(planId)).toMatchObject({ decision: "denied", reason: "no" });
    expect(await grants()).toEqual([]);
  });

  test("[A103] approval for the session grants its tools beyond the plan; tools that ask once get it anyway", async () => {
    const wide = await setUpPlan(open);
    await wide.desk.resolve(wide.planId, { decision: "approved", scope: "session" }, "me");
    expect((await wide.grants())[1]).toMatchObject({
      scope: "session",
      bindings: [{ toolPath: "notes.write" }, write, { toolPath: "mail.send" }, send],
    });
    const once = await setUpPlan(open, { scope: "session", grantable: "input" });
    await once.desk.resolve(once.planId, { decision: "approved", calls: [once.idOf(1)] }, "me");
    expect((await once.grants())[1]).toMatchObject({ scope: "session", bindings: [write] });
  });

  test("[A104] refuses an answer that names another plan's call, no call, or calls to deny, and changes nothing", async () => {
    const { desk, planId, idOf, request, ids, log } = await setUpPlan(open);
    const single = await request();
    for (const [id, answer] of [
      [planId, { decision: "approved", calls: [idOf(0), ids.next("call")] }],
      [planId, { decision: "approved", calls: [] }],
      [planId, { decision: "denied", calls: [idOf(0)] }],
      [single, { decision: "approved", calls: [idOf(0)] }],
    ] as const) {
      const outcome = await desk.resolve(id, { ...answer, calls: [...answer.calls] }, "me");
      expect(outcome).toMatchObject({ kind: "invalid", message: expect.stringContaining("calls: ") });
    }
    expect(await eventsOf(log, "approval.resolved")).toEqual([]);
    expect(await desk.pending()).toHaveLength(2);
  });
}
