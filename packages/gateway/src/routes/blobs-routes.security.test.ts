import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { storedBlobSchema } from "@deputy/protocol";
import { expect, onTestFinished, test } from "vitest";
import { startTestGateway, TOKEN } from "../test/gateway.fixture.ts";

async function setup() {
  const gateway = await startTestGateway();
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  const upload = (body: string | Uint8Array<ArrayBuffer>, type = "application/octet-stream") =>
    gateway.fetch("/api/blobs", { method: "POST", body, headers: { "content-type": type } });
  const stored = async (body: string | Uint8Array<ArrayBuffer>) =>
    storedBlobSchema.parse(await (await upload(body)).json());
  return { ...gateway, upload, stored };
}

test("[G48] returns uploaded bytes unchanged, under the same id", async () => {
  const { upload, stored, fetch } = await setup();
  const bytes = Uint8Array.from({ length: 90_000 }, (_, i) => i % 256);
  const response = await upload(bytes);
  expect(response.status).toBe(201);
  const { blobId, size } = storedBlobSchema.parse(await response.json());
  expect(size).toBe(90_000);
  expect((await stored(bytes)).blobId).toBe(blobId);
  const back = await fetch(`/api/blobs/${blobId}`);
  expect(new Uint8Array(await back.arrayBuffer())).toEqual(bytes);
  const empty = await fetch(`/api/blobs/${(await stored("")).blobId}`);
  expect([empty.status, await empty.text()]).toEqual([200, ""]);
});

test.each(["<script>alert(1)</script>", "<svg onload=alert(1)>", "%PDF-1.7", "GIF89a/*"])(
  "[G48] any content is only offered to save, never shown: %s",
  async (body) => {
    const { stored, fetch } = await setup();
    const { headers } = await fetch(`/api/blobs/${(await stored(body)).blobId}`);
    expect(headers.get("content-type")).toBe("application/octet-stream");
    expect(headers.get("content-disposition")).toBe("attachment");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(headers.get("cache-control")).toBe("no-store");
  },
);

test("[G48] [GC24] [GC26] refuses more than the limit as soon as it arrives, announced or not", async () => {
  const { upload, port, url } = await setup();
  const response = await upload("x".repeat(100_001));
  expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
    413,
    "body_too_large",
  ]);
  expect((await upload("x".repeat(100_000))).status).toBe(201);
  const endless = httpRequest({
    host: "127.0.0.1",
    port,
    method: "POST",
    path: "/api/blobs",
    headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/octet-stream" },
  });
  endless.on("error", () => undefined);
  endless.write("x".repeat(150_000));
  const [answer] = await once(endless, "response");
  expect([answer.statusCode, answer.headers.connection]).toEqual([413, "close"]);
  endless.destroy();
  expect((await fetch(`${url}/health`)).status).toBe(200);
});

test("[G48] an interrupted upload leaves nothing and is not a bug", async () => {
  const { port, stored, fetch, bugs, log } = await setup();
  const half = httpRequest({
    host: "127.0.0.1",
    port,
    method: "POST",
    path: "/api/blobs",
    headers: {
      authorization: `Bearer ${TOKEN}`,
      "content-type": "application/octet-stream",
      "content-length": "10",
    },
  });
  half.on("error", () => undefined);
  half.write("half");
  await new Promise((resolve) => half.once("socket", (socket) => socket.once("connect", resolve)));
  half.destroy();
  const { blobId } = await stored("something else");
  expect((await fetch(`/api/blobs/${blobId}`)).status).toBe(200);
  expect(bugs).toEqual([]);
  expect(await log.head("system")).toBeDefined();
});

test.each([
  "..%2f..%2ftoken",
  "%2e%2e%2fkey",
  "..%5ckey",
  "%00",
  "0".repeat(64),
  "A".repeat(64),
  `${"0".repeat(64)}%00`,
  "key",
])("[G48] [GC27] no spelling of an id reaches another file: %s", async (id) => {
  const { stored, fetch } = await setup();
  await stored("x");
  expect((await fetch(`/api/blobs/${id}`)).status).toBe(404);
});

test("[G48] refuses what is not sent as bytes", async () => {
  const { upload, raw } = await setup();
  for (const type of ["application/json", "image/png", "multipart/form-data; boundary=x", "text/html"])
    expect((await upload("x", type)).status).toBe(415);
  expect((await raw({ method: "POST", path: "/api/blobs", body: "x" })).status).toBe(415);
});
