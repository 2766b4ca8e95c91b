import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { makeVisible } from "@deputy/kit";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type { McpTransport } from "../mcp-transport.ts";
import { ToolsError } from "@deputy/tools";

export interface ChildOrder {
  readonly command: string;
  readonly args: readonly string[];
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** The limit for one message; a larger one ends the connection. */
const MOST_MB = 32;
/** How long a server may take to end once its input has ended. */
const END_MS = 1_000;
const KEPT_STDERR = 2_000;
/** How long the last words of a process that has ended are waited for, should somebody else keep its pipe open. */
const LAST_WORDS_MS = 500;
const LINE_FEED = 10;

/** Connects to a server that is a process with a group of its own: all of its processes end with the connection. */
export function createChildTransports(order: () => ChildOrder): () => Promise<McpTransport> {
  return async () => {
    const { deserializeMessage, serializeMessage } = await import("@modelcontextprotocol/client");
    const transport = new ChildTransport(order(), { deserializeMessage, serializeMessage });
    return {
      kind: "stdio",
      transport,
      fault: () => transport.fault,
      ended: () => transport.howItEnded,
      said: () => transport.lastWords,
    };
  };
}

interface Codec {
  readonly deserializeMessage: (line: string) => JSONRPCMessage;
  readonly serializeMessage: (message: JSONRPCMessage) => string;
}

/** By `pid` and `stderr` the SDK distinguishes a local process from a server on the network. */
class ChildTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport["onmessage"];
  readonly stderr = null;
  readonly #order: ChildOrder;
  readonly #codec: Codec;
  #child: ChildProcessWithoutNullStreams | undefined;
  #ended: Promise<void> = Promise.resolve();
  #pieces: Buffer[] = [];
  #bytes = 0;
  #fault: ToolsError | undefined;
  #reading: Promise<void> = Promise.resolve();
  #said = "";
  #howItEnded: string | undefined;

  constructor(order: ChildOrder, codec: Codec) {
    this.#order = order;
    this.#codec = codec;
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  get fault(): ToolsError | undefined {
    return this.#fault;
  }

  /** In words, with the last that it wrote to stderr; undefined while it runs. */
  get howItEnded(): string | undefined {
    return this.#howItEnded;
  }

  get lastWords(): string | undefined {
    const said = this.#said.trim();
    return said === "" ? undefined : makeVisible(said);
  }

  async start(): Promise<void> {
    const { command, args, env, cwd } = this.#order;
    const child = spawn(command, args, { cwd, env, stdio: "pipe", detached: true });
    this.#child = child;
    const killAtExit = (): void => kill(child);
    const forget = (): void => {
      process.removeListener("exit", killAtExit);
      process.setMaxListeners(process.getMaxListeners() - 1);
    };
    // One for each server, however many there are: not the leak that Node warns of.
    process.setMaxListeners(process.getMaxListeners() + 1);
    process.once("exit", killAtExit);
    child.stdout.on("data", (chunk: Buffer) => this.#take(chunk));
    child.stderr.on(
      "data",
      (chunk: Buffer) => (this.#said = (this.#said + chunk.toString("utf8")).slice(-KEPT_STDERR)),
    );
    for (const stream of [child.stdin, child.stdout, child.stderr])
      stream.on("error", (error) => this.onerror?.(error));
    this.#ended = new Promise((resolve) => {
      child.once("exit", (code, signal) => {
        forget();
        // Processes that it started must not keep its pipes open.
        kill(child);
        child.stdout.destroy();
        const end = (): void => {
          clearTimeout(timer);
          this.#howItEnded = this.#describeEnd(code, signal);
          resolve();
          this.onclose?.();
        };
        const timer = setTimeout(() => child.stderr.destroy(), LAST_WORDS_MS);
        if (child.stderr.closed) end();
        else child.stderr.once("close", end);
      });
    });
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", (cause) => {
        forget();
        reject(
          new ToolsError("mcp_unreachable", `${makeVisible(command)} cannot be started: ${reasonOf(cause)}`, {
            cause,
          }),
        );
      });
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) throw this.#gone();
    const text = this.#codec.serializeMessage(message);
    await new Promise<void>((resolve, reject) => {
      child.stdin.write(text, (error) => (error ? reject(this.#gone()) : resolve()));
    });
  }

  async close(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined) return;
    child.stdin.end();
    const timer = setTimeout(() => kill(child), END_MS);
    await this.#ended;
    clearTimeout(timer);
    this.#pieces = [];
  }

  #gone(): ToolsError {
    const words = this.#howItEnded ?? this.#describeEnd(null, null);
    return new ToolsError("mcp_disconnected", words);
  }

  #describeEnd(code: number | null, signal: string | null): string {
    const how = signal === null ? (code === null ? "" : ` (exit code ${code})`) : ` (${signal})`;
    const said = this.lastWords;
    const words = said === undefined ? "" : `; it said: ${said}`;
    return `${makeVisible(this.#order.command)} has ended${how}${words}`;
  }

  #take(chunk: Buffer): void {
    if (this.#fault !== undefined) return;
    let rest = chunk;
    for (let at = rest.indexOf(LINE_FEED); at >= 0; at = rest.indexOf(LINE_FEED)) {
      const line = Buffer.concat([...this.#pieces, rest.subarray(0, at)]).toString("utf8");
      this.#pieces = [];
      this.#bytes = 0;
      rest = rest.subarray(at + 1);
      // One by one, because the SDK skips progress that an answer follows at once.
      this.#reading = this.#reading.then(() => this.#read(line.replace(/\r$/, "")));
    }
    this.#pieces.push(rest);
    this.#bytes += rest.length;
    if (this.#bytes <= MOST_MB * 1024 * 1024) return;
    this.#pieces = [];
    const command = makeVisible(this.#order.command);
    this.#fault = new ToolsError(
      "mcp_invalid",
      `${command} sent a message of more than ${MOST_MB} MB, the limit for one`,
    );
    this.onerror?.(this.#fault);
    if (this.#child !== undefined) kill(this.#child);
  }

  /** A line that is not a message is log output, and is skipped. */
  #read(line: string): void {
    if (line.trim() === "") return;
    try {
      this.onmessage?.(this.#codec.deserializeMessage(line));
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error("An invalid message"));
    }
  }
}

function kill({ pid }: { readonly pid?: number | undefined }): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // All of them have ended already.
  }
}

function reasonOf(error: Error): string {
  const code = "code" in error ? String(error.code) : "it failed";
  if (code === "ENOENT") return "there is no such program, or no such folder to start it in";
  return code === "EACCES" ? "it may not be run" : code;
}
