import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import type { Endpoint } from "./counting-proxy.ts";

/** What whoever plays the model says: text, calls, or both. */
export interface HandAnswer {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly arguments: unknown }[];
}

export const requestFile = (folder: string, number: number): string => fileOf(folder, number, "request");
export const answerFile = (folder: string, number: number): string => fileOf(folder, number, "answer");
/** Is there once nothing more will be asked. */
export const doneFile = (folder: string): string => join(folder, "done");

/** How many requests were made so far. */
export function countRequests(folder: string): number {
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".request.json")).length : 0;
}

const LOOK_MS = 200;

/**
 * A model that somebody plays: each request becomes a file in the folder, and is answered by the file beside it. Who
 * plays several at a time gives each a folder; the port is its own.
 */
export async function handModel(folder: string): Promise<Endpoint> {
  mkdirSync(folder, { recursive: true });
  let [requests, lastBytes] = [countRequests(folder), 0];
  const server = createServer((incoming, outgoing) => {
    void buffer(incoming).then((body) => {
      if (incoming.method !== "POST") return sendJson(outgoing, MODELS);
      requests += 1;
      lastBytes = body.length;
      const number = requests;
      writeFileSync(requestFile(folder, number), body);
      outgoing.writeHead(200, { "content-type": "text/event-stream" });
      const look = setInterval(() => {
        const answer = readAnswer(answerFile(folder, number));
        if (answer === undefined) return outgoing.write(": waiting\n\n");
        clearInterval(look);
        return outgoing.end(streamOf(number, answer));
      }, LOOK_MS);
      outgoing.on("close", () => clearInterval(look));
      return outgoing;
    });
  });
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as { readonly port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    model: "local/hand",
    counted: () => ({ requests, lastBytes }),
    async [Symbol.asyncDispose]() {
      writeFileSync(doneFile(folder), "");
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function fileOf(folder: string, number: number, what: "request" | "answer"): string {
  return join(folder, `${String(number).padStart(4, "0")}.${what}.json`);
}

const MODELS = { object: "list", data: [{ id: "hand", object: "model" }] };

function sendJson(response: ServerResponse, value: unknown): ServerResponse {
  response.setHeader("content-type", "application/json");
  return response.end(JSON.stringify(value));
}

/** Undefined while it is not there, or is still being written. */
function readAnswer(file: string): HandAnswer | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as HandAnswer;
  } catch {
    return undefined;
  }
}

function streamOf(number: number, { text = "", calls = [] }: HandAnswer): string {
  const toolCalls = calls.map((call, index) => ({
    index,
    id: `call_${number}_${index}`,
    type: "function",
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  }));
  const delta = { role: "assistant", content: text, ...(toolCalls.length > 0 && { tool_calls: toolCalls }) };
  const finish = toolCalls.length > 0 ? "tool_calls" : "stop";
  return [
    { index: 0, delta, finish_reason: null },
    { index: 0, delta: {}, finish_reason: finish },
  ]
    .map((choice) => ({ id: `c${number}`, object: "chat.completion.chunk", created: 0, choices: [choice] }))
    .map((chunk) => `data: ${JSON.stringify({ ...chunk, model: "hand" })}\n\n`)
    .concat("data: [DONE]\n\n")
    .join("");
}
