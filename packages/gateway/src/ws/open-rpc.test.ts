import { someDailyTask } from "../test/traffic.ts";
import { createHash, randomBytes } from "node:crypto";
import { createIdSource, createSystemClock } from "@deputy/kit";
import { createLogChannels } from "@deputy/tasks/channels";
import { createMemoryEventLog } from "@deputy/testing";
import { authAnswerSchema, type OpenRpcDocument, rpcAnswerSchema } from "@deputy/protocol/rpc";
import { createCatalogue, defineTool } from "@deputy/tools";
import {
  createMemoryFileTree,
  createMemoryShadowStore,
  createWorkspace,
  recordChanges,
} from "@deputy/workspace";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { startTestGateway } from "../test/gateway.fixture.ts";
import { setupDoorFixture, useSetup } from "../test/setup-door.fixture.ts";
import { signIn, type SocketClient } from "../test/socket-client.ts";

const live = new AbortController().signal;
const note = defineTool({
  description: "Write a note",
  approval: "auto",
  effect: "write",
  critical: [],
  args: z.object({ text: z.string() }),
  run: () => "done",
});

async function setup() {
  const real = createMemoryFileTree();
  await real.write("a.txt", new TextEncoder().encode("one\n"), { executable: false }, live);
  const hash = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
  const workspace = createWorkspace({
    store: createMemoryShadowStore(new Map([["/notes", real]])),
    hash,
    now: () => createSystemClock().now(),
  });
  await workspace.import({ root: "/notes", uncommitted: "keep" }, live);
  await workspace.write("a.txt", "two\n", live);
  await workspace.write("b.txt", "new\n", live);
  const demo = {
    clock: createSystemClock(),
    speed: 1,
    setSpeed(speed: number) {
      demo.speed = speed;
    },
  };
  const clock = createSystemClock();
  const channels = createLogChannels({
    log: createMemoryEventLog({ clock, ids: createIdSource({ clock }) }),
    clock,
    sha256: (text) => createHash("sha256").update(text).digest("hex"),
    randomBytes,
  });
  const gateway = await startTestGateway({
    channels: async () => channels,
    catalogue: async () => createCatalogue([{ source: "test", tree: { notes: { write: note } } }]),
    noteApplied: async (counted) => {
      const data = { ...counted, changeSet: "chg" };
      await gateway.log.append("system", [{ type: "workspace.changed", data }]);
    },
    fetch: async () => ({ answer: { kind: "failed", code: "address_refused", message: "no" } }),
    workspace: async () =>
      recordChanges(workspace, {
        hash,
        async record({ what, folder, ...counted }) {
          const data = { ...counted, ...(folder !== undefined && { folder }) };
          await gateway.log.append("system", [{ type: `workspace.${what}`, data }]);
        },
      }),
    slashCommands: {
      list: async () => [{ name: "greet", description: "Greets", argumentHint: "NAME" }],
      expand: async (name, args) => (name === "greet" ? `Greet ${args}` : undefined),
    },
    demo,
    setup: async () => setupDoorFixture(),
    restart: () => undefined,
    readSetting: (key) => (key === "nothing" ? undefined : { port: 1 }),
  });
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  const document = (await (await gateway.fetch("/openrpc.json")).json()) as OpenRpcDocument;
  return { ...gateway, workspace, document, client: await signIn(gateway.url) };
}

