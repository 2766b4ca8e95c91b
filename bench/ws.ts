import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { WebSocket } from "ws";
import { readProcessTree } from "./process-stats.ts";
import { reportLimit } from "./report.ts";

const CONNECTIONS = 10;
const WARM_UP = 5_000;
const REQUESTS = 40_000;
const ROUNDS = 3;
const MOST_OF_RAW = 1.5;
const TOKEN = "bench-token-0123456789";

const launcher = fileURLToPath(new URL("../apps/deputy/bin/deputy.mjs", import.meta.url));
const root = fileURLToPath(new URL("..", import.meta.url));

/** What anybody writes with `ws`: reads JSON, answers JSON, with the same answer. */
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

/** CPU of the server per request over WebSockets, beside a bare server in the same run. */
export async function benchWs(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "bench-ws-"));
  const daemon = await start([launcher, "serve", "--json", "--port", "0", "--home", home]);
  const raw = await start(["--input-type=module", "-e", RAW]);
  try {
    const ratios: number[] = [];
    let last = { ours: 0, raw: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      last = { ours: await microsPerRequest(daemon), raw: await microsPerRequest(raw) };
      ratios.push(last.ours / last.raw);
    }
    const ratio = ratios.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
    const named = `ws  CPU per request (${last.ours.toFixed(1)} µs, raw ${last.raw.toFixed(1)} µs)`;
    reportLimit(named, ratio, "× raw ws", MOST_OF_RAW);
  } finally {
    for (const { child } of [daemon, raw]) {
      child.kill("SIGTERM");
      await once(child, "exit");
    }
    rmSync(home, { recursive: true, force: true });
  }
}

interface Server {
  readonly child: ChildProcess;
  readonly url: string;
}

async function start(args: readonly string[]): Promise<Server> {
  const env = { ...process.env, DEPUTY_TOKEN: TOKEN };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of createInterface({ input: child.stdout }))
    return { child, url: (JSON.parse(line) as { url: string }).url };
  throw new Error("The server ended before it was ready");
}

async function microsPerRequest({ child, url }: Server): Promise<number> {
  const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => openClient(url)));
  const ask = (requests: number): Promise<unknown> =>
    Promise.all(clients.map((client) => client(requests / CONNECTIONS)));
  await ask(WARM_UP);
  const pid = child.pid ?? 0;
  const before = readProcessTree(pid).cpuSeconds;
  await ask(REQUESTS);
  return ((readProcessTree(pid).cpuSeconds - before) / REQUESTS) * 1e6;
}

/** One request after the other, over a connection of its own. */
async function openClient(url: string): Promise<(requests: number) => Promise<void>> {
  const ws = new WebSocket(`${url.replace("http", "ws")}/ws`);
  await once(ws, "open");
  ws.send(JSON.stringify({ type: "auth", token: TOKEN }));
  await once(ws, "message");
  return (requests) =>
    new Promise((resolve, reject) => {
      let id = 0;
      const next = (): void => ws.send(JSON.stringify({ id: ++id, method: "health.check", params: {} }));
      ws.once("close", () => reject(new Error("The server closed the connection")));
      ws.removeAllListeners("message");
      ws.on("message", () => (id >= requests ? resolve() : next()));
      next();
    });
}
