import { timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { ChannelsError, type Heard } from "@deputy/channels";
import { createKeyedLane } from "@deputy/kit";

/** Where Telegram brings what people do. */
export interface WebhookOptions {
  /** As Telegram reaches it: with https, at a proxy of the owner's. */
  readonly url: string;
  /** Where that proxy reaches us. */
  readonly host: string;
  readonly port: number;
  /** Telegram says it each time, and nobody else knows it. */
  readonly secret: string;
}

const MOST_BYTES = 1_000_000;
/** So much is read of what is too large, so that its sender hears why. */
const MOST_DRAINED = 10_000_000;
const MOST_WAITING = 1_000;
const REMEMBERED = 5_000;
const HEADERS_MS = 10_000;

/**
 * Takes updates until it is disposed. Telegram is told that one arrived once all of it was handed over; what it brings
 * twice is handed over once. Whoever does not know the secret is told nothing. Rejects with `refused` if the port is not
 * free.
 */
export async function serveWebhook(
  { url, host, port, secret }: WebhookOptions,
  read: (update: object) => readonly Heard[],
  handOver: (heard: Heard) => Promise<void>,
  signal: AbortSignal,
): Promise<AsyncDisposable> {
  const { pathname } = new URL(url);
  const lane = createKeyedLane<string>({ maxWaiting: MOST_WAITING });
  const taken = new Set<number>();

  const take = async (request: IncomingMessage): Promise<number> => {
    if (!isSame(String(request.headers["x-telegram-bot-api-secret-token"] ?? ""), secret)) return 401;
    if (request.url !== pathname) return 404;
    if (request.method !== "POST") return 405;
    const text = await readBody(request);
    if (text === undefined) return 413;
    const update = objectIn(text);
    const id: unknown = update === undefined ? undefined : Reflect.get(update, "update_id");
    if (update === undefined || typeof id !== "number") return 400;
    if (taken.has(id)) return 200;
    for (const heard of read(update))
      await lane.run(heard.place, signal, async () => {
        if (!taken.has(id)) await handOver(heard);
      });
    taken.add(id);
    const [oldest] = taken;
    if (oldest !== undefined && taken.size > REMEMBERED) taken.delete(oldest);
    return 200;
  };

  const server = createServer({ headersTimeout: HEADERS_MS }, (request, response) => {
    take(request).then(
      (status) => response.writeHead(status).end(),
      // Telegram brings it again.
      () => response.writeHead(503).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) =>
      reject(
        new ChannelsError("refused", `Nothing can be received at ${host}:${port}`, {
          cause,
          hint: "Another program may use the port: `adapters.telegram.webhook.port` names another.",
        }),
      ),
    );
    server.listen(port, host, resolve);
  });
  return {
    [Symbol.asyncDispose]: () => {
      server.closeAllConnections();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
  };
}

function isSame(given: string, secret: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(secret)];
  return a.length === b.length && timingSafeEqual(a, b);
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > MOST_DRAINED) break;
    if (bytes <= MOST_BYTES) pieces.push(piece);
  }
  return bytes > MOST_BYTES ? undefined : Buffer.concat(pieces).toString("utf8");
}

function objectIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
