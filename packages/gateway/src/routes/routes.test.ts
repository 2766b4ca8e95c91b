import type { StoredEvent } from "@deputy/protocol";
import {
  pendingApprovalSchema,
  standingGrantSchema,
  taskDetailSchema,
  taskSchema,
} from "@deputy/protocol/wire";
import { expect, onTestFinished, test } from "vitest";
import { collect } from "../test/read-event-stream.ts";
import { startTestGateway } from "../test/gateway.fixture.ts";

async function setup() {
  const gateway = await startTestGateway();
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  const { log } = gateway;
  const ask = async (input: unknown) => {
    const task = await gateway.createTask();
    const approvalId = gateway.ids.next("call");
    const preview = { title: "Send a mail" };
    await log.append(task.stream, [
      {
        type: "approval.requested",
        data: { approvalId, toolPath: "mail.send", input, preview, bindingHash: "0".repeat(64) },
      },
    ]);
    return { task, approvalId };
  };
  const events = (stream: StoredEvent["stream"]) => collect(log.read(stream));
  return { ...gateway, ask, events };
}

test("[G1] the registry is the whole surface", async () => {
  const { gateway } = await setup();
  expect(gateway.routes.map(({ method, path, auth }) => `${method} ${path} ${auth}`)).toEqual([
    "GET /health none",
    "GET / none",
    "POST /api/sign-in/codes bearer",
    "POST /api/sign-in/sessions bearer",
    "POST /api/sign-in own_secret",
    "POST /api/tasks bearer",
    "GET /api/tasks bearer",
    "GET /api/tasks/:id bearer",
    "GET /api/tasks/:id/history bearer",
    "GET /api/tasks/:id/events bearer",
    "POST /api/tasks/:id/cancel bearer",
    "POST /api/tasks/:id/pause bearer",
    "POST /api/tasks/:id/resume bearer",
    "POST /api/tasks/:id/run bearer",
    "POST /api/tasks/:id/edit bearer",
    "GET /api/notices bearer",
    "GET /api/memory/search bearer",
    "GET /api/memory/status bearer",
    "POST /api/memory/index bearer",
    "GET /api/memory/documents bearer",
    "GET /api/memory/document bearer",
    "POST /api/memory/document bearer",
    "GET /api/memory/recalled bearer",
    "GET /api/memory/changes bearer",
    "POST /api/memory/undo bearer",
    "POST /api/memory/forget bearer",
    "GET /api/approvals bearer",
    "POST /api/approvals/:callId bearer",
    "GET /api/grants bearer",
    "POST /api/grants/:id/revoke bearer",
    "POST /api/v2/submit bearer",
    "GET /api/v2/stream/:runId bearer",
    "GET /api/v2/runs/:runId bearer",
    "GET /api/v2/threads bearer",
    "GET /api/v2/threads/:id bearer",
    "GET /v1/models bearer",
    "GET /v1/models/:model bearer",
    "GET /v1/responses/:id bearer",
    "POST /v1/chat/completions bearer",
    "POST /v1/responses bearer",
    "POST /mcp bearer",
    "DELETE /mcp bearer",
    "GET /api/audit/export bearer",
    "POST /api/blobs bearer",
    "GET /api/blobs/:id bearer",
    "POST /api/hooks/:token own_secret",
    "GET /metrics own_secret",
    "GET /openrpc.json bearer",
    "GET /openapi.json bearer",
  ]);
});

test("[G2] health and the page need no token", async () => {
  const { url } = await setup();
  const health = await fetch(`${url}/health`);
  expect(health.status).toBe(200);
  expect(await health.json()).toEqual({ status: "ok", version: "1.2.3" });
  const page = await fetch(url);
  expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(await page.text()).toBe("<h1>Deputy</h1>");
});

test("[G3] creates, lists and reads a task", async () => {
  const { fetch, post } = await setup();
  const response = await post("/api/tasks", { prompt: "Water the plants" });
  expect(response.status).toBe(201);
  const task = taskSchema.parse(await response.json());
  expect(task).toMatchObject({ prompt: "Water the plants", status: "running", kind: "one-shot" });
  expect(await (await fetch("/api/tasks")).json()).toEqual({ tasks: [task] });
  expect(await (await fetch(`/api/tasks/${task.id}`)).json()).toEqual(task);
});

