// An older stdio server, without any SDK, whose tools do what their names say.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const text = (value) => ({ content: [{ type: "text", text: JSON.stringify(value) }] });
const names = [
  "get_env",
  "get_pid",
  "write_then_crash",
  "get_then_crash",
  "start_helper",
  "write_and_hang",
  "get_noise",
  "get_steps",
  "get_too_much",
  "write_too_much",
];
if (process.argv.includes("--stays")) process.on("SIGTERM", () => undefined);

const tools = {
  get_env: () => text(process.env),
  get_pid: () => text(process.pid),
  write_then_crash: () => process.exit(3),
  get_then_crash: () => process.stderr.write("out of stock\n", () => process.exit(3)),
  start_helper: () => text(spawn("sleep", ["300"], { stdio: "ignore" }).pid),
  write_and_hang: () => undefined,
  get_steps({ progressToken }, id) {
    const steps = [1, 2, 3].map((progress) => ({
      method: "notifications/progress",
      params: { progressToken, progress, total: 3 },
    }));
    const lines = [...steps, { id, result: text("done") }];
    process.stdout.write(lines.map((line) => `${JSON.stringify({ jsonrpc: "2.0", ...line })}\n`).join(""));
  },
  get_too_much: () => void process.stdout.write("x".repeat(33 * 1024 * 1024)),
  write_too_much: () => void process.stdout.write("x".repeat(33 * 1024 * 1024)),
  get_noise() {
    process.stdout.write("a line for people\n{ not json\n");
    return text("after the noise");
  },
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "notifications/cancelled") process.stderr.write(`cancelled ${params.requestId}\n`);
  if (id === undefined) return;
  if (method === "initialize")
    send({
      id,
      result: {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "child", version: "1" },
      },
    });
  else if (method === "tools/list" && process.argv.includes("--lists-too-much")) tools.get_too_much();
  else if (method === "tools/list")
    send({
      id,
      result: { tools: names.map((name) => ({ name, description: "", inputSchema: { type: "object" } })) },
    });
  else if (method === "tools/call") {
    const result = tools[params.name](params._meta ?? {}, id);
    if (result !== undefined) send({ id, result });
  } else if (process.argv.includes("--dies-when-asked")) process.exit(1);
  else send({ id, error: { code: -32601, message: "no such method" } });
});
