import { connect as connectNet, createServer, type AddressInfo, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { expect, test } from "vitest";
import type { Reach } from "@deputy/net";
import type { Resolve } from "@deputy/net/node";
import { servePages } from "./browser.fixture.ts";
import { type GuardProxy, openGuardProxy } from "./guard-proxy.ts";

const toThisMachine: Resolve = async () => [{ address: "127.0.0.1", family: 4 }];

/** What a client of the proxy gets, until the connection ends or `until` has come. */
async function exchange(proxy: GuardProxy, text: string, until?: string): Promise<string> {
  const socket = connectNet(proxy.port, "127.0.0.1");
  socket.write(text);
  let got = "";
  for await (const chunk of socket) {
    got += String(chunk);
    if (until !== undefined && got.includes(until)) break;
  }
  socket.destroy();
  return got;
}

function credentialsOf({ username, password }: GuardProxy): string {
  return `proxy-authorization: Basic ${Buffer.from(`${username}:${password}`).toString("base64")}\r\n`;
}

async function setup(reach: Reach | undefined, resolve: Resolve = toThisMachine) {
  const server = await servePages({ "/": "inside" });
  const proxy = await openGuardProxy({ admit: () => reach, resolve });
  const get = (url: string, headers: string): Promise<string> =>
    exchange(proxy, `GET ${url} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${headers}\r\n`);
  return {
    server,
    proxy,
    get,
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

test("[BR8] only the browser that it was made for is let through", async () => {
  await using world = await setup("own");
  const { site, asked } = world.server;
  expect(await world.get(`${site}/`, "")).toContain("407");
  expect(await world.get(`${site}/`, "proxy-authorization: Basic ZGVwdXR5OngK\r\n")).toContain("407");
  expect(await exchange(world.proxy, `CONNECT 127.0.0.1:1 HTTP/1.1\r\nhost: x\r\n\r\n`)).toContain("407");
  expect(asked).toEqual([]);
  const answer = await world.get(`${site}/`, credentialsOf(world.proxy));
  expect(answer).toContain("inside");
  expect(asked).toEqual(["GET /"]);
});

test("[BR8] what no page has asked for is refused: the browser's own errands go nowhere", async () => {
  await using world = await setup(undefined);
  const { port, asked } = world.server;
  expect(await world.get(`http://127.0.0.1:${port}/`, credentialsOf(world.proxy))).toContain("403");
  const tunnel = `CONNECT 127.0.0.1:${port} HTTP/1.1\r\nhost: x\r\n${credentialsOf(world.proxy)}\r\n`;
  expect(await exchange(world.proxy, tunnel, "403")).toContain("403");
  expect(asked).toEqual([]);
});

test("[BR8] every address of a name is checked, and that address is connected to: there is no second lookup", async () => {
  let lookups = 0;
  const changing: Resolve = async () => {
    lookups += 1;
    return lookups === 1
      ? [
          { address: "93.184.215.14", family: 4 },
          { address: "127.0.0.1", family: 4 },
        ]
      : [{ address: "127.0.0.1", family: 4 }];
  };
  await using world = await setup("public", changing);
  const { port, asked } = world.server;
  expect(await world.get(`http://rebind.example:${port}/`, credentialsOf(world.proxy))).toContain("403");
  expect(await world.get(`http://rebind.example:${port}/`, credentialsOf(world.proxy))).toContain("403");
  expect(await world.get(`http://localhost:${port}/`, credentialsOf(world.proxy))).toContain("403");
  expect({ lookups, asked }).toEqual({ lookups: 2, asked: [] });
});

test("[BR8] a tunnel carries encrypted pages and nothing else: WebSockets are told by how they begin", async () => {
  const received: number[] = [];
  const sink = createServer((socket: Socket) => {
    socket.on("error", () => undefined);
    socket.once("data", (chunk) => {
      received.push(chunk[0] ?? -1);
      socket.destroy();
    });
  });
  await new Promise<void>((resolve) => sink.listen(0, "127.0.0.1", resolve));
  const { port } = sink.address() as AddressInfo;
  await using world = await setup("own");
  const { proxy } = world;
  const openTunnel = async (): Promise<Socket> => {
    const socket = connectNet(proxy.port, "127.0.0.1");
    socket.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nhost: x\r\n${credentialsOf(proxy)}\r\n`);
    await new Promise((resolve) => socket.once("data", resolve));
    socket.on("error", () => undefined);
    return socket;
  };
  const ended = (socket: Socket): Promise<unknown> => new Promise((resolve) => socket.once("close", resolve));

  const plain = await openTunnel();
  plain.write("GET /socket HTTP/1.1\r\nupgrade: websocket\r\n\r\n");
  await ended(plain);
  const greet = async (protocols: string[]): Promise<void> => {
    const socket = await openTunnel();
    const secure = connectTls({ socket, ALPNProtocols: protocols, rejectUnauthorized: false });
    secure.on("error", () => undefined);
    await ended(socket);
  };
  await greet(["http/1.1"]);
  expect(received).toEqual([]);
  await greet(["h2", "http/1.1"]);
  expect(received).toEqual([22]);
  sink.close();
});
