import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** The Embeddings API on this machine, as strict as the real one. */
export interface FakeEmbeddings extends AsyncDisposable {
  /** With `/v1`. */
  readonly baseUrl: string;
  /** The texts of each request that was answered. */
  readonly asked: readonly (readonly string[])[];
  /** Replaces the next answer. */
  answerNext(status: number, body: string): void;
  /** Leaves the next request without an answer; resolves when it has arrived. */
  hangNext(): Promise<void>;
}

const MOST_TEXTS = 2_048;
/** `vectorOf` gives the meaning of a text. Answers come in another order than the texts, as the API allows. */
export async function openFakeEmbeddings(
  key: string | undefined,
  vectorOf: (text: string) => readonly number[],
): Promise<FakeEmbeddings> {
  const asked: (readonly string[])[] = [];
  const forced: { readonly status: number; readonly body: string }[] = [];
  const hung: (() => void)[] = [];
  const answer = async (incoming: IncomingMessage): Promise<{ status: number; body: string } | undefined> => {
    const body = await text(incoming);
    const hang = hung.shift();
    if (hang !== undefined) {
      hang();
      return undefined;
    }
    const next = forced.shift();
    if (next !== undefined) return next;
    const fault = (status: number, message: string) => ({
      status,
      body: JSON.stringify({ error: { message, type: "invalid_request_error" } }),
    });
    if (incoming.method !== "POST" || incoming.url !== "/v1/embeddings") return fault(404, "Unknown URL");
    if (incoming.headers["content-type"] !== "application/json") return fault(415, "Not JSON");
    if (incoming.headers.authorization !== (key === undefined ? undefined : `Bearer ${key}`))
      return fault(401, "Incorrect API key provided");
    const request = readRequest(JSON.parse(body));
    if (request === undefined) return fault(400, "Invalid request");
    const { model, input } = request;
    asked.push(input);
    const data = input.map((each, index) => ({ object: "embedding", index, embedding: vectorOf(each) }));
    return { status: 200, body: JSON.stringify({ object: "list", model, data: data.toReversed() }) };
  };
  // Only clients close idle connections: a busy one would use one that was just closed here.
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, outgoing) => {
    void answer(incoming).then((given) => {
      if (given === undefined) return;
      outgoing.writeHead(given.status, { "content-type": "application/json" });
      outgoing.end(given.body);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    answerNext: (status, body) => void forced.push({ status, body }),
    hangNext: () => new Promise((resolve) => void hung.push(resolve)),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const FIELDS: ReadonlySet<string> = new Set(["model", "input", "encoding_format"]);

/** Undefined for what the service would reject. */
function readRequest(
  body: unknown,
): { readonly model: string; readonly input: readonly string[] } | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  if (Object.keys(body).some((field) => !FIELDS.has(field))) return undefined;
  const { model, input, encoding_format: format } = body as Readonly<Record<string, unknown>>;
  if (typeof model !== "string" || model === "" || !Array.isArray(input)) return undefined;
  if (format !== undefined && format !== "float") return undefined;
  if (input.length === 0 || input.length > MOST_TEXTS) return undefined;
  const texts = input.filter((each): each is string => typeof each === "string" && each !== "");
  return texts.length === input.length ? { model, input: texts } : undefined;
}
