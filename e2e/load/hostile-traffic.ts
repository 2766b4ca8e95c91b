import { connect, type Socket } from "node:net";
import { TOKEN } from "../run-deputy.ts";
import type { Random } from "./random.ts";

/** What breaks servers: each is sent over a connection of its own, which the server must end or we do. */
export type HostileTraffic = (url: string, random: Random) => Promise<void>;

const DEEP = 10_000;
const deepArray = `${"[".repeat(DEEP)}${"]".repeat(DEEP)}`;
const deepObject = `${'{"a":'.repeat(DEEP)}1${"}".repeat(DEEP)}`;

export const hostileTraffic: Readonly<Record<string, HostileTraffic>> = {
  "deep JSON": (url, random) => post(url, random.pick([deepArray, deepObject]), "refused"),
  "invalid UTF-8": (url) =>
    post(url, Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), "refused"),
  "oversized body": (url) => post(url, `{"prompt":"${"x".repeat(1_100_000)}"}`, "refused"),
  "broken JSON": (url, random) => post(url, '{"prompt":"x"}'.slice(0, 1 + random.below(12)), "refused"),
  "not HTTP": async (url, random) => {
    const socket = await open(url);
    socket.write(random.bytes(200));
    socket.write("\r\n\r\n");
    await untilEnded(socket);
  },
  "smuggled length": async (url) => {
    const socket = await open(url);
    socket.write(
      `POST /api/tasks HTTP/1.1\r\n${head(url)}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET`,
    );
    await untilEnded(socket);
  },
  "request cut off": async (url, random) => {
    const socket = await open(url);
    const whole = `POST /api/tasks HTTP/1.1\r\n${head(url)}Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{"prompt`;
    socket.write(whole.slice(0, 1 + random.below(whole.length)));
    await pause(random.below(20));
    socket.destroy();
  },
  "half-open": async (url, random) => {
    const socket = await open(url);
    socket.write(`GET /health HTTP/1.1\r\n${head(url)}\r\n`);
    socket.end();
    await pause(random.below(10));
    socket.destroy();
  },
  "slow headers": async (url, random) => {
    const socket = await open(url);
    for (const letter of `GET /health HTTP/1.1\r\nHost: 1`.slice(0, 4 + random.below(20))) {
      socket.write(letter);
      await pause(1 + random.below(4));
    }
    socket.destroy();
  },
  "stream that nobody reads": async (url, random) => {
    const socket = await open(url);
    socket.pause();
    const body = JSON.stringify({
      model: "main",
      stream: true,
      messages: [{ role: "user", content: "Hello" }],
    });
    const type = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    socket.write(`POST /v1/chat/completions HTTP/1.1\r\n${head(url)}${type}${body}`);
    await pause(random.below(40));
    socket.destroy();
  },
  "frames that are none": async (url, random) => {
    const socket = await upgrade(url);
    socket.write(random.bytes(1 + random.below(300)));
    await pause(random.below(10));
    socket.destroy();
  },
  "frame without a mask": (url) => frames(url, Buffer.from([0x81, 0x02, 0x7b, 0x7d])),
  "frame of an endless length": (url) =>
    frames(url, Buffer.from([0x81, 0xff, 0x7f, 255, 255, 255, 255, 255, 255, 255])),
  "frame that is not UTF-8": (url) => frames(url, masked(0x81, Buffer.from([0xff, 0xfe, 0xfd]))),
  "control frame in pieces": (url) => frames(url, masked(0x09, Buffer.from("ping"))),
  "continuation of nothing": (url) => frames(url, masked(0x80, Buffer.from("more"))),
  "deep frame": async (url, random) => {
    const socket = await upgrade(url);
    const deep = random.pick([deepArray, `{"id":1,"method":"chat.send","params":${deepObject}}`]);
    socket.write(masked(0x81, Buffer.from(JSON.stringify({ type: "auth", token: TOKEN }))));
    for (const text of [deep, '{"id":2,', '"text"', '{"id":3,"method":"no.such","params":{}}'])
      socket.write(masked(0x81, Buffer.from(text)));
    socket.write(masked(0x81, Buffer.from('{"id":"last","method":"health.check"}')));
    await untilReceived(socket, '"id":"last"');
    socket.destroy();
  },
};

const head = (url: string): string => `Host: ${new URL(url).host}\r\nAuthorization: Bearer ${TOKEN}\r\n`;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function open(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("close", () => reject(new Error("No connection could be made")));
  });
  return socket;
}

async function untilEnded(socket: Socket): Promise<void> {
  socket.resume();
  await closed(socket);
}

/** However it came about. */
function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.closed) resolve();
    else socket.once("close", () => resolve());
  });
}

async function untilReceived(socket: Socket, wanted: string): Promise<void> {
  let received = "";
  await new Promise<void>((resolve, reject) => {
    socket.on("data", (bytes: Buffer) => {
      received += bytes.toString("latin1");
      if (received.includes(wanted)) resolve();
    });
    socket.on("close", () => reject(new Error(`closed before ${wanted} came: ${received.slice(-200)}`)));
  });
}

async function post(url: string, body: string | Buffer, wanted: "refused"): Promise<void> {
  const socket = await open(url);
  const type = `Content-Type: application/json\r\nConnection: close\r\n`;
  socket.write(
    `POST /api/tasks HTTP/1.1\r\n${head(url)}${type}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`,
  );
  socket.write(body);
  let answer = "";
  socket.on("data", (bytes: Buffer) => (answer += bytes.toString("latin1")));
  await closed(socket);
  // A server that stops reading may be gone before its answer was.
  if (answer !== "" && !/^HTTP\/1\.1 4\d\d /.test(answer))
    throw new Error(`should be ${wanted}: ${answer.slice(0, 300)}`);
}

async function upgrade(url: string): Promise<Socket> {
  const socket = await open(url);
  const key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n";
  socket.write(`GET /ws HTTP/1.1\r\n${head(url)}Connection: Upgrade\r\nUpgrade: websocket\r\n${key}\r\n`);
  await untilReceived(socket, "\r\n\r\n");
  return socket;
}

/** Sends what no client may send; the server must close. */
async function frames(url: string, bytes: Buffer): Promise<void> {
  const socket = await upgrade(url);
  socket.once("data", () => socket.end());
  socket.write(bytes);
  await untilEnded(socket);
}

function masked(first: number, payload: Buffer): Buffer {
  const mask = Buffer.from([1, 2, 3, 4]);
  const body = Buffer.from(payload.map((byte, at) => byte ^ (mask[at % 4] ?? 0)));
  const length =
    payload.length < 126
      ? Buffer.from([0x80 | payload.length])
      : payload.length < 65_536
        ? Buffer.from([0xfe, payload.length >> 8, payload.length & 255])
        : Buffer.from([
            0xff,
            0,
            0,
            0,
            0,
            0,
            payload.length >> 16,
            (payload.length >> 8) & 255,
            payload.length & 255,
          ]);
  return Buffer.concat([Buffer.from([first]), length, mask, body]);
}
