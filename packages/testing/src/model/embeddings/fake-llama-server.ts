import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** llama.cpp's `llama-server` with a model for embeddings, as far as Deputy uses it: the same paths, answers, errors. */
export interface FakeLlamaServer extends AsyncDisposable {
  /** Without `/v1`. */
  readonly baseUrl: string;
  /** The texts of each request that was answered. */
  readonly asked: readonly (readonly string[])[];
  /** `loading`: it has just been started; `no embeddings`: without `--embeddings`. */
  state: "ready" | "loading" | "no embeddings";
  /** Waits before it answers: for what happens meanwhile. */
  hold(until: Promise<void>): void;
}

export interface FakeLlamaOptions {
  readonly vectorOf: (text: string) => readonly number[];
  readonly apiKey?: string;
  /** Of `-ub`: a text with more tokens is refused. A word is a token here. */
  readonly batchTokens?: number;
}

export async function openFakeLlamaServer(options: FakeLlamaOptions): Promise<FakeLlamaServer> {
  const { vectorOf, apiKey, batchTokens = 512 } = options;
  const asked: (readonly string[])[] = [];
  const now: { state: FakeLlamaServer["state"]; held: Promise<void> } = {
    state: "ready",
    held: Promise.resolve(),
  };
  const fault = (code: number, message: string, type: string) => ({
    status: code,
    body: { error: { code, message, type } },
  });

  const answer = async (incoming: IncomingMessage): Promise<{ status: number; body: unknown }> => {
    const body = await text(incoming);
    const { pathname } = new URL(incoming.url ?? "/", "http://localhost");
    if (now.state === "loading") return fault(503, "Loading model", "unavailable_error");
    if (pathname === "/health") return { status: 200, body: { status: "ok" } };
    if (apiKey !== undefined && incoming.headers.authorization !== `Bearer ${apiKey}`)
      return fault(401, "Invalid API Key", "authentication_error");
    if (pathname === "/v1/models" && incoming.method === "GET")
      return { status: 200, body: { object: "list", data: [{ id: "model.gguf", object: "model" }] } };
    if (pathname !== "/v1/embeddings" || incoming.method !== "POST")
      return fault(404, "File Not Found", "not_found_error");
    if (now.state === "no embeddings")
      return fault(
        501,
        "This server does not support embeddings. Start it with `--embeddings`",
        "not_supported_error",
      );
    const input = inputOf(body);
    if (input === undefined) return fault(400, '"input" must be provided', "invalid_request_error");
    if (input.length === 0) return fault(400, '"input" cannot be empty', "invalid_request_error");
    const long = input.find((each) => tokensOf(each) > batchTokens);
    if (long !== undefined)
      return fault(
        500,
        `input (${tokensOf(long)} tokens) is too large to process. increase the physical batch size (current batch size: ${batchTokens})`,
        "server_error",
      );
    await now.held;
    asked.push(input);
    const data = input.map((each, index) => ({
      embedding: unit(vectorOf(each)),
      index,
      object: "embedding",
    }));
    const tokens = input.reduce((sum, each) => sum + tokensOf(each), 0);
    return {
      status: 200,
      body: {
        model: "model.gguf",
        object: "list",
        usage: { prompt_tokens: tokens, total_tokens: tokens },
        data,
      },
    };
  };

  const server = createServer({ keepAliveTimeout: 0 }, (incoming, outgoing) => {
    void answer(incoming).then(({ status, body }) => {
      outgoing.writeHead(status, {
        server: "llama.cpp",
        "content-type": "application/json; charset=utf-8",
        "access-control-allow-origin": incoming.headers.origin ?? "",
      });
      outgoing.end(JSON.stringify(body));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    get state() {
      return now.state;
    },
    set state(state) {
      now.state = state;
    },
    hold: (until) => void (now.held = until),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** `input` is a text or a list of texts. Undefined if it is neither. */
function inputOf(body: string): readonly string[] | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return undefined;
  }
  const input: unknown =
    typeof parsed === "object" && parsed !== null ? Reflect.get(parsed, "input") : undefined;
  if (typeof input === "string") return [input];
  if (!Array.isArray(input)) return undefined;
  const texts = input.filter((each): each is string => typeof each === "string");
  return texts.length === input.length ? texts : undefined;
}

function tokensOf(said: string): number {
  return said.split(/\s+/).filter((word) => word !== "").length + 2;
}

/** Vectors come out at length 1. */
function unit(vector: readonly number[]): readonly number[] {
  const length = Math.hypot(...vector) || 1;
  return vector.map((each) => each / length);
}
