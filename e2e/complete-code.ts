import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import { ROOT } from "./repository.ts";

interface RpcMessage {
  readonly id?: number;
  readonly method?: string;
  readonly result?: { readonly items?: readonly { readonly label: string }[] } | null;
}

/** What TypeScript's language server, as editors run it, offers at the end of a file's text. */
export async function completeCode(file: string, text: string): Promise<readonly string[]> {
  const server = spawn(join(ROOT, "node_modules/.bin/tsc"), ["--lsp", "--stdio"], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  const exited = new Promise((resolve) => server.once("exit", resolve));
  try {
    const messages = readMessages(server.stdout);
    const uri = pathToFileURL(file).href;
    const lines = text.split("\n");
    const position = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
    send(server, {
      id: 1,
      method: "initialize",
      params: { processId: null, rootUri: null, capabilities: {} },
    });
    await answerTo(1, server, messages);
    send(server, { method: "initialized", params: {} });
    const textDocument = { uri, languageId: "typescript", version: 1, text };
    send(server, { method: "textDocument/didOpen", params: { textDocument } });
    send(server, { id: 2, method: "textDocument/completion", params: { textDocument: { uri }, position } });
    const { result } = await answerTo(2, server, messages);
    return (result?.items ?? []).map(({ label }) => label);
  } finally {
    server.kill();
    await exited;
  }
}

/** The server may ask as well before it answers; it gets no for an answer. */
async function answerTo(
  id: number,
  server: ChildProcess,
  messages: AsyncGenerator<RpcMessage>,
): Promise<RpcMessage> {
  for (;;) {
    const { value, done } = await messages.next();
    if (done === true) throw new Error("The language server ended");
    if (value.method === undefined && value.id === id) return value;
    if (value.method !== undefined && value.id !== undefined) send(server, { id: value.id, result: null });
  }
}

function send(server: ChildProcess, message: object): void {
  const json = JSON.stringify({ jsonrpc: "2.0", ...message });
  server.stdin?.write(`Content-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`);
}

async function* readMessages(stdout: Readable): AsyncGenerator<RpcMessage> {
  let bytes = Buffer.alloc(0);
  for await (const chunk of stdout) {
    bytes = Buffer.concat([bytes, chunk as Buffer]);
    for (;;) {
      const start = bytes.indexOf("\r\n\r\n") + 4;
      const length = Number(/content-length: (\d+)/i.exec(bytes.subarray(0, start).toString())?.[1]);
      if (start < 4 || bytes.length < start + length) break;
      yield JSON.parse(bytes.subarray(start, start + length).toString()) as RpcMessage;
      bytes = bytes.subarray(start + length);
    }
  }
}
