import assert from "node:assert/strict";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { headers, holds, url } from "./say.mjs";

const connect = (authorization) =>
  new MultiServerMCPClient({
    throwOnLoadError: true,
    mcpServers: { deputy: { transport: "http", url: `${url}/mcp`, headers: { authorization } } },
  });

await holds("LangChain's MCP adapter lists the tools, and runs a program", async () => {
  const client = connect(headers.authorization);
  const runCode = (await client.getTools()).find(({ name }) => name === "run_code");
  assert.ok(runCode);
  assert.match(JSON.stringify(await runCode.invoke({ code: "return 6 * 7;" })), /42/);
  await client.close();
});
await holds("LangChain's MCP adapter lists resources, and reads a note", async () => {
  const client = connect(headers.authorization);
  const { deputy } = await client.listResources("deputy");
  const uri = "deputy://memory/main/memory/keys.md";
  assert.ok(deputy.some((resource) => resource.uri === uri));
  const [note] = await client.readResource("deputy", uri);
  assert.equal(note.text, "The key is under the mat.\n");
  await client.close();
});
await holds("LangChain's MCP adapter is refused with a wrong token", async () => {
  await assert.rejects(connect("Bearer nobody").getTools(), /401|Unauthorized/i);
});
