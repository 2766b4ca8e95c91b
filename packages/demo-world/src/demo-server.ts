import { timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { DemoService } from "./demo-service.ts";

/** The demo's services on one port of this machine. */
export interface DemoServer extends AsyncDisposable {
  readonly origin: string;
}

const MAX_BODY_BYTES = 1024 * 1024;

/** Listens on loopback, on any free port. `services` are found by the first part of the path. */
export async function startDemoServer({
  token,
  services,
}: {
  readonly token: string;
  readonly services: Readonly<Record<string, DemoService>>;
}): Promise<DemoServer> {
  const stopping = new AbortController();
  // Only clients close idle connections: a busy one would use one that was just closed here.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    void answer(request, response);
  });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    try {
      const signal = AbortSignal.any([gone.signal, stopping.signal]);
      await send(response, await answerOf(request, { token, services }, signal));
    } catch {
      // The client has left, or the server stops, so an answer would not be read.
      response.destroy();
    }
  };
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  // Does not keep an otherwise idle process alive.
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

async function answerOf(
  request: IncomingMessage,
  { token, services }: { readonly token: string; readonly services: Readonly<Record<string, DemoService>> },
  signal: AbortSignal,
): Promise<Response> {
  if (!isSame(request.headers.authorization ?? "", `Bearer ${token}`))
    return Response.json({ message: "The demo answers Deputy alone" }, { status: 401 });
  const url = new URL(request.url ?? "/", "http://demo.localhost");
  const [, name = ""] = url.pathname.split("/");
  const service = Object.hasOwn(services, name) ? services[name] : undefined;
  if (service === undefined) return Response.json({ message: "There is no such service" }, { status: 404 });
  const body = await readBody(request);
  if (body === undefined) return Response.json({ message: "The body is too large" }, { status: 413 });
  const headers = new Headers();
  for (const [header, value] of Object.entries(request.headers))
    if (typeof value === "string") headers.set(header, value);
  try {
    return await service({ method: request.method ?? "GET", url, headers, body }, signal);
  } catch (error) {
    signal.throwIfAborted();
    const message = error instanceof Error ? error.message : String(error);
    return Response.json({ message }, { status: 500 });
  }
}

function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

async function send(response: ServerResponse, { status, headers, body }: Response): Promise<void> {
  response.writeHead(status, Object.fromEntries(headers));
  if (body !== null) for await (const chunk of body) response.write(chunk);
  response.end();
}
