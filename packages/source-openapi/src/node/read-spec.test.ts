import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createFakeClock } from "@deputy/testing";
import { expect, onTestFinished, test } from "vitest";
import { openDocument } from "../spec/spec-document.ts";
import { readSpec } from "./read-spec.ts";

const signal = new AbortController().signal;

function setup(files: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "specs-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "parts"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const clock = createFakeClock();
  const deps = { doors: { named: fetch, others: fetch }, clock };
  const read = (where: string, externalRefs: "refused" | "beside" = "refused") =>
    readSpec(where, { folder, externalRefs }, deps, signal);
  return { folder, read, clock };
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("[TO1] reads a document from a file, relative to a folder, or from an address", async () => {
  const { read, folder } = setup({ "a.yaml": "openapi: 3.1.0\n" });
  expect(await read("./a.yaml")).toEqual({
    root: { openapi: "3.1.0" },
    location: pathToFileURL(join(folder, "a.yaml")),
  });
  const url = await serve(({ url: path }, response) =>
    path === "/moved"
      ? response.writeHead(302, { location: "/api.json" }).end()
      : response.end('{"swagger":"2.0"}'),
  );
  expect((await read(`${url}/api.json`)).root).toEqual({ swagger: "2.0" });
  expect((await read(`${url}/moved`)).root).toEqual({ swagger: "2.0" });
});

test("[TO14] reports a document that is missing, too slow or in a private network, without the query of its address", async () => {
  const { read, clock } = setup();
  await expect(read("./nothing.json")).rejects.toMatchObject({
    code: "spec_not_found",
    message: expect.stringContaining("no such file"),
  });
  await expect(read("./parts")).rejects.toMatchObject({ code: "spec_not_found" });
  const url = await serve(({ url: path }, response) => {
    if (path?.startsWith("/away") === true)
      response.writeHead(302, { location: "http://127.0.0.1:8765/" }).end();
    else if (path?.startsWith("/hang") !== true) response.writeHead(404).end("no");
  });
  for (const [path, why] of [
    ["/missing?key=s3cret", "it answered 404"],
    ["/away?key=s3cret", "this machine"],
  ] as const) {
    const error: unknown = await read(url + path).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "spec_not_found", message: expect.stringContaining(why) });
    expect(String(error)).not.toContain("s3cret");
  }
  const hanging = expect(read(`${url}/hang`)).rejects.toMatchObject({
    code: "spec_not_found",
    message: expect.stringContaining("20 s"),
  });
  while (clock.sleepers === 0) await new Promise((resolve) => setImmediate(resolve));
  await clock.advance(20_000);
  await hanging;
});

const SPLIT = {
  "api.yaml": `openapi: 3.1.0
paths:
  /x: { $ref: "parts/paths.yaml#/x" }
components: { schemas: { Own: { type: string } } }
`,
  "parts/paths.yaml": `x:
  get:
    parameters: [{ $ref: "#/limit" }, { $ref: "../api.yaml#/components/schemas/Own" }]
limit: { name: limit, in: query, schema: { $ref: "./schemas.json#/Limit" } }
`,
  "parts/schemas.json":
    '{"Limit":{"anyOf":[{"type":"integer"},{"$ref":"#/Limit"},{"$ref":"paths.yaml#/limit"}]}}',
};

test("[TO15] follows references to other documents only if that is allowed, and only to files beside the document", async () => {
  const { read } = setup(SPLIT);
  const alone = openDocument((await read("api.yaml")).root);
  expect(alone.resolve(Object(alone.root["paths"])["/x"])).toBeUndefined();

  const document = openDocument((await read("api.yaml", "beside")).root);
  const item = document.resolve(Object(document.root["paths"])["/x"]);
  const [limit, own] = Object(item)["get"].parameters as readonly unknown[];
  expect(document.resolve(own)).toEqual({ type: "string" });
  const schema = document.resolve(Object(document.resolve(limit))["schema"]);
  const [, self, back] = Object(schema)["anyOf"] as readonly unknown[];
  expect(document.resolve(self)).toBe(schema);
  expect(document.resolve(back)).toMatchObject({ name: "limit" });
});

test.each(["../outside.json", "/etc/passwd", "https://evil.example/x.json", "file:///etc/passwd"])(
  "[TO15] %s does not lie beside the document",
  async (ref) => {
    const { read } = setup({
      "api.json": JSON.stringify({ openapi: "3.1.0", paths: { "/x": { $ref: ref } } }),
    });
    await expect(read("api.json", "beside")).rejects.toMatchObject({
      code: "spec_invalid",
      message: expect.stringContaining("beside"),
    });
  },
);
