import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { PATIENCE_MS } from "./patience.ts";

/** A local model server whose answers are written by the test, piece by piece. */
export interface PacedModel extends AsyncDisposable {
  /** What Deputy needs to ask it. */
  readonly env: Readonly<Record<string, string>>;
  /** The next request that was not waited for yet. Rejects if none comes for long; the next one is then somebody else's. */
  asked(): Promise<PacedAnswer>;
  /** Ends what nobody has waited for: a test that failed leaves nothing to the next one. */
  forget(): void;
}

export interface PacedAnswer {
  /** The messages of the request. */
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  /** The model that is asked for. */
  readonly model: string;
  /** How much it is to reason; absent: not said. */
  readonly effort?: string | undefined;
  /** The request's header. */
  readonly authorization: string | undefined;
  write(piece: string): void;
  /** Calls a function, which ends the answer. */
  call(name: string, input: unknown): void;
  end(): void;
  /** Resolves when the client has gone away before the end. */
  readonly gone: Promise<void>;
}

/** `models`: what it lists; without them, it has no list. */
export async function openPacedModel(models: readonly string[] = []): Promise<PacedModel> {
  const waiting: PacedAnswer[] = [];
  const waiters = new Set<(come: PacedAnswer) => void>();
  const receive = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = await text(incoming);
    if (models.length > 0 && incoming.url === "/api/v1/models") {
      const data = models.map((id) => ({ id }));
      outgoing.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ data }));
      return;
    }
    if (incoming.url?.endsWith("/chat/completions") !== true) {
      outgoing.writeHead(404, { "content-type": "application/json" }).end("{}");
      return;
    }
    const {
      messages,
      model,
      reasoning_effort: effort,
    } = JSON.parse(body) as Pick<PacedAnswer, "messages" | "model"> & { reasoning_effort?: string };
    const { authorization } = incoming.headers;
    const come = answerWith(outgoing, { messages, model, effort, authorization });
    const [first] = waiters;
    if (first === undefined) waiting.push(come);
    else first(come);
  };
  // Only clients close idle connections: a busy one would use one that was just closed here.
  const server = createServer(
    { keepAliveTimeout: 0 },
    (incoming, outgoing) => void receive(incoming, outgoing),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    env: { DEPUTY_MODEL: "local/paced", DEPUTY_LOCAL_BASE_URL: `http://127.0.0.1:${port}` },
    asked() {
      const next = waiting.shift();
      if (next !== undefined) return Promise.resolve(next);
      return new Promise((resolve, reject) => {
        const end = (): void => {
          clearTimeout(timer);
          waiters.delete(take);
        };
        const take = (come: PacedAnswer): void => {
          end();
          resolve(come);
        };
        const timer = setTimeout(() => {
          end();
          reject(new Error(`The model was not asked for ${PATIENCE_MS / 1_000} s`));
        }, PATIENCE_MS).unref();
        waiters.add(take);
      });
    },
    forget() {
      for (const left of waiting.splice(0)) left.end();
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function answerWith(
  outgoing: ServerResponse,
  {
    messages,
    model,
    effort,
    authorization,
  }: Pick<PacedAnswer, "messages" | "model" | "effort" | "authorization">,
): PacedAnswer {
  outgoing.writeHead(200, { "content-type": "text/event-stream", connection: "close" });
  const chunk = (delta: unknown, finish_reason: string | null = null): void => {
    const choices = [{ index: 0, delta, finish_reason }];
    const data = { id: "1", object: "chat.completion.chunk", created: 1, model: "paced", choices };
    outgoing.write(`data: ${JSON.stringify(data)}\n\n`);
  };
  const end = (reason: string): void => {
    chunk({}, reason);
    const usage = { prompt_tokens: 1_200, completion_tokens: 34, total_tokens: 1_234 };
    outgoing.write(`data: ${JSON.stringify({ id: "1", choices: [], usage })}\n\n`);
    outgoing.end("data: [DONE]\n\n");
  };
  return {
    messages,
    model,
    effort,
    authorization,
    write: (content) => chunk({ content }),
    call(name, input) {
      const called = { name, arguments: JSON.stringify(input) };
      chunk({
        tool_calls: [{ index: 0, id: `call_${messages.length}`, type: "function", function: called }],
      });
      end("tool_calls");
    },
    end: () => end("stop"),
    gone: new Promise((resolve) => outgoing.on("close", () => !outgoing.writableFinished && resolve())),
  };
}
