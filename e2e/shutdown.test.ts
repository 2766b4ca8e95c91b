import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { openPacedModel } from "./paced-model.ts";
import { jsonLines, runDeputy, scratchDirectory, startDaemon, TOKEN } from "./run-deputy.ts";
import { ROOT } from "./repository.ts";

/** A tool that begins, notes that in a file, and never ends. */
const STUBBORN = (marker: string): string => `
import { writeFileSync } from "node:fs";
import { defineTool } from "${join(ROOT, "packages/tools/src/index.ts")}";
import { z } from "${join(ROOT, "node_modules/zod/index.js")}";
export default { stubborn: { wait: defineTool({
  description: "Waits for ever",
  approval: "auto",
  args: z.object({}),
  run: () => { writeFileSync(${JSON.stringify(marker)}, ""); return new Promise(() => setInterval(() => 0, 1_000)); },
}) } };
`;

/** A client that signs in, follows a stream, and reads nothing of it. */
async function stall(url: string, stream: string): Promise<WebSocket> {
  const ws = new WebSocket(new URL("/ws", url.replace("http", "ws")));
  ws.on("error", () => undefined);
  await once(ws, "open");
  ws.send(JSON.stringify({ type: "auth", token: TOKEN }));
  await once(ws, "message");
  ws.send(JSON.stringify({ id: 1, method: "events.subscribe", params: { stream } }));
  await once(ws, "message");
  ws.pause();
  return ws;
}

test("[E370] SIGTERM ends it in time even if clients stall and a tool does not stop; the next start continues", async () => {
  using home = scratchDirectory();
  await using model = await openPacedModel();
  const plugin = join(home.path, "stubborn.ts");
  const marker = join(home.path, "begun");
  writeFileSync(plugin, STUBBORN(marker));
  const env = { ...model.env, DEPUTY_TOKEN: TOKEN };
  const daemon = await startDaemon(home.path, ["--tools", plugin], env);

  const talk = async (message: string): Promise<string> => {
    const response = await daemon.post("/api/v2/submit", { prompt: message });
    return ((await response.json()) as { threadId: string }).threadId;
  };
  const answering = await talk("tell me something long");
  const first = await model.asked();
  first.write("A half of an answer and");
  const calling = await talk("wait for ever");
  const second = await model.asked();
  second.call("run_code", { code: "return await tools.stubborn.wait({});" });
  await expect.poll(() => existsSync(marker)).toBe(true);
  const ws = await stall(daemon.url, answering);
  const { port } = new URL(daemon.url);
  const raw = connect(Number(port), "127.0.0.1");
  await once(raw, "connect");
  // A request that never completes, and a stream that nobody reads.
  raw.write(`POST /api/tasks HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-length: 10\r\n`);
  raw.on("error", () => undefined);

  expect(await daemon.end("SIGTERM")).toBe(0);
  ws.terminate();
  raw.destroy();
  await first.gone;

  await using next = await startDaemon(home.path, ["--tools", plugin], env);
  const again = await model.asked();
  expect(JSON.stringify(again.messages)).toContain("tell me something long");
  again.write("The whole answer.");
  again.end();
  await expect
    .poll(() => jsonLinesOf(home.path, answering))
    .toContainEqual(expect.objectContaining({ role: "assistant", content: "The whole answer." }));
  expect((await jsonLinesOf(home.path, calling)).some(({ type }) => type === "turn")).toBe(false);
  await next.end("SIGTERM");
});

async function jsonLinesOf(home: string, session: string): Promise<Record<string, unknown>[]> {
  return jsonLines((await runDeputy(["sessions", "show", session, "--json", "--home", home])).stdout);
}

test("[E372] a new key counts at the next turn, in the file or the setting, and is never shown", async () => {
  using home = scratchDirectory();
  await using model = await openPacedModel();
  const set = (key: string, value: string) => runDeputy(["config", "set", key, value, "--home", home.path]);
  writeFileSync(join(home.path, "key-one"), "first-secret-0123456789\n", { mode: 0o600 });
  writeFileSync(join(home.path, "key-two"), "third-secret-0123456789\n", { mode: 0o600 });
  expect(await set("providers.local.apiKey", "file:key-one")).toMatchObject({ code: 0 });
  await using daemon = await startDaemon(home.path, [], { ...model.env, DEPUTY_TOKEN: TOKEN });
  const ask = async (): Promise<string | undefined> => {
    const response = await daemon.post("/api/v2/submit", { prompt: "What is your key?" });
    const { threadId } = (await response.json()) as { threadId: string };
    const asked = await model.asked();
    asked.write(`It is ${asked.authorization?.replace("Bearer ", "")} and no other.`);
    asked.end();
    await expect
      .poll(() => jsonLinesOf(home.path, threadId))
      .toContainEqual(
        expect.objectContaining({ role: "assistant", content: expect.stringMatching(/^It is (?!.*secret)/) }),
      );
    return asked.authorization;
  };
  expect(await ask()).toBe("Bearer first-secret-0123456789");
  writeFileSync(join(home.path, "key-one"), "second-secret-0123456789\n");
  expect(await ask()).toBe("Bearer second-secret-0123456789");
  expect(await set("providers.local.apiKey", "file:key-two")).toMatchObject({ code: 0 });
  expect(await ask()).toBe("Bearer third-secret-0123456789");
});
