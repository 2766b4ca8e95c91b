import { type HttpClient, StreamRefused } from "./http-client.ts";
import type { Ledger } from "./ledger.ts";
import type { Random } from "./random.ts";
import { readInPieces } from "./read-in-pieces.ts";
import { openRpcClient, type RpcClient } from "./rpc-client.ts";

export interface WorkDeps {
  readonly url: string;
  readonly http: HttpClient;
  readonly ledger: Ledger;
  readonly random: Random;
  /** Text that no other message has. */
  readonly unique: () => string;
}

/** What clients do, over connections that break at random. */
export const honestWork: Readonly<Record<string, (deps: WorkDeps) => Promise<void>>> = {
  task: async (deps) => {
    const code = `console.log("begun"); return ${JSON.stringify(deps.unique())};`;
    await followTask(deps, await createTask(deps, code));
  },

  "task with a question": async (deps) => {
    const { http, random } = deps;
    const code = `return await tools.github.issues.close({ issueNumber: ${1 + random.below(6)} });`;
    const decision = random.pick(["approved", "denied"]);
    await followTask(deps, await createTask(deps, code), async (data) => {
      const { type, id } = JSON.parse(data) as { type: string; id: string };
      if (type !== "approval_request") return;
      // The same answer twice is no conflict.
      for (let times = 1 + random.below(2); times > 0; times--)
        await expectStatus(deps, await http.send("POST", `/api/approvals/${id}`, { decision }), [200]);
    });
  },

  "cancelled task": async (deps) => {
    const id = await createTask(deps, "return await tools.github.issues.close({ issueNumber: 1 });");
    if (id === undefined) return;
    await expectStatus(deps, await deps.http.send("POST", `/api/tasks/${id}/cancel`, {}), [200]);
    await followTask(deps, id);
  },

  run: async (deps) => {
    const { http, ledger } = deps;
    const prompt = deps.unique();
    const answer = await http.send("POST", "/api/v2/submit", { prompt });
    if (!(await expectStatus(deps, answer, [202]))) return;
    const runId = String(answer.json()["runId"]);
    ledger.messages.set(prompt, runId);
    ledger.runs.set(runId, await readInPieces(deps, `/api/v2/stream/${runId}`));
  },

  "chat with cuts": async (deps) => {
    const { url, random } = deps;
    const first = await openRpcClient(url);
    const created = await first.call("sessions.create");
    const { sessionKey, sessionId } = created?.result ?? {};
    if (typeof sessionKey !== "string") throw new Error(`no session: ${JSON.stringify(created)}`);
    const seen = watchEvents(deps, String(sessionId));
    seen.listen(first);
    await first.call("events.subscribe", { stream: sessionId });
    const sent = Array.from({ length: 1 + random.below(3) }, () => say(deps, first, sessionKey));
    if (random.below(3) === 0) await cut(deps, first);
    const runId = (await Promise.all(sent)).find((given) => given !== undefined);
    if (random.below(3) === 0 && runId !== undefined) await first.call("chat.abort", { runId });
    await cut(deps, first);
    const second = await openRpcClient(url);
    seen.listen(second);
    await second.call("events.subscribe", { stream: sessionId, after: seen.last() });
    await second.call("chat.history", { sessionKey });
    await cut(deps, second);
  },

  "many streams over one connection": async (deps) => {
    const client = await openRpcClient(deps.url);
    const sessions = await Promise.all(
      Array.from({ length: 5 }, async () => (await client.call("sessions.create"))?.result),
    );
    for (const session of sessions) {
      const seen = watchEvents(deps, String(session?.["sessionId"]));
      seen.listen(client);
      await client.call("events.subscribe", { stream: session?.["sessionId"] });
    }
    await Promise.all(sessions.map((session) => say(deps, client, String(session?.["sessionKey"]))));
    await cut(deps, client);
  },

  "client of OpenAI's API": async (deps) => {
    const { http, random } = deps;
    const body = { model: "main", stream: true, messages: [{ role: "user", content: deps.unique() }] };
    let left = random.below(6);
    try {
      for await (const _ of http.events("/v1/chat/completions", { body })) if (left-- === 0) break;
    } catch (error) {
      if (!(error instanceof StreamRefused) || error.status !== 429) throw error;
      deps.ledger.refused += 1;
    }
    if (left < 0) deps.ledger.cuts += 1;
  },

  attachment: async (deps) => {
    const { http, ledger, random } = deps;
    const bytes = random.bytes(1 + random.below(3_000));
    const answer = await http.send("POST", "/api/blobs", bytes);
    if (await expectStatus(deps, answer, [201])) ledger.blobs.set(String(answer.json()["blobId"]), bytes);
  },

  "look around": async (deps) => {
    const path = deps.random.pick([
      "/api/tasks",
      "/api/approvals",
      "/api/v2/threads",
      "/health",
      "/openapi.json",
    ]);
    await expectStatus(deps, await deps.http.send("GET", path), [200]);
  },
};

async function createTask(deps: WorkDeps, code: string): Promise<string | undefined> {
  const answer = await deps.http.send("POST", "/api/tasks", { program: { code, language: "javascript" } });
  return (await expectStatus(deps, answer, [201])) ? String(answer.json()["id"]) : undefined;
}

async function followTask(
  deps: WorkDeps,
  id: string | undefined,
  hear?: (data: string) => Promise<void>,
): Promise<void> {
  if (id === undefined) return;
  const { ledger } = deps;
  ledger.tasks.set(id, []);
  const path = `/api/tasks/${id}/events`;
  const [first, ...others] = await Promise.all([
    readInPieces(deps, path, hear),
    ...Array.from({ length: deps.random.below(4) }, () => readInPieces(deps, path)),
  ]);
  ledger.tasks.set(id, first);
  for (const told of others)
    if (told.join("\n") !== first.join("\n"))
      ledger.faults.push(`${path}: one reader was told ${first.join(" ")}, another ${told.join(" ")}`);
}

async function say(deps: WorkDeps, client: RpcClient, sessionKey: string): Promise<string | undefined> {
  const message = deps.unique();
  const answer = await client.call("chat.send", { sessionKey, message });
  if (answer?.error !== undefined) {
    if (answer.error.message !== "Messages limit reached") throw new Error(JSON.stringify(answer.error));
    deps.ledger.refused += 1;
  }
  const runId = answer?.result?.["runId"];
  if (typeof runId !== "string") return undefined;
  deps.ledger.messages.set(message, runId);
  return runId;
}

/** Sees to it that a session's events come once each and in order, over however many connections. */
function watchEvents({ ledger }: WorkDeps, stream: string) {
  let last = 0;
  return {
    last: () => last,
    listen: (client: RpcClient): void =>
      client.onPush((event, data) => {
        if (event !== "event" || data["stream"] !== stream) return;
        if (data["seq"] !== last + 1)
          ledger.faults.push(`${stream}: ${String(data["seq"])} came after ${last}`);
        last = Number(data["seq"]);
      }),
  };
}

async function cut({ ledger }: WorkDeps, client: RpcClient): Promise<void> {
  ledger.cuts += 1;
  await client.cut();
}

/** False when there was too much at once, which is said with a status of its own. */
async function expectStatus(
  { ledger }: WorkDeps,
  answer: { readonly status: number; readonly body: Buffer },
  wanted: readonly number[],
): Promise<boolean> {
  if (wanted.includes(answer.status)) return true;
  if (answer.status !== 429 && answer.status !== 503)
    throw new Error(`${answer.status}: ${answer.body.toString()}`);
  ledger.refused += 1;
  return false;
}
