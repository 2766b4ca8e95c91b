import assert from "node:assert/strict";
import { createMCPClient } from "@ai-sdk/mcp";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, Output, streamText } from "ai";
import { z } from "zod";
import { headers, holds, token, url } from "./say.mjs";

const schema = z.object({ city: z.string(), degrees: z.number() });
const openai = createOpenAI({ baseURL: `${url}/v1`, apiKey: token });
const compatible = createOpenAICompatible({
  name: "deputy",
  baseURL: `${url}/v1`,
  apiKey: token,
  includeUsage: true,
  supportsStructuredOutputs: true,
});
const models = {
  "chat completions": openai.chat("main"),
  responses: openai.responses("main"),
  "a compatible server": compatible("main"),
};
for (const [name, model] of Object.entries(models)) {
  await holds(`generateText and streamText by ${name}`, async () => {
    assert.match((await generateText({ model, prompt: "Hello" })).text, /Hello/);
    const stream = streamText({ model, prompt: "Hello" });
    let text = "";
    for await (const piece of stream.textStream) text += piece;
    assert.match(text, /Hello/);
    assert.ok((await stream.usage).totalTokens > 0);
  });
  await holds(`an object by ${name}`, async () => {
    const { output } = await generateText({
      model,
      prompt: "Which city is it, as JSON?",
      output: Output.object({ schema }),
    });
    assert.deepEqual(output, { city: "Paris", degrees: 21 });
  });
}
await holds("its MCP client lists the tools and runs a program", async () => {
  const mcp = await createMCPClient({ transport: { type: "http", url: `${url}/mcp`, headers } });
  const tools = await mcp.tools();
  assert.ok("run_code" in tools);
  const ran = await tools.run_code.execute({ code: "return 6 * 7;" }, { toolCallId: "1", messages: [] });
  assert.match(JSON.stringify(ran), /42/);
  await mcp.close();
});