/** Calls everything once, as a client would, and returns the calls. */
async function useEverything({
  client,
  log,
  ids,
  post,
}: Awaited<ReturnType<typeof setup>>): Promise<ReadonlyMap<string, object>> {
  const asked = new Map<string, object>();
  const call: SocketClient["call"] = async (method, params = {}) => {
    asked.set(method, params);
    return await client.call(method, params);
  };
  await call("health.check");
  await call("agents.list");
  const { sessionKey, sessionId } = await call("sessions.create", {
    agentId: "main",
    key: "ws--desk",
    channel: "ws",
    existing: "go_on",
  });
  await call("events.subscribe", { stream: sessionId, after: 0 });
  await call("changes.subscribe");
  const { runId } = await call("chat.send", { sessionKey, message: "Hi" });
  await client.push("event", ({ type }) => type === "turn.completed");
  await call("chat.abort", { runId });
  await call("chat.history", { sessionKey, limit: 10 });
  await call("sessions.get", { sessionKey });
  await call("sessions.list", { limit: 10 });
  await call("sessions.list", { ids: [sessionId] });
  await call("events.page", { stream: sessionId, before: 100, limit: 10 });
  await call("sessions.search", { query: "hi", limit: 5 });
  await call("sessions.update", { sessionKey, title: "Desk", archived: true });
  await call("sessions.fork", { sessionKey });
  await client.push("changed");
  const approval = async () => {
    const approvalId = ids.next("call");
    const preview = { title: "Send", reasons: ["It asks"] };
    const data = { approvalId, toolPath: "mail.send", input: {}, preview, bindingHash: "0".repeat(64) };
    const progress = { callId: approvalId, toolPath: "mail.send", message: "half" };
    await log.append(sessionId, [
      { type: "approval.requested", data },
      { type: "call.progress", turnId: ids.next("turn"), data: progress },
    ]);
    return approvalId;
  };
  await call("exec.approve", { approvalId: await approval(), scope: "once" });
  const denied = await approval();
  expect(await call("exec.answer", { approvalId: denied })).toEqual({});
  await call("exec.deny", { approvalId: denied, reason: "no" });
  expect(await call("exec.answer", { approvalId: denied })).toMatchObject({
    answer: { decision: "denied", reason: "no" },
  });
  await call("exec.approve", { approvalId: await approval(), scope: "session" });
  const { grants } = (await call("exec.grants")) as { grants: { id: string; title: string }[] };
  expect(grants).toMatchObject([{ title: "mail.send: Send", lines: [] }]);
  await call("exec.revoke", { grantId: grants[0]?.id });
  expect(await call("exec.grants")).toEqual({ grants: [] });
  await client.push("tool.progress");
  await call("events.unsubscribe", { stream: sessionId });
  await call("exec.pending");
  await call("notices.list");
  await call("tasks.preview", { schedule: "daily at 9:00", zone: "Europe/Vienna", count: 2 });
  const { id: taskId } = await call("tasks.create", { prompt: "Do it" });
  await call("tasks.get", { taskId });
  await call("tasks.history", { taskId });
  await call("tasks.list");
  await call("tasks.cancel", { taskId });
  const daily = await someDailyTask({ log, ids });
  expect(await call("tasks.pause", { taskId: daily })).toMatchObject({ status: "paused" });
  expect(await call("tasks.resume", { taskId: daily })).toMatchObject({ status: "scheduled" });
  expect(await call("tasks.edit", { taskId: daily, prompt: "Else" })).toMatchObject({ prompt: "Else" });
  expect(await call("tasks.run", { taskId: daily })).toMatchObject({ status: "running" });
  expect((await client.failure("tasks.run", { taskId: daily })).data.code).toBe("task_running");
  expect((await client.failure("tasks.pause", { taskId })).data.code).toBe("task_already_ended");
  expect(await call("background.list")).toMatchObject({ watched: [{ name: "orders" }] });
  await call("heartbeat.pause");
  await call("heartbeat.resume");
  await call("reminders.switch", { reminderId: ids.next("reminder"), isEnabled: false });
  await call("reminders.remove", { reminderId: ids.next("reminder") });
  expect(await call("hooks.add", { name: "deploys", scheme: "none" })).toEqual({
    path: "/api/hooks/deploys",
  });
  expect(await call("hooks.renew", { name: "builds" })).toEqual({ path: "/api/hooks/new", secret: "made" });
  expect((await client.failure("hooks.renew", { name: "none" })).data.code).toBe("not_found");
  expect(await call("hooks.remove", { name: "builds" })).toEqual({ ok: true });
  expect((await client.failure("hooks.remove", { name: "none" })).data.code).toBe("not_found");
  await call("audit.list", { types: ["task"], limit: 2 });
  await call("audit.verify", { start: true });
  expect(await call("tools.search", { query: "note" })).toMatchObject({ tools: [{ path: "notes.write" }] });
  const { declarations } = await call("tools.describe", { paths: ["notes.write", "no.such"] });
  expect(declarations).toContain("write");
  const { changeSet, changes } = await call("workspace.status");
  expect(changes).toHaveLength(2);
  await call("workspace.diff", { paths: ["a.txt"] });
  await call("workspace.diff");
  await call("workspace.revert", { paths: ["b.txt"] });
  expect((await client.failure("workspace.commit", { changeSet })).data.code).toBe("stale_change_set");
  const { changeSet: now } = await call("workspace.status");
  expect(await call("workspace.commit", { changeSet: now })).toMatchObject({ files: [{ path: "a.txt" }] });
  expect(await call("workspace.history")).toMatchObject({ commits: [{ added: 0, modified: 1, deleted: 0 }] });
  expect(await call("workspace.tree", { path: "" })).toEqual({ entries: [{ name: "a.txt", kind: "file" }] });
  const sides = await call("workspace.sides", { path: "a.txt" });
  expect(sides).toEqual({
    base: "two\n",
    ours: "two\n",
    theirs: "two\n",
    state: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(await call("workspace.find", { query: "at", limit: 1 })).toEqual({
    paths: ["a.txt"],
    hasMore: false,
  });
  expect(await call("commands.list", { agentId: "main" })).toEqual({
    commands: [{ name: "greet", description: "Greets", argumentHint: "NAME" }],
    skills: [],
  });
  expect(await call("commands.expand", { name: "greet", arguments: "Ada" })).toEqual({ prompt: "Greet Ada" });
  expect((await client.failure("commands.expand", { name: "none" })).data.code).toBe("not_found");
  const merged = { path: "a.txt", take: "text", text: "three\n" };
  await call("workspace.resolve", { ...merged, state: (sides as { state: string }).state });
  // What was decided about is not what is there by now.
  const stale = await client.failure("workspace.resolve", {
    ...merged,
    state: (sides as { state: string }).state,
  });
  expect(stale.data.code).toBe("stale_change_set");
  await call("workspace.applied", { added: 1, modified: 0, deleted: 2, sha256: "0".repeat(64) });
  const request = {
    way: "scripts",
    method: "GET",
    url: "https://example.org",
    headers: [],
    redirects: "follow",
  };
  expect(await call("net.fetch", request)).toMatchObject({
    answer: { kind: "failed", code: "address_refused" },
  });
  expect(await call("workspace.snapshots")).toEqual({ snapshots: [] });
  expect(await call("workspace.undo")).toEqual({ files: [] });
  expect((await client.failure("workspace.undo", { snapshot: "none" })).data.code).toBe("unknown_snapshot");
  expect(await call("workspace.import", { folder: "/notes", discard: true })).toMatchObject({ files: 1 });
  expect(await call("workspace.progress")).toEqual({ importing: null });
  const table = await call("usage.table", { since: "2020-01-01T00:00:00Z", zone: "Europe/Vienna" });
  expect(table).toMatchObject({
    models: [{ turns: 1, output: 7, largest: expect.any(Number) }],
    sessions: [{ turns: 1 }],
    tasks: [],
  });
  expect(await call("demo.speed", { speed: 60, forMs: 1_000 })).toMatchObject({ speed: 60 });
  expect(await call("usage.get", { sessionKey })).toMatchObject({ turns: 1, usage: { outputTokens: 7 } });
  await call("usage.get", { since: "2020-01-01T00:00:00Z" });
  expect(await call("config.get", { key: "gateway" })).toEqual({ value: { port: 1 } });
  expect((await client.failure("config.get", { key: "nothing" })).data.code).toBe("not_found");
  await call("sessions.delete", { sessionKey });
  expect(await call("memory.search", { query: "key", agent: "helper" })).toMatchObject({
    hits: [{ path: "helper/memory/keys.md", why: "has key" }],
  });
  await post("/api/sign-in/sessions", {});
  await useSetup(call);
  expect(await call("memory.status")).toMatchObject({ chunks: 1, model: null });
  expect(await call("memory.index")).toMatchObject({ documents: 1, indexed: 1 });
  const path = "helper/memory/keys.md";
  expect(await call("memory.list", { agent: "helper" })).toMatchObject({ documents: [{ path }] });
  expect(await call("memory.show", { path, agent: "helper" })).toMatchObject({ pieces: [{ lines: "1" }] });
  expect(await call("memory.edit", { path, before: null, text: "Tea" })).toEqual({ changeId: "chg_1" });
  expect(await call("memory.recalled", { session: "ses_01ARZ3NDEKTSV4RRFFQ69G5FAV" })).toEqual({ turns: [] });
  expect(await call("memory.changes", { limit: 5 })).toEqual({ changes: [] });
  expect(await call("memory.undo", { changeId: "chg_1" })).toEqual({ outcome: "undone" });
  expect(await call("memory.forget", { text: "tea", dryRun: true })).toMatchObject({ removed: { lines: 1 } });
  expect(await call("channels.list")).toEqual({ channels: [] });
  expect(await call("channels.connect", { channel: "pigeon", values: {} })).toEqual({ outcome: "failed" });
  expect(await call("push.key")).toEqual({ key: "k" });
  const keys = { p256dh: "0123456789", auth: "0123456789" };
  expect(await call("push.subscribe", { endpoint: "https://push.example/1", ...keys })).toEqual({
    turnedOn: true,
  });
  expect(await call("push.unsubscribe", { endpoint: "https://push.example/1" })).toEqual({ ok: true });
  const channel = "telegram";
  const { code } = (await call("channels.code", { channel })) as { code: string };
  expect(await call("channels.pair", { channel, person: { id: "17", name: "Ada" }, code })).toEqual({
    paired: true,
  });
  expect(await call("channels.people", { channel })).toEqual({ people: [{ id: "17", name: "Ada" }] });
  await call("channels.posting", { channel, session: sessionId, item: "answer", part: 0 });
  await call("channels.posted", { channel, session: sessionId, item: "answer", part: 0, ref: "100" });
  expect(await call("channels.progress", { channel })).toMatchObject({
    conversations: [{ through: 0, open: [{ item: "answer", part: 0, ref: "100" }] }],
  });
  await call("channels.shown", { channel, session: sessionId, item: "answer", through: 3 });
  await call("channels.home", { channel, person: "17", session: sessionId });
  await call("channels.keep", { channel, people: [] });
  await call("channels.shown", { channel, session: sessionId, item: "note", failed: "blocked" });
  expect(await call("channels.failed", { channel })).toMatchObject({
    failed: [{ item: "note", reason: "blocked" }],
  });
  expect(await call("channels.retry", { channel })).toEqual({ count: 1 });
  expect(await call("channels.unpair", { channel, person: "17" })).toEqual({ ok: true });
  return asked;
}

test("[G39] every method and push matches /openrpc.json on the wire", async () => {
  const all = await setup();
  const { client, document } = all;
  const sent: { id: string; method: string; params: object }[] = [];
  client.ws.send = new Proxy(client.ws.send, {
    apply(target, self, args: [string]) {
      sent.push(JSON.parse(args[0]) as (typeof sent)[number]);
      return Reflect.apply(target, self, args) as unknown;
    },
  });
  const asked = await useEverything(all);
  expect([...asked.keys()].toSorted()).toEqual(document.methods.map(({ name }) => name).toSorted());
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const problems = (schema: unknown, value: unknown): unknown =>
    ajv.validate(schema as object, value) ? [] : ajv.errors;
  for (const { id, method, params } of sent) {
    const described = document.methods.find(({ name }) => name === method);
    if (described === undefined) throw new Error(method);
    const byName = {
      type: "object",
      properties: Object.fromEntries(described.params.map(({ name, schema }) => [name, schema])),
      required: described.params.filter(({ required }) => required).map(({ name }) => name),
      additionalProperties: false,
    };
    expect([method, problems(byName, params)]).toEqual([method, []]);
    const answer = client.frames.find((frame) => frame["id"] === id);
    expect(rpcAnswerSchema.safeParse(answer).success).toBe(true);
    if (answer !== undefined && "result" in answer)
      expect([method, problems(described.result.schema, answer["result"])]).toEqual([method, []]);
  }
  const kinds = new Set(client.pushes().map(({ event }) => event));
  expect([...kinds].toSorted()).toEqual([
    "changed",
    "chat.delta",
    "chat.final",
    "event",
    "exec.approval_request",
    "tool.progress",
  ]);
  for (const push of client.pushes()) expect(problems(document["x-pushes"], push)).toEqual([]);
  expect(authAnswerSchema.safeParse(client.frames[0]).success).toBe(true);
});

test("[G39] names the existing methods", async () => {
  const { document } = await setup();
  expect(document.openrpc).toMatch(/^1\./);
  expect(document.methods.map(({ name }) => name)).toEqual([
    "health.check",
    "agents.list",
    "sessions.create",
    "sessions.list",
    "sessions.update",
    "sessions.delete",
    "sessions.fork",
    "sessions.search",
    "sessions.get",
    "chat.send",
    "chat.history",
    "chat.abort",
    "exec.pending",
    "exec.answer",
    "exec.approve",
    "exec.deny",
    "exec.grants",
    "exec.revoke",
    "events.subscribe",
    "events.page",
    "changes.subscribe",
    "events.unsubscribe",
    "tasks.create",
    "tasks.list",
    "tasks.get",
    "tasks.history",
    "tasks.preview",
    "notices.list",
    "tasks.pause",
    "tasks.resume",
    "tasks.run",
    "tasks.edit",
    "tasks.cancel",
    "background.list",
    "heartbeat.pause",
    "heartbeat.resume",
    "reminders.switch",
    "reminders.remove",
    "hooks.add",
    "hooks.renew",
    "hooks.remove",
    "audit.list",
    "audit.verify",
    "tools.search",
    "tools.describe",
    "memory.search",
    "memory.status",
    "memory.index",
    "memory.list",
    "memory.show",
    "memory.edit",
    "memory.recalled",
    "memory.changes",
    "memory.undo",
    "memory.forget",
    "workspace.status",
    "workspace.diff",
    "workspace.commit",
    "workspace.revert",
    "workspace.snapshots",
    "workspace.undo",
    "workspace.import",
    "workspace.progress",
    "workspace.history",
    "workspace.tree",
    "workspace.sides",
    "workspace.resolve",
    "workspace.applied",
    "net.fetch",
    "usage.table",
    "demo.speed",
    "usage.get",
    "config.get",
    "commands.list",
    "commands.expand",
    "workspace.find",
    "daemon.restart",
    "models.status",
    "models.look",
    "models.connect",
    "models.stop",
    "settings.list",
    "settings.set",
    "settings.unset",
    "documents.list",
    "documents.read",
    "documents.write",
    "documents.remove",
    "doctor.check",
    "signIns.list",
    "signIns.revoke",
    "sources.list",
    "sources.check",
    "sources.look",
    "sources.review",
    "sources.await",
    "sources.keep",
    "sources.decline",
    "sources.remove",
    "channels.list",
    "channels.connect",
    "push.key",
    "push.subscribe",
    "push.unsubscribe",
    "channels.code",
    "channels.pair",
    "channels.unpair",
    "channels.people",
    "channels.keep",
    "channels.home",
    "channels.failed",
    "channels.retry",
    "channels.posting",
    "channels.posted",
    "channels.shown",
    "channels.progress",
  ]);
});
