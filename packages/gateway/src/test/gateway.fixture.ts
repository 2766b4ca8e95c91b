import { createRedactor } from "@deputy/secrets";
import { once } from "node:events";
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import {
  type ApprovalDesk,
  createAgentRegistry,
  createLogApprovalDesk,
  createLogGrantsDesk,
} from "@deputy/agent";
import { createLogSessionService, type SessionService } from "@deputy/agent/sessions";
import { createIdSource, createSystemClock, type IdSource } from "@deputy/kit";
import type { EventLog, Program, Task } from "@deputy/protocol";
import {
  type Conversations,
  createConversationQueue,
  createLogInbox,
  createLogTaskService,
  type LogTaskService,
  type TaskWork,
} from "@deputy/tasks";
import { createMemoryBlobStore, createMemoryEventLog, createMemoryTextFolder } from "@deputy/testing";
import { createGateway, type Gateway, type GatewayDeps } from "../gateway.ts";
import type { Hook } from "../hooks/hook.ts";
import { sha256Hex } from "../hooks/same-secret.ts";
import { createToldTurns, type ToldModel } from "./told-turns.ts";

export interface TestGateway extends AsyncDisposable {
  readonly gateway: Gateway;
  readonly url: string;
  readonly port: number;
  readonly log: EventLog;
  readonly ids: IdSource;
  readonly tasks: LogTaskService;
  readonly approvals: ApprovalDesk;
  readonly sessions: SessionService;
  readonly conversations: Conversations;
  /** Answers for the agents, which are `main` and `helper`. */
  readonly model: ToldModel;
  /** The webhooks; none at first. */
  readonly hooks: Hook[];
  /** Those that tasks were made of. */
  readonly programs: Program[];
  /** Errors that no client may see. */
  readonly bugs: unknown[];
  setToken(token: string): void;
  /** Like a program: with the current token unless headers say otherwise. */
  fetch(path: string, init?: TestInit): Promise<Response>;
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** For headers that `fetch` does not allow. */
  raw(options: RawRequest): Promise<RawResponse>;
  createTask(prompt?: string): Promise<Task>;
}

export type TestInit = Omit<RequestInit, "headers"> & { readonly headers?: Readonly<Record<string, string>> };

export interface RawRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
}

export interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export const TOKEN = "a-token-of-the-owner";
export const METRICS_TOKEN = "a-token-for-metrics-only";

/** A gateway on a free port over real task and approval services; a task's work lasts until it is stopped. */
/** Whatever is asked, it finds the same. */
export const oneNote: NonNullable<GatewayDeps["memory"]> = {
  async search({ query, agent = "main", limit = 1 }) {
    const hit = {
      source: "notes" as const,
      path: `${agent}/memory/keys.md`,
      lines: "1-2",
      about: "[memory/keys.md]",
      text: "The key is under the mat",
      score: 1,
      why: `has ${query}`,
      foreign: [],
    };
    return { hits: [hit].slice(0, limit), by: "words", stale: false };
  },
  status: async () => ({
    documents: { notes: 1 },
    chunks: 1,
    embedded: 0,
    pieces: 1,
    model: null,
    formerModel: null,
    stale: false,
    problems: [],
  }),
  index: async () => ({ documents: 1, indexed: 1, removed: 0, embedded: 0, problems: [] }),
  list: async ({ agent = "main" }) => ({
    documents: [{ source: "notes", path: `${agent}/memory/keys.md`, stale: false }],
  }),
  show: async () => ({
    pieces: [{ lines: "1", about: "[memory/keys.md]", text: "The key is under the mat", foreign: [] }],
    text: "The key is under the mat\n",
  }),
  edit: async () => ({ changeId: "chg_1" }),
  recalled: async () => ({ turns: [] }),
  changes: async () => ({ changes: [] }),
  undo: async () => ({ outcome: "undone" }),
  forget: async () => ({
    removed: { lines: 1, files: 0, events: 2, recalled: 1, conversations: 1, pieces: 1 },
    files: [],
    kept: [],
  }),
};

