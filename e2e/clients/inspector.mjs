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
await holds("MCP Inspector lists resources and their templates, and reads a file and a note", async () => {
  const code = 'await tools.files.write({ path: "a.md", content: "inspected" });';
  await inspect("tools/call", "--tool-name", "run_code", "--tool-arg", `code=${code}`);
  const { resources } = await inspect("resources/list");
  const uris = resources.map(({ uri }) => uri);
  for (const [uri, text] of [
    ["deputy://workspace/a.md", "inspected"],
    ["deputy://memory/main/memory/keys.md", "The key is under the mat.\n"],
  ]) {
    assert.ok(uris.includes(uri), `${uri} among ${uris.join(" ")}`);
    const { contents } = await inspect("resources/read", "--uri", uri);
    assert.equal(contents[0].text, text);
  }
  const { resourceTemplates } = await inspect("resources/templates/list");
  assert.deepEqual(
    resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    ["workspace", "session", "memory"].map((shelf) => `deputy://${shelf}/{+path}`),
  );
});
await holds("MCP Inspector lists the user's commands and skills as prompts, and gets them", async () => {
  const { prompts } = await inspect("prompts/list");
  assert.deepEqual(
    prompts.map(({ name }) => name).filter((name) => !name.startsWith("skill:deputy")),
    ["command:ship", "skill:tidy"],
  );
  const get = async (...args) => {
    const { messages } = await inspect("prompts/get", "--prompt-name", ...args);
    return messages[0].content.text;
  };
  assert.equal((await get("command:ship", "--prompt-args", "arguments=1.2")).trim(), "Ship 1.2 now.");
  assert.match(await get("skill:tidy"), /Tidy up\./);
});