test("[G3] a task says who asked for it and where; those of one requester can be listed", async () => {
  const { fetch, post } = await setup();
  const asked = { prompt: "Water the plants", requesterId: "rhys", channelId: "garden" };
  const task = taskSchema.parse(await (await post("/api/tasks", asked)).json());
  expect(task).toMatchObject({ requesterId: "rhys", channelId: "garden" });
  await post("/api/tasks", { prompt: "Feed the cat" });
  expect(await (await fetch("/api/tasks?requesterId=rhys")).json()).toEqual({ tasks: [task] });
  expect(await (await fetch("/api/tasks?requesterId=nobody")).json()).toEqual({ tasks: [] });
  expect((await (await fetch("/api/tasks")).json()) as object).toMatchObject({ tasks: { length: 2 } });
});

test("[G19] a program is a task like any other", async () => {
  const { fetch, post, programs } = await setup();
  const program = { code: "return 1;", language: "typescript" };
  const response = await post("/api/tasks", { program });
  expect(response.status).toBe(201);
  const task = taskSchema.parse(await response.json());
  expect(task).toMatchObject({ status: "running", agentId: "exec" });
  const titled = await post("/api/tasks", {
    prompt: "Run it",
    program: { ...program, plugins: ["/lamp.ts"] },
  });
  expect(await titled.json()).toMatchObject({ prompt: "Run it" });
  expect(programs).toEqual([program, { ...program, plugins: ["/lamp.ts"] }]);
  expect((await fetch(`/api/tasks/${task.id}/cancel`, { method: "POST" })).status).toBe(200);
});

test("[G20] an ended task is read with its result", async () => {
  const { fetch, log, tasks, ids } = await setup();
  const { task, done } = await tasks.start({ prompt: "Say hello" }, async ({ stream, turnId }) => {
    const data = { itemId: ids.next("item"), text: "Hello." };
    await log.append(stream, [{ type: "assistant.message", turnId, data }]);
    return { kind: "completed" };
  });
  await done;
  const detail = taskDetailSchema.parse(await (await fetch(`/api/tasks/${task.id}`)).json());
  expect(detail).toMatchObject({ id: task.id, status: "succeeded", message: "Hello." });
});

test("[G3] [G4] cancels a task, once or twice", async () => {
  const { fetch, post, createTask } = await setup();
  const { id } = await createTask();
  const first = await fetch(`/api/tasks/${id}/cancel`, { method: "POST" });
  expect(first.status).toBe(200);
  expect(await first.json()).toMatchObject({ id, status: "cancelled" });
  expect((await post(`/api/tasks/${id}/cancel`, {})).status).toBe(200);
});

test("[G4] a task that ended in another way cannot be cancelled", async () => {
  const { log, post, createTask } = await setup();
  const { id, stream } = await createTask();
  await log.append(stream, [{ type: "task.completed", data: { taskId: id, outcome: "succeeded" } }]);
  const response = await post(`/api/tasks/${id}/cancel`, {});
  expect(response.status).toBe(409);
  expect(await response.json()).toMatchObject({ code: "task_already_ended" });
});

test.each(["tsk_00000000000000000000000000", "nonsense", "__proto__", "%00"])(
  "[G3] reports a task that does not exist as not found: %s",
  async (id) => {
    const { fetch, post } = await setup();
    expect((await fetch(`/api/tasks/${id}`)).status).toBe(404);
    expect((await fetch(`/api/tasks/${id}/events`)).status).toBe(404);
    expect((await post(`/api/tasks/${id}/cancel`, {})).status).toBe(404);
  },
);

