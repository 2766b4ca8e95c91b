import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WebSocket } from "ws";
import { readProcessTree } from "../process-stats.ts";
import { reportRatio } from "../report.ts";
import { sized } from "../sized.ts";
import { type BenchServer, startDaemon, startServer, TOKEN } from "./server.ts";

const CONNECTIONS = sized(10, 2);
const WARM_UP = sized(5_000, 10);
const REQUESTS = sized(40_000, 50);
const ROUNDS = sized(5, 1);
const MOST_OF_RAW = 1.5;

/** A plain `ws` server: reads JSON and answers JSON, with the same answer. */
const RAW = `
import { createServer } from "node:http";
import { WebSocketServer } from "ws";
const server = createServer();
new WebSocketServer({ server, perMessageDeflate: false }).on("connection", (ws) =>
  ws.on("message", (data) => {
    const { id, type } = JSON.parse(data.toString());
    ws.send(JSON.stringify(type === "auth" ? { type, ok: true } : { id, result: { status: "ok", version: "1", uptime: 1 } }));
  }),
);
server.listen(0, "127.0.0.1", () => console.log(JSON.stringify({ url: "http://127.0.0.1:" + server.address().port })));
`;

/** CPU of the server per request over WebSockets, compared with a bare server in the same run. */
export async function benchWs(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "bench-ws-"));
  try {
    await using daemon = await startDaemon(home);
    await using raw = await startServer(["--input-type=module", "-e", RAW]);
    const rounds: { ours: number; raw: number }[] = [];
    for (let round = 0; round < ROUNDS; round++)
      rounds.push({ ours: await microsPerRequest(daemon), raw: await microsPerRequest(raw) });
    reportRatio("ws  CPU per request", "µs", rounds, MOST_OF_RAW);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function microsPerRequest({ pid, url }: BenchServer): Promise<number> {
  const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => openClient(url)));
  const ask = (requests: number): Promise<unknown> =>
    Promise.all(clients.map((client) => client.ask(requests / CONNECTIONS)));
  await ask(WARM_UP);
  const before = readProcessTree(pid).cpuSeconds;
  await ask(REQUESTS);
  const spent = readProcessTree(pid).cpuSeconds - before;
  for (const client of clients) client.close();
  return (spent / REQUESTS) * 1e6;
}

interface Client {
  /** Sequential requests over a separate connection. */
  ask(requests: number): Promise<void>;
  close(): void;
}

async function openClient(url: string): Promise<Client> {
  const ws = new WebSocket(`${url.replace("http", "ws")}/ws`);
  await once(ws, "open");
  ws.send(JSON.stringify({ type: "auth", token: TOKEN }));
  await once(ws, "message");
  return {
    ask: (requests) =>
      new Promise((resolve, reject) => {
        let id = 0;
        const next = (): void => ws.send(JSON.stringify({ id: ++id, method: "health.check", params: {} }));
        ws.once("close", () => reject(new Error("The server closed the connection")));
        ws.removeAllListeners("message");
        ws.on("message", () => (id >= requests ? resolve() : next()));
        next();
      }),
    close: () => ws.terminate(),
  };
}
