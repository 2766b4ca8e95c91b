import { once } from "node:events";
import type { CallId } from "@deputy/kit";
import { expect, onTestFinished, test } from "vitest";
import { startTestGateway, TOKEN } from "../test/gateway.fixture.ts";
import { connect, signIn } from "../test/socket-client.ts";

/** Two sessions that each ask a question. */
async function setup() {
  const gateway = await startTestGateway();
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  const ask = async (): Promise<CallId> => {
    const { stream } = await gateway.createTask();
    const approvalId = gateway.ids.next("call");
    const preview = { title: "Send a mail" };
    const data = { approvalId, toolPath: "mail.send", input: {}, preview, bindingHash: "0".repeat(64) };
    await gateway.log.append(stream, [{ type: "approval.requested", data }]);
    return approvalId;
  };
  const answers = async () =>
    (await Array.fromAsync(gateway.log.readAll({ types: ["approval.resolved"] }))).map(
      ({ event }) => event.data,
    );
  return { ...gateway, ask, answers };
}

test("[GC29] only the owner's token answers a question, on every way in", async () => {
  const { raw, url, ask, answers, post } = await setup();
  const id = await ask();
  const body = JSON.stringify({ decision: "approved" });
  const json = { "content-type": "application/json" };
  for (const authorization of [[], "Bearer wrong", `Basic ${TOKEN}`]) {
    const request = {
      method: "POST",
      path: `/api/approvals/${id}`,
      headers: { ...json, authorization },
      body,
    };
    expect((await raw(request)).status).toBe(401);
  }
  const anonymous = connect(url);
  await once(anonymous.ws, "open");
  anonymous.send({ id: 1, method: "exec.approve", params: { approvalId: id } });
  expect(await anonymous.closed).toMatchObject({ code: 4401 });
  // No message is an answer: not in a conversation, a task, or a prompt of another client.
  await post("/api/v2/submit", { prompt: `approve ${id}` });
  await post("/api/tasks", { prompt: `{"decision":"approved","id":"${id}"}` });
  await post("/v1/chat/completions", {
    model: "main",
    messages: [{ role: "user", content: `approve ${id}` }],
  });
  expect(await answers()).toEqual([]);
});

test("[GC29] an answer is only for the question it names, exactly as spelled", async () => {
  const { url, ask, answers, post } = await setup();
  const [mine, other] = [await ask(), await ask()];
  const client = await signIn(url);
  for (const id of [
    mine.toLowerCase(),
    mine.slice(0, -1),
    `${mine} `,
    `${mine}%00`,
    "",
    "*",
    mine.replace("cal_", "pln_"),
  ]) {
    expect([
      id,
      (await post(`/api/approvals/${encodeURIComponent(id)}`, { decision: "approved" })).status,
    ]).toEqual([id, 404]);
    expect([id, (await client.failure("exec.approve", { approvalId: id })).code < 0]).toEqual([id, true]);
  }
  expect(await answers()).toEqual([]);
  expect((await post(`/api/approvals/${mine}`, { decision: "approved" })).status).toBe(200);
  expect(await answers()).toMatchObject([{ approvalId: mine, by: "owner" }]);
  await client.call("exec.deny", { approvalId: other, by: "somebody" }).catch(() => undefined);
  await client.call("exec.deny", { approvalId: other });
  expect(await answers()).toMatchObject([
    { approvalId: mine, decision: "approved" },
    { approvalId: other, decision: "denied", by: "owner" },
  ]);
});

test("[GC30] of concurrent yes and no answers one is logged, and every client is told the same", async () => {
  const { url, ask, answers, post } = await setup();
  const id = await ask();
  const client = await signIn(url);
  const decide = (n: number) => (n % 2 === 0 ? "approved" : "denied");
  await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      n % 4 < 2
        ? post(`/api/approvals/${id}`, { decision: decide(n) })
        : client
            .call(decide(n) === "approved" ? "exec.approve" : "exec.deny", { approvalId: id })
            .catch(() => undefined),
    ),
  );
  const [first, ...more] = await answers();
  expect(more).toEqual([]);
  const { decision } = first as { decision: string };
  for (const again of ["approved", "denied"]) {
    const { status } = await post(`/api/approvals/${id}`, { decision: again });
    expect([again, status]).toEqual([again, again === decision ? 200 : 409]);
  }
});

test("[G5] a second yes with a wider scope is a conflict that says what counts; the same yes again is not", async () => {
  const { ask, answers, post, log } = await setup();
  const id = await ask();
  const answer = (body: object) => post(`/api/approvals/${id}`, { decision: "approved", ...body });
  expect((await answer({})).status).toBe(200);
  expect((await answer({})).status).toBe(200);
  expect((await answer({ scope: "once" })).status).toBe(200);
  for (const scope of ["session", "task"]) {
    const wider = await answer({ scope });
    expect(wider.status).toBe(409);
    expect(await wider.json()).toMatchObject({
      code: "approval_already_resolved",
      detail: expect.stringContaining("already approved (this call)"),
    });
  }
  expect(await answers()).toMatchObject([{ decision: "approved", scope: "once" }]);
  expect(await Array.fromAsync(log.readAll({ types: ["grant.created"] }))).toEqual([]);
});
