import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const LOADED = `
  const { registerHooks } = await import("node:module");
  const urls = [];
  registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) });
  for (const file of process.argv.slice(1)) {
    await import(file);
    console.log(urls.filter((url) => url.includes("@modelcontextprotocol")).length > 0);
  }
`;

test("[G60] loads the SDK with the first request, not with the gateway", async () => {
  const files = ["../index.ts", "./mcp-endpoint.ts"].map((file) => new URL(file, import.meta.url).href);
  const args = ["--input-type=module", "--eval", LOADED, ...files];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout.trim().split("\n")).toEqual(["false", "true"]);
});
