import { once } from "node:events";
import { storedEventSchema } from "@deputy/protocol";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { type Daemon, scratchDirectory, startDaemon, TOKEN } from "./run-deputy.ts";

interface Socket extends AsyncDisposable {
  call(method: string, params?: object): Promise<Record<string, unknown>>;
  /** Resolves with the data of the first push that fits. */
  push(fits: (event: string, data: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>;
}

async function openSocket(daemon: Daemon): Promise<Socket> {
  const ws = new WebSocket(new URL("/ws", daemon.url.replace("http", "ws")));
  const frames: Record<string, unknown>[] = [];
  const looking = new Set<() => void>();
  ws.setMaxListeners(0).on("error", () => undefined);
  ws.on("message", (data: Buffer) => {
    frames.push(JSON.parse(data.toString()) as Record<string, unknown>);
    for (const look of looking) look();
  });
  const until = (fits: (frame: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = frames.find(fits);
        if (found === undefined) return;
        looking.delete(look);
        resolve(found);
      };
      looking.add(look);
      ws.once("close", (code) => reject(new Error(`closed with ${code}`)));
      look();
    });
  await once(ws, "open");
  ws.send(JSON.stringify({ type: "auth", token: TOKEN }));
  await until(({ ok }) => ok === true);
  let calls = 0;
  return {
    async call(method, params = {}) {
      const id = ++calls;
      ws.send(JSON.stringify({ id, method, params }));
      const { result, error } = await until((frame) => frame["id"] === id);
      if (error !== undefined) throw new Error(JSON.stringify(error));
      return result as Record<string, unknown>;
    },
    async push(fits) {
      const isWanted = ({ event, data }: Record<string, unknown>): boolean =>
        typeof event === "string" && fits(event, data as Record<string, unknown>);
      return (await until(isWanted))["data"] as Record<string, unknown>;
    },
    async [Symbol.asyncDispose]() {
      ws.terminate();
    },
  };
}

test("[E65] a chat over the WebSocket of the real daemon", async () => {
  using home = scratchDirectory();
  await using daemon = await startDaemon(home.path);
  await using socket = await openSocket(daemon);
  const { sessionKey } = await socket.call("sessions.create");
  const { runId } = await socket.call("chat.send", { sessionKey, message: "Hello" });
  expect(await socket.push((event) => event === "chat.final")).toMatchObject({ runId });
  const { messages } = await socket.call("chat.history", { sessionKey });
  expect(messages).toMatchObject([{ role: "user", content: "Hello" }, { role: "assistant" }]);
  expect(await socket.call("workspace.status")).toMatchObject({ changes: [] });
  expect(await socket.call("config.get", { key: "gateway.maxQueueSize" })).toEqual({ value: 20 });
  expect(await socket.call("tools.search", { query: "read a file" })).toMatchObject({
    tools: expect.any(Array),
  });
});

test("[E61] kill -9 right after messages were acknowledged: the next start answers each one once", async () => {
  using home = scratchDirectory();
  const runs = new Map<string, { session: string; said: number }>();
  {
    await using daemon = await startDaemon(home.path);
    await using socket = await openSocket(daemon);
    const sessions = await Promise.all(Array.from({ length: 4 }, () => socket.call("sessions.create")));
    const sent = sessions.flatMap(({ sessionKey, sessionId }) =>
      ["One", "Two"].map(async (message) => {
        const { runId } = await socket.call("chat.send", { sessionKey, message });
        const { said = 0 } = runs.get(String(runId)) ?? {};
        runs.set(String(runId), { session: String(sessionId), said: said + 1 });
      }),
    );
    await Promise.all(sent);
    await daemon.end("SIGKILL");
  }
  await using daemon = await startDaemon(home.path);
  await using socket = await openSocket(daemon);
  let answered = 0;
  for (const [runId, { session, said }] of runs) {
    const events: ReturnType<typeof storedEventSchema.parse>[] = [];
    await socket.call("events.subscribe", { stream: session });
    await socket.push((event, data) => {
      if (event !== "event" || data["stream"] !== session) return false;
      const stored = storedEventSchema.parse(data);
      if (!events.some(({ seq }) => seq === stored.seq)) events.push(stored);
      return stored.type === "turn.completed" && stored.turnId === runId;
    });
    const ofRun = events.filter(({ turnId }) => turnId === runId).map(({ type }) => type);
    expect(ofRun.filter((type) => type === "user.message")).toHaveLength(said);
    expect(ofRun.filter((type) => type === "turn.started")).toHaveLength(1);
    expect(ofRun.filter((type) => type === "assistant.message").length).toBeGreaterThan(0);
    // One that had begun before the kill is claimed by the next process, once; it ends once all the same.
    expect(ofRun.filter((type) => type === "turn.claimed").length).toBeLessThanOrEqual(1);
    const begins = new Set(["turn.started", "turn.claimed"]);
    expect(ofRun.filter((type) => type.startsWith("turn.") && !begins.has(type))).toEqual(["turn.completed"]);
    answered += said;
  }
  expect(answered).toBe(8);
});
