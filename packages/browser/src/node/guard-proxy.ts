import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, request as sendRequest, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { judgeUrl, type Reach } from "@deputy/net";
import { checkAddresses, type Resolve } from "@deputy/net/node";
import { readTunnelStart } from "./client-hello.ts";

/** The one way from a browser to the network. */
export interface GuardProxy extends AsyncDisposable {
  readonly port: number;
  readonly username: string;
  readonly password: string;
}

export interface GuardProxyDeps {
  /** How far a request to this host and port may reach; nothing for one that no page has asked for. */
  readonly admit: (host: string, port: number) => Reach | undefined;
  readonly resolve: Resolve;
}

const CONNECT_MS = 15_000;
const OWN_HEADERS: ReadonlySet<string> = new Set(["proxy-authorization", "proxy-connection", "connection"]);

/**
 * A proxy on this machine for one browser. It resolves each name itself, and connects to the very address that it has
 * checked, so that no name can lead elsewhere a second time. What the browser does on its own account (updates,
 * sign-in, form help) and WebSockets are refused.
 */
export async function openGuardProxy(deps: GuardProxyDeps): Promise<GuardProxy> {
  const username = "deputy";
  const password = randomBytes(24).toString("hex");
  const expected = Buffer.from(`Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`);
  const sockets = new Set<Duplex>();

  const isOurs = ({ headers }: IncomingMessage): boolean => {
    const given = Buffer.from(headers["proxy-authorization"] ?? "");
    return given.length === expected.length && timingSafeEqual(given, expected);
  };

  /** An address that may be connected to. Rejects when there is none. */
  const addressOf = async (url: URL, signal: AbortSignal): Promise<string> => {
    const reach = deps.admit(url.hostname, portOf(url));
    if (reach === undefined) throw new Error("No page has asked for it");
    const [first] = await checkAddresses(deps.resolve, judgeUrl(url, reach), reach, signal);
    if (first === undefined) throw new Error("It has no address");
    return first.address;
  };

  const forward = async (asked: IncomingMessage, answer: ServerResponse): Promise<void> => {
    if (!isOurs(asked)) return refuse(answer, 407);
    const gone = new AbortController();
    answer.once("close", () => gone.abort());
    try {
      const url = new URL(asked.url ?? "");
      if (url.protocol !== "http:") return refuse(answer, 403);
      const host = await addressOf(url, gone.signal);
      const headers = Object.fromEntries(
        Object.entries(asked.headers).filter(([name]) => !OWN_HEADERS.has(name)),
      );
      const path = `${url.pathname}${url.search}`;
      const { method } = asked;
      const sent = sendRequest({
        host,
        port: portOf(url),
        path,
        method,
        headers,
        signal: gone.signal,
        agent: false,
      });
      sent.setTimeout(CONNECT_MS, () => {
        if (sent.socket?.connecting !== false) sent.destroy(new Error("It does not answer"));
      });
      sent.once("error", () => (answer.headersSent ? answer.destroy() : refuse(answer, 502)));
      sent.once("response", (received) => {
        answer.writeHead(received.statusCode ?? 502, received.statusMessage, received.rawHeaders);
        received.once("error", () => answer.destroy());
        received.pipe(answer);
      });
      asked.pipe(sent);
    } catch {
      refuse(answer, 403);
    }
  };

  const tunnel = async (asked: IncomingMessage, client: Duplex, head: Buffer): Promise<void> => {
    client.once("error", () => client.destroy());
    if (!isOurs(asked)) {
      client.end(`${CHALLENGE}\r\nconnection: close\r\n\r\n`);
      return;
    }
    const gone = new AbortController();
    client.once("close", () => gone.abort());
    try {
      const url = new URL(`https://${asked.url ?? ""}`);
      const host = await addressOf(url, gone.signal);
      const server = await open(host, portOf(url), gone.signal);
      client.once("close", () => server.destroy());
      server.once("error", () => client.destroy());
      server.once("close", () => client.destroy());
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      await passFirstBytes(client, server, head);
      client.pipe(server);
      server.pipe(client);
    } catch {
      client.end("HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n");
    }
  };

  const server = createServer({ requestTimeout: 0 }, (asked, answer) => void forward(asked, answer));
  server.on("connect", (asked, client, head) => void tunnel(asked, client, head));
  server.on("upgrade", (_, client) => void client.destroy());
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    username,
    password,
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

const CHALLENGE = 'HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic realm="Deputy"';

function refuse(answer: ServerResponse, status: 403 | 407 | 502): void {
  if (answer.headersSent) return;
  const challenge = status === 407 ? { "proxy-authenticate": 'Basic realm="Deputy"' } : {};
  answer.writeHead(status, { ...challenge, "content-length": 0 });
  answer.end();
}

function open(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, signal, timeout: CONNECT_MS });
    socket.once("error", reject);
    socket.once("timeout", () => socket.destroy(new Error("It does not answer")));
    socket.once("connect", () => {
      socket.setTimeout(0);
      socket.off("error", reject);
      resolve(socket);
    });
  });
}

/** Resolves once the tunnel has begun as it should, and that was passed on. */
async function passFirstBytes(client: Duplex, server: Socket, head: Buffer): Promise<void> {
  let seen = head;
  for (;;) {
    const start = readTunnelStart(seen);
    if (start === "refused") {
      client.destroy();
      throw new Error("It is no page that is asked for");
    }
    if (start === "web") break;
    seen = Buffer.concat([seen, await nextChunk(client)]);
  }
  server.write(seen);
}

function nextChunk(stream: Duplex): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      stream.off("data", take);
      stream.off("close", gone);
      stream.pause();
    };
    const take = (chunk: Buffer): void => {
      leave();
      resolve(chunk);
    };
    const gone = (): void => {
      leave();
      reject(new Error("It has gone"));
    };
    stream.once("data", take);
    stream.once("close", gone);
  });
}

function portOf(url: URL): number {
  return url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
}