/** One reminder, one hook, and a log that holds. */
const quietBackground: NonNullable<GatewayDeps["background"]> = {
  list: async () => ({
    watched: [{ name: "orders", kind: "hook", about: "signed", deliveries: [] }],
    reminders: [],
    heartbeat: { isEnabled: true, everyMinutes: 30, skipped: [] },
  }),
  pauseHeartbeat: async () => undefined,
  switchReminder: async () => true,
  addHook: async ({ name }) => ({ path: `/api/hooks/${name}` }),
  renewHook: async (name) => (name === "builds" ? { path: "/api/hooks/new", secret: "made" } : undefined),
  removeHook: async (name) => name === "builds",
  removeReminder: async () => true,
};
const soundAudit: NonNullable<GatewayDeps["audit"]> = {
  page: async () => ({ events: [] }),
  verify: (start) => ({ state: start ? "running" : "none", events: 0, total: 0, problems: [] }),
  async *lines() {
    yield '{"type":"error"}';
  },
};

export async function startTestGateway(overrides: Partial<GatewayDeps> = {}): Promise<TestGateway> {
  const clock = overrides.clock ?? createSystemClock();
  const ids = createIdSource({ clock });
  const log = createMemoryEventLog({ clock, ids });
  const bugs: unknown[] = [];
  const onBug = (error: unknown): void => void bugs.push(error);
  const life = new AbortController();
  const programs: Program[] = [];
  const prepareProgram = async (program: Program): Promise<TaskWork> => {
    programs.push(program);
    return untilStopped;
  };
  const { signal } = life;
  const tasks = createLogTaskService({ log, ids, work: untilStopped, prepareProgram, onBug, signal });
  const redactor = createRedactor([]);
  const approvals = createLogApprovalDesk({ log, clock, ids, redactor });
  const sessions = createLogSessionService({ log, ids });
  const { turns, model } = createToldTurns({ log, clock, ids });
  const conversations = createConversationQueue({ log, ids, turns, sessions, onBug, signal });
  const settings = { defaultAgent: "main", forAll: {}, bySlug: new Map([["helper", {}]]) };
  const agents = createAgentRegistry({ folder: createMemoryTextFolder({}), settings, shelvesOf: () => [] });
  let token = TOKEN;
  const hooks: Hook[] = [];
  const gateway = createGateway({
    log,
    tasks,
    approvals,
    grants: createLogGrantsDesk({ log, clock }),
    agents,
    defaultAgent: "main",
    sessions,
    conversations,
    blobs: createMemoryBlobStore({ blobBytes: 100_000 }),
    hooks: () => hooks,
    inbox: createLogInbox({ log, sha256: sha256Hex, redact: redactor.json }),
    clock,
    token: () => token,
    metricsToken: () => METRICS_TOKEN,
    version: "1.2.3",
    memory: oneNote,
    background: quietBackground,
    audit: soundAudit,
    host: "127.0.0.1",
    port: 0,
    onBug,
    page: [{ path: "/", contentType: "text/html; charset=utf-8", body: () => "<h1>Deputy</h1>" }],
    ...overrides,
  });
  const { url } = await gateway.listen(life.signal);
  const port = Number(new URL(url).port);

  const send: TestGateway["fetch"] = (path, init = {}) =>
    fetch(url + path, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } });

  return {
    gateway,
    url,
    port,
    log,
    ids,
    tasks,
    approvals,
    sessions,
    conversations,
    model,
    hooks,
    programs,
    bugs,
    setToken(next) {
      token = next;
    },
    fetch: send,
    post: (path, body, headers = {}) =>
      send(path, {
        method: "POST",
        body: JSON.stringify(body),
        headers: { "content-type": "application/json", ...headers },
      }),
    raw: (options) => rawRequest(port, token, options),
    createTask: (prompt = "Say hello") => tasks.create({ prompt }),
    async [Symbol.asyncDispose]() {
      await gateway.close();
      life.abort();
      await conversations[Symbol.asyncDispose]();
      await tasks[Symbol.asyncDispose]();
    },
  };
}

const untilStopped: TaskWork = async (_turn, signal) => {
  if (!signal.aborted) await once(signal, "abort");
  return { kind: "aborted" };
};

async function rawRequest(port: number, token: string, options: RawRequest): Promise<RawResponse> {
  const { method = "GET", path = "/api/tasks", headers = {}, body } = options;
  const request = httpRequest({
    host: "127.0.0.1",
    port,
    method,
    path,
    agent: false,
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
  request.end(body);
  const [response] = await once(request, "response");
  let text = "";
  for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode ?? 0, headers: response.headers, body: text };
}
