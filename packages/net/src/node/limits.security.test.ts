import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { type Answer, openFetch, openServer, until } from "@deputy/testing/net";

const MB = 1024 * 1024;
const limits = { bodyBytes: MB };

/** A server that sends exactly the given bytes. */
async function openRaw(talk: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    socket.once("data", () => talk(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

const encoded =
  (coding: string, bytes: Uint8Array): Answer =>
  (_, outgoing) =>
    void outgoing.writeHead(200, { "content-encoding": coding }).end(bytes);

const text = "words, ".repeat(1_000);
const zeros = Buffer.alloc(8 * MB);
const codings: readonly (readonly [string, (bytes: Uint8Array) => Uint8Array])[] = [
  ["gzip", gzipSync],
  ["x-gzip", gzipSync],
  ["br", brotliCompressSync],
  ["deflate", deflateSync],
  ["deflate", deflateRawSync],
  ["zstd", zstdCompressSync],
  ["gzip, br", (bytes) => brotliCompressSync(gzipSync(bytes))],
];

test.each(codings)("[TN6] decompresses %s", async (coding, compress) => {
  await using server = await openServer(encoded(coding, compress(Buffer.from(text))));
  const response = await openFetch({ allowPrivate: [server.origin] }).fetch(server.origin);
  expect(await response.text()).toBe(text);
  expect(response.headers.get("content-encoding")).toBeNull();
});

test.each(codings)("[TN6] GC41 stops a bomb in %s at the limit", async (coding, compress) => {
  const bomb = compress(zeros);
  expect(bomb.length).toBeLessThan(MB);
  await using server = await openServer(encoded(coding, bomb));
  const { fetch, audited } = openFetch({ allowPrivate: [server.origin], limits });
  const response = await fetch(server.origin);
  let bytes = 0;
  const reading = (async () => {
    for await (const chunk of response.body ?? []) bytes += (chunk as Uint8Array).length;
  })();
  await expect(reading).rejects.toMatchObject({ code: "response_too_large" });
  expect(bytes).toBeLessThanOrEqual(MB);
  expect(audited).toMatchObject([{ verdict: "allow", reason: expect.stringContaining("more than") }]);
});

test.each([
  ["an unknown coding", "compress", Buffer.from(text)],
  ["a coding too many", "gzip, gzip, gzip", gzipSync(gzipSync(gzipSync("x")))],
])("[TN6] rejects %s", async (_, coding, bytes) => {
  await using server = await openServer(encoded(coding, bytes));
  const { fetch } = openFetch({ allowPrivate: [server.origin] });
  await expect(fetch(server.origin)).rejects.toMatchObject({ code: "response_invalid" });
});

test.each(codings)("[TN6] rejects %s that is cut off or broken", async (coding, compress) => {
  const whole = compress(Buffer.from(Array.from({ length: 5_000 }, (_, at) => at % 251)));
  const broken = Buffer.from(whole).fill(0x07, 0, 8);
  for (const bytes of [whole.subarray(0, whole.length - 12), broken]) {
    await using server = await openServer(encoded(coding, bytes));
    const { fetch } = openFetch({ allowPrivate: [server.origin] });
    await expect(fetch(server.origin).then((response) => response.arrayBuffer())).rejects.toMatchObject({
      code: "response_invalid",
    });
  }
});

test("[TN5] an endless body stops at the limit, and so does the server", async () => {
  await using server = await openRaw((socket) => {
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    const more = (): void => {
      while (!socket.destroyed && socket.write(Buffer.alloc(65_536)));
    };
    socket.on("drain", more);
    more();
  });
  const { fetch } = openFetch({ allowPrivate: [server.origin], limits });
  await expect(fetch(server.origin).then((response) => response.text())).rejects.toMatchObject({
    code: "response_too_large",
  });
  await until(() => server.sockets.size === 0);
});

test("[TN5] gives up on a server that never answers", async () => {
  let isAsked = false;
  await using server = await openRaw(() => void (isAsked = true));
  const { fetch, clock, audited } = openFetch({ allowPrivate: [server.origin] });
  const outcome = expect(fetch(server.origin)).rejects.toMatchObject({ code: "http_unreachable" });
  await until(() => isAsked);
  await clock.advance(29_000);
  expect(audited).toEqual([]);
  await clock.advance(2_000);
  await outcome;
  expect(audited).toMatchObject([{ reason: expect.stringContaining("does not answer") }]);
  await until(() => server.sockets.size === 0);
});

test("[TN5] gives up on a server that stops in the middle", async () => {
  await using server = await openRaw((socket) =>
    socket.write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nab"),
  );
  const { fetch, clock } = openFetch({ allowPrivate: [server.origin] });
  const reader = (await fetch(server.origin)).body?.getReader();
  expect((await reader?.read())?.value).toHaveLength(2);
  const outcome = expect(reader?.read()).rejects.toMatchObject({ code: "http_unreachable" });
  await until(() => clock.sleepers > 1);
  await clock.advance(20_000);
  await outcome;
});

test("[TN5] gives up on a server that drips once the total time is over", async () => {
  await using server = await openRaw((socket) => {
    socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nx");
  });
  const { fetch, clock } = openFetch({ allowPrivate: [server.origin] });
  const reader = (await fetch(server.origin)).body?.getReader();
  let drops = 0;
  const dripping = (async () => {
    for (;;) {
      await reader?.read();
      drops += 1;
      await clock.advance(15_000);
      for (const socket of server.sockets) socket.write("x");
    }
  })();
  await expect(dripping).rejects.toMatchObject({ code: "http_unreachable" });
  expect(drops).toBe(4);
});

test.each([
  ["too many headers", `HTTP/1.1 200 OK\r\n${`x: ${"y".repeat(1_000)}\r\n`.repeat(100)}\r\n`],
  ["no HTTP", "SSH-2.0-OpenSSH_9.6\r\n\r\n"],
  ["two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab"],
  [
    "a length and chunks",
    "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
  ],
  ["an invalid status", "HTTP/1.1 999 No\r\ncontent-length: 0\r\n\r\n"],
])("[TN5] rejects %s", async (_, bytes) => {
  await using server = await openRaw((socket) => socket.end(bytes));
  const { fetch } = openFetch({ allowPrivate: [server.origin] });
  await expect(fetch(server.origin)).rejects.toMatchObject({ code: "response_invalid" });
});

test("[TN5] an abort ends the wait for the headers or the body, with its reason", async () => {
  let isAsked = false;
  await using server = await openRaw((socket) => {
    if (isAsked) socket.write("HTTP/1.1 200 OK\r\n\r\nx");
    isAsked = true;
  });
  const { fetch, clock, audited } = openFetch({ allowPrivate: [server.origin] });
  const reason = new Error("stopped");
  const first = new AbortController();
  const waiting = expect(fetch(server.origin, { signal: first.signal })).rejects.toBe(reason);
  await until(() => isAsked);
  first.abort(reason);
  await waiting;
  await expect(fetch(server.origin, { signal: first.signal })).rejects.toBe(reason);
  const second = new AbortController();
  const response = await fetch(server.origin, { signal: second.signal });
  const reading = expect(response.text()).rejects.toBe(reason);
  second.abort(reason);
  await reading;
  expect(audited).toHaveLength(3);
  expect(clock.sleepers).toBe(0);
});
