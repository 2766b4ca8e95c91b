import { createServer, request as send } from "node:http";
import { buffer } from "node:stream/consumers";

/** A model that speaks OpenAI's chat completions, with what was asked of it. */
export interface Endpoint extends AsyncDisposable {
  readonly url: string;
  /** `local/NAME`. */
  readonly model: string;
  counted(): { readonly requests: number; readonly lastBytes: number };
}

/** Counts what goes to an endpoint, and passes it on unchanged. */
export async function countingProxy(
  target: string,
  model: string,
  key: string | undefined,
): Promise<Endpoint> {
  let [requests, lastBytes] = [0, 0];
  const server = createServer((incoming, outgoing) => {
    void buffer(incoming).then((body) => {
      if (incoming.method === "POST") {
        requests += 1;
        lastBytes = body.length;
      }
      const url = new URL(target.replace(/\/$/, "") + (incoming.url ?? ""));
      const headers = {
        ...incoming.headers,
        host: url.host,
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      };
      const passed = send(url, { method: incoming.method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      passed.on("error", () => outgoing.destroy());
      outgoing.on("close", () => passed.destroy());
      passed.end(body);
    });
  });
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as { readonly port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    model,
    counted: () => ({ requests, lastBytes }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** A model that makes the calls of a known solution, and then says its answer. */
export async function solvingModel(): Promise<
  Endpoint & { solve(solution: { readonly program?: string; readonly answer: string }): void }
> {
  let solution: { readonly program?: string; readonly answer: string } = { answer: "" };
  let [requests, lastBytes, step] = [0, 0, 0];
  const server = createServer((incoming, outgoing) => {
    void buffer(incoming).then((body) => {
      if (incoming.method !== "POST") {
        outgoing.setHeader("content-type", "application/json");
        return outgoing.end(JSON.stringify({ object: "list", data: [{ id: "solution", object: "model" }] }));
      }
      requests += 1;
      lastBytes = body.length;
      const isProgram = step++ === 0 && solution.program !== undefined;
      const run = { name: "run_code", arguments: JSON.stringify({ code: solution.program }) };
      const delta = isProgram
        ? {
            role: "assistant",
            tool_calls: [{ index: 0, id: `call_${requests}`, type: "function", function: run }],
          }
        : { role: "assistant", content: solution.answer };
      const chunk = (part: object, finish: string | null): string =>
        `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 0, model: "solution", choices: [{ index: 0, delta: part, finish_reason: finish }] })}\n\n`;
      outgoing.writeHead(200, { "content-type": "text/event-stream" });
      return outgoing.end(
        `${chunk(delta, null)}${chunk({}, isProgram ? "tool_calls" : "stop")}data: [DONE]\n\n`,
      );
    });
  });
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as { readonly port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    model: "local/solution",
    counted: () => ({ requests, lastBytes }),
    solve(next) {
      solution = next;
      step = 0;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
