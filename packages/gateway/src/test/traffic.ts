import type { TaskId } from "@deputy/kit";
import { noteMessage } from "@deputy/protocol";
import { submittedRunSchema } from "@deputy/protocol/wire";
import { openRepeatingTask } from "@deputy/tasks";
import { expect, vi } from "vitest";
import { HOOK_TOKEN, hookOf } from "../hooks/sign.fixture.ts";
import { METRICS_TOKEN, type TestGateway as Gateway } from "./gateway.fixture.ts";

const json = (body: unknown) => ({ body: JSON.stringify(body), type: "application/json" });
const hello = { model: "main", messages: [{ role: "user", content: "Hi" }] };

export interface Exchange {
  readonly path: string;
  readonly body?: string;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function someApproval({ createTask, log, ids }: Gateway): Promise<string> {
  const task = await createTask();
  const approvalId = ids.next("call");
  const preview = { title: "Send a mail", reasons: ["it asks"] };
  const data = { approvalId, toolPath: "mail.send", input: {}, preview, bindingHash: "0".repeat(64) };
  await log.append(task.stream, [{ type: "approval.requested", data }]);
  return approvalId;
}

/** A task that runs every day. */
export async function someDailyTask({ log, ids }: Pick<Gateway, "log" | "ids">): Promise<TaskId> {
  const request = { prompt: "Look", schedule: "daily at 9:00 UTC" };
  const context = { ids, defaultAgent: "main", nowMs: Date.now(), zone: "UTC" };
  const { stream, taskId, events } = openRepeatingTask(request, context);
  await log.append(stream, events);
  return taskId;
}

async function someRun({ post, log }: Gateway): Promise<{ runId: string; threadId: string }> {
  const submitted = await post("/api/v2/submit", { prompt: "Hi" });
  const run = submittedRunSchema.parse(await submitted.json());
  await vi.waitFor(async () =>
    expect((await Array.fromAsync(log.read(run.threadId))).at(-1)?.type).toBe("turn.completed"),
  );
  return run;
}

async function someEndedTask({ createTask, log }: Gateway): Promise<string> {
  const { id, stream } = await createTask();
  await log.append(stream, [{ type: "task.completed", data: { taskId: id, outcome: "succeeded" } }]);
  return id;
}

async function someBlob({ fetch }: Gateway): Promise<string> {
  const headers = { "content-type": "application/octet-stream" };
  const stored = await fetch("/api/blobs", { method: "POST", body: "tea", headers });
  return ((await stored.json()) as { blobId: string }).blobId;
}

async function someGrant({ createTask, log, ids }: Gateway): Promise<string> {
  const { stream } = await createTask();
  const grantId = ids.next("grant");
  const bindings = [{ toolPath: "mail.send" }];
  await log.append(stream, [{ type: "grant.created", data: { grantId, scope: "session", bindings } }]);
  return grantId;
}

const MCP = { path: "/mcp", headers: { accept: "application/json, text/event-stream" } };
const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};
const discover = {
  jsonrpc: "2.0",
  id: 1,
  method: "server/discover",
  params: {
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  },
};

async function someMcpSession({ post }: Gateway): Promise<Record<string, string>> {
  const { headers, body } = await post("/mcp", initialize, MCP.headers);
  await body?.cancel();
  return { "mcp-session-id": headers.get("mcp-session-id") ?? "" };
}