test("[G5] [G6] lists and answers a pending approval", async () => {
  const { fetch, post, ask, events } = await setup();
  const { task, approvalId } = await ask({ to: "ada@example.org" });
  const listed = (await (await fetch("/api/approvals?status=pending")).json()) as { approvals: unknown[] };
  const [pending] = listed.approvals.map((item) => pendingApprovalSchema.parse(item));
  expect(pending).toMatchObject({ id: approvalId, toolPath: "mail.send", input: { to: "ada@example.org" } });

  const response = await post(`/api/approvals/${approvalId}`, { decision: "denied", reason: "not now" });
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ id: approvalId, decision: "denied" });
  expect((await events(task.stream)).at(-1)).toMatchObject({
    type: "approval.resolved",
    data: { approvalId, decision: "denied", reason: "not now", by: "owner" },
  });
  expect(await (await fetch("/api/approvals")).json()).toEqual({ approvals: [] });
});

test("[G5] [GC30] the first answer counts, even against concurrent ones", async () => {
  const { post, ask, events } = await setup();
  const { task, approvalId } = await ask({});
  const answers = await Promise.all(
    ["approved", "approved", "approved"].map((decision) =>
      post(`/api/approvals/${approvalId}`, { decision }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const opposite = await post(`/api/approvals/${approvalId}`, { decision: "denied" });
  expect(opposite.status).toBe(409);
  expect(await opposite.json()).toMatchObject({ code: "approval_already_resolved" });
  const resolved = (await events(task.stream)).filter(({ type }) => type === "approval.resolved");
  expect(resolved).toHaveLength(1);
});

test("[G5] an unknown approval is not found, and an expired one is gone", async () => {
  const { log, ids, post, createTask } = await setup();
  expect((await post(`/api/approvals/${ids.next("call")}`, { decision: "approved" })).status).toBe(404);
  expect((await post("/api/approvals/nonsense", { decision: "approved" })).status).toBe(404);
  const { stream } = await createTask();
  const approvalId = ids.next("call");
  const data = { approvalId, toolPath: "a.b", input: {}, preview: { title: "Do it" } };
  await log.append(stream, [
    {
      type: "approval.requested",
      data: { ...data, bindingHash: "0".repeat(64), expiresAt: "2020-01-01T00:00:00Z" },
    },
  ]);
  const late = await post(`/api/approvals/${approvalId}`, { decision: "approved" });
  expect(late.status).toBe(410);
  expect(await late.json()).toMatchObject({ code: "approval_expired" });
});

test("[G24] [G6] lists and revokes grants, once or twice", async () => {
  const { fetch, post, ask, events, ids } = await setup();
  const { task, approvalId } = await ask({ to: "ada@example.org" });
  expect(await (await fetch("/api/grants")).json()).toEqual({ grants: [] });
  await post(`/api/approvals/${approvalId}`, { decision: "approved", scope: "session" });
  const { grants } = (await (await fetch("/api/grants")).json()) as { grants: unknown[] };
  const [grant] = grants.map((item) => standingGrantSchema.parse(item));
  expect(grant).toMatchObject({
    stream: task.stream,
    scope: "session",
    bindings: [{ toolPath: "mail.send" }],
  });
  const { uses, ...granted } = grant ?? {};
  expect(uses).toBe(0);
  for (const _ of ["once", "twice"]) {
    const response = await post(`/api/grants/${grant?.id ?? ""}/revoke`, {});
    expect([response.status, await response.json()]).toEqual([200, granted]);
  }
  const revoked = (await events(task.stream)).filter(({ type }) => type === "grant.revoked");
  expect(revoked.map(({ data }) => data)).toEqual([{ grantId: grant?.id, by: "owner" }]);
  expect(await (await fetch("/api/grants")).json()).toEqual({ grants: [] });
  for (const id of [ids.next("grant"), approvalId, "nonsense", "%00"])
    expect((await post(`/api/grants/${id}/revoke`, {})).status).toBe(404);
});

test("[G6] [GC17] the client cannot say who did it", async () => {
  const { createTask, fetch, events } = await setup();
  const { id, stream } = await createTask();
  const headers = { "x-user": "mallory", "x-forwarded-user": "mallory", "x-role": "admin" };
  await fetch(`/api/tasks/${id}/cancel`, { method: "POST", headers });
  const cancelled = (await events(stream)).find(({ type }) => type === "task.cancelled");
  expect(cancelled?.data).toEqual({ taskId: id, by: "owner" });
});
