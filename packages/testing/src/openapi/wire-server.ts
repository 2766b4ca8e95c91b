import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { WireRequest } from "./spec-validator.ts";

export interface WireServer extends AsyncDisposable {
  readonly url: string;
}

/** A server on loopback that passes on each request as received, and sends the given answer. */
export async function openWireServer(
  answer: (request: WireRequest) => Response | Promise<Response>,
): Promise<WireServer> {
  // Only clients close idle connections: a busy one would use one that was just closed here.
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, outgoing) => {
    void (async () => {
      const response = await answer(await readWire(incoming));
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      if (response.body !== null) for await (const chunk of response.body) outgoing.write(chunk);
      outgoing.end();
    })().catch((error: unknown) => outgoing.destroy(error instanceof Error ? error : undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readWire(incoming: IncomingMessage): Promise<WireRequest> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Uint8Array);
  const headers = new Headers();
  for (let at = 0; at < incoming.rawHeaders.length; at += 2)
    headers.append(incoming.rawHeaders[at] ?? "", incoming.rawHeaders[at + 1] ?? "");
  const body = new Uint8Array(Buffer.concat(chunks));
  return { method: incoming.method ?? "", target: incoming.url ?? "", headers, body };
}
