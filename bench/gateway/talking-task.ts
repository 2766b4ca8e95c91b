import { createServer } from "node:http";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { type BenchServer, TOKEN } from "./server.ts";

/** A task of the daemon whose tool reports many times once it is told to begin. */
export interface TalkingTask extends AsyncDisposable {
  readonly eventsPath: string;
  /** Resolves once the tool runs and waits to begin. */
  readonly waiting: Promise<void>;
  begin(): void;
}

const plugin = fileURLToPath(new URL("./talker-plugin.ts", import.meta.url));

export async function startTalkingTask(
  daemon: BenchServer,
  talk: { readonly events: number; readonly everyMs: number; readonly text: string },
): Promise<TalkingTask> {
  const [waiting, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const gate = createServer((_request, response) => {
    waiting.resolve();
    void begun.promise.then(() => response.end());
  });
  gate.listen(0, "127.0.0.1");
  await once(gate, "listening");
  const address = gate.address();
  const ready = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  const code = `return await tools.bench.talk(${JSON.stringify({ ...talk, ready })});`;
  const response = await fetch(new URL("/api/tasks", daemon.url), {
    method: "POST",
    headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify({ program: { code, language: "javascript", plugins: [plugin] } }),
  });
  if (response.status !== 201) throw new Error(await response.text());
  const { id } = (await response.json()) as { id: string };
  return {
    eventsPath: `/api/tasks/${id}/events`,
    waiting: waiting.promise,
    begin: () => begun.resolve(),
    async [Symbol.asyncDispose]() {
      gate.closeAllConnections();
      gate.close();
      await once(gate, "close");
    },
  };
}
