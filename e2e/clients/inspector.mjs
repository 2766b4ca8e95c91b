import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { headers, holds, url } from "./say.mjs";

const run = promisify(execFile);

/** One request by the Inspector's command line. */
async function inspect(...args) {
  const { stdout } = await run(process.execPath, [
    "node_modules/.bin/mcp-inspector",
    "--cli",
    `${url}/mcp`,
    "--transport",
    "http",
    "--header",
    `Authorization: ${headers.authorization}`,
    "--method",
    ...args,
  ]);
  return JSON.parse(stdout);
}

await holds("MCP Inspector lists tools, and runs a program", async () => {
  const { tools } = await inspect("tools/list");
  assert.ok(tools.some(({ name }) => name === "run_code"));
  const ran = await inspect("tools/call", "--tool-name", "run_code", "--tool-arg", "code=return 6 * 7;");
  assert.equal(ran.structuredContent.result, 42);
});
await holds("MCP Inspector lists resources, their templates and prompts", async () => {
  assert.ok(Array.isArray((await inspect("resources/list")).resources));
  assert.ok((await inspect("resources/templates/list")).resourceTemplates.length > 0);
  assert.ok(Array.isArray((await inspect("prompts/list")).prompts));
});
