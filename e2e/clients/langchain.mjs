import assert from "node:assert/strict";
import { ChatOpenAI } from "@langchain/openai";
import { z } from "zod";
import { holds, token, url } from "./say.mjs";

const schema = z.object({ city: z.string(), degrees: z.number() });
for (const useResponsesApi of [false, true]) {
  const name = useResponsesApi ? "responses" : "chat completions";
  const model = new ChatOpenAI({
    model: "main",
    apiKey: token,
    configuration: { baseURL: `${url}/v1` },
    useResponsesApi,
  });
  await holds(`invoke and stream by ${name}`, async () => {
    assert.match((await model.invoke("Hello")).text, /Hello/);
    let text = "";
    for await (const piece of await model.stream("Hello")) text += piece.text;
    assert.match(text, /Hello/);
  });
  await holds(`withStructuredOutput by ${name}`, async () => {
    const structured = model.withStructuredOutput(schema, { name: "weather", method: "jsonSchema" });
    assert.deepEqual(await structured.invoke("Which city is it, as JSON?"), { city: "Paris", degrees: 21 });
  });
}