/** For every route, requests that it answers successfully. A route that is missing here fails its tests. */
export const traffic: Record<string, (gateway: Gateway) => Promise<readonly Exchange[]>> = {
  "POST /api/sign-in/codes": async () => [{ path: "/api/sign-in/codes", ...json({}) }],
  "POST /api/sign-in/sessions": async () => [{ path: "/api/sign-in/sessions", ...json({}) }],
  "POST /api/sign-in": async ({ gateway }) => [
    { path: "/api/sign-in", ...json({ code: gateway.signInCode() }) },
  ],
  "GET /health": async () => [{ path: "/health" }],
  "GET /": async () => [{ path: "/" }],
  "GET /metrics": async () => [{ path: "/metrics", headers: { authorization: `Bearer ${METRICS_TOKEN}` } }],
  "POST /api/tasks": async () => [
    { path: "/api/tasks", ...json({ prompt: "Tidy up" }) },
    { path: "/api/tasks", ...json({ program: { code: "return 1;", language: "javascript" } }) },
  ],
  "GET /api/tasks": async (gateway) => {
    await gateway.createTask();
    return [{ path: "/api/tasks" }];
  },
  "GET /api/tasks/:id": async (gateway) => [
    { path: `/api/tasks/${(await gateway.createTask()).id}` },
    { path: `/api/tasks/${await someEndedTask(gateway)}` },
  ],
  "GET /api/notices": async ({ log, ids }) => {
    const session = ids.next("session");
    const told = { channel: "session", conversation: session, messageRef: "m1" };
    await log.append(session, [
      { type: "outbox.queued", data: told },
      { type: "outbox.sent", data: told },
      { type: "user.message", data: noteMessage({ from: "the task “Look”", text: "Three are new." }) },
    ]);
    return [{ path: "/api/notices" }];
  },
  "GET /api/memory/search": async () => [{ path: "/api/memory/search?query=key&agent=main&limit=3" }],
  "GET /api/memory/status": async () => [{ path: "/api/memory/status" }],
  "POST /api/memory/index": async () => [{ path: "/api/memory/index", ...json({}) }],
  "GET /api/memory/documents": async () => [{ path: "/api/memory/documents?agent=main" }],
  "GET /api/memory/document": async () => [{ path: "/api/memory/document?path=main/memory/keys.md" }],
  "POST /api/memory/document": async () => [
    { path: "/api/memory/document", ...json({ path: "main/memory/keys.md", before: null, text: "Tea" }) },
  ],
  "GET /api/memory/recalled": async ({ ids }) => [
    { path: `/api/memory/recalled?session=${ids.next("session")}` },
  ],
  "GET /api/memory/changes": async () => [{ path: "/api/memory/changes?limit=3" }],
  "POST /api/memory/undo": async () => [{ path: "/api/memory/undo", ...json({ changeId: "chg_1" }) }],
  "POST /api/memory/forget": async () => [{ path: "/api/memory/forget", ...json({ text: "tea" }) }],
  "GET /api/tasks/:id/history": async (gateway) => [
    { path: `/api/tasks/${await someEndedTask(gateway)}/history` },
  ],
  "GET /api/tasks/:id/events": async (gateway) => [
    { path: `/api/tasks/${await someEndedTask(gateway)}/events` },
  ],
  "POST /api/tasks/:id/cancel": async (gateway) => [
    { path: `/api/tasks/${(await gateway.createTask()).id}/cancel` },
  ],
  "POST /api/tasks/:id/pause": async (gateway) => [
    { path: `/api/tasks/${await someDailyTask(gateway)}/pause` },
  ],
  "POST /api/tasks/:id/resume": async (gateway) => [
    { path: `/api/tasks/${await someDailyTask(gateway)}/resume` },
  ],
  "POST /api/tasks/:id/run": async (gateway) => [{ path: `/api/tasks/${await someDailyTask(gateway)}/run` }],
  "POST /api/tasks/:id/edit": async (gateway) => [
    {
      path: `/api/tasks/${await someDailyTask(gateway)}/edit`,
      ...json({ prompt: "Look again", schedule: "daily at 10:00 UTC" }),
    },
  ],
  "GET /api/audit/export": async () => [
    { path: "/api/audit/export" },
    { path: "/api/audit/export?types=task,call&text=hello" },
  ],
  "GET /api/approvals": async (gateway) => {
    await someApproval(gateway);
    return [{ path: "/api/approvals" }, { path: "/api/approvals?status=pending" }];
  },
  "POST /api/approvals/:callId": async (gateway) => [
    { path: `/api/approvals/${await someApproval(gateway)}`, ...json({ decision: "denied", reason: "no" }) },
  ],
  "GET /api/grants": async (gateway) => {
    await someGrant(gateway);
    return [{ path: "/api/grants" }];
  },
  "POST /api/grants/:id/revoke": async (gateway) => [
    { path: `/api/grants/${await someGrant(gateway)}/revoke`, ...json({}) },
  ],
  "POST /api/v2/submit": async (gateway) => {
    const attachments = [{ blobId: await someBlob(gateway), name: "tea.txt", mimeType: "text/plain" }];
    return [{ path: "/api/v2/submit", ...json({ prompt: "Hi", agentId: "helper", attachments }) }];
  },
  "GET /api/v2/stream/:runId": async (gateway) => [
    { path: `/api/v2/stream/${(await someRun(gateway)).runId}` },
  ],
  "GET /api/v2/runs/:runId": async (gateway) => [{ path: `/api/v2/runs/${(await someRun(gateway)).runId}` }],
  "GET /api/v2/threads": async (gateway) => {
    await someRun(gateway);
    return [{ path: "/api/v2/threads?limit=10" }];
  },
  "GET /api/v2/threads/:id": async (gateway) => [
    { path: `/api/v2/threads/${(await someRun(gateway)).threadId}` },
  ],
  "GET /v1/models": async () => [{ path: "/v1/models" }],
  "GET /v1/models/:model": async () => [{ path: "/v1/models/main" }],
  "GET /v1/responses/:id": async (gateway) => {
    const path = `/v1/responses/${(await someRun(gateway)).runId}`;
    return [{ path }, { path: `${path}?stream=true` }];
  },
  "POST /v1/chat/completions": async () => [
    { path: "/v1/chat/completions", ...json(hello) },
    {
      path: "/v1/chat/completions",
      ...json({ ...hello, stream: true, stream_options: { include_usage: true }, temperature: 1 }),
    },
  ],
  "POST /v1/responses": async () => [
    { path: "/v1/responses", ...json({ model: "main", input: "Hi" }) },
    { path: "/v1/responses", ...json({ model: "main", input: "Hi", stream: true }) },
  ],
  "POST /api/blobs": async () => [{ path: "/api/blobs", body: "tea", type: "application/octet-stream" }],
  "GET /api/blobs/:id": async (gateway) => [{ path: `/api/blobs/${await someBlob(gateway)}` }],
  "POST /api/hooks/:token": async ({ hooks }) => {
    hooks.push(hookOf("none"));
    return [{ path: `/api/hooks/${HOOK_TOKEN}`, ...json({ state: "failed" }) }];
  },
  "POST /mcp": async (gateway) => {
    const session = await someMcpSession(gateway);
    const modern = { "mcp-protocol-version": "2026-07-28", "mcp-method": "server/discover" };
    const list = json({ jsonrpc: "2.0", id: 2, method: "tools/list" });
    const initialized = json({ jsonrpc: "2.0", method: "notifications/initialized" });
    return [
      { ...MCP, ...json(initialize) },
      { ...MCP, ...json(discover), headers: { ...MCP.headers, ...modern } },
      { ...MCP, ...initialized, headers: { ...MCP.headers, ...session } },
      { ...MCP, ...list },
      { ...MCP, ...list, headers: { ...MCP.headers, "mcp-session-id": "gone" } },
    ];
  },
  "DELETE /mcp": async (gateway) => {
    const headers = await someMcpSession(gateway);
    return [{ ...MCP, headers }, { ...MCP, headers }, MCP];
  },
  "GET /openapi.json": async () => [{ path: "/openapi.json" }],
  "GET /openrpc.json": async () => [{ path: "/openrpc.json" }],
};
