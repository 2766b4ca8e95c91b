import assert from "node:assert/strict";
import OpenAI, { AuthenticationError } from "openai";
import { zodResponseFormat, zodTextFormat } from "openai/helpers/zod";
import { z } from "zod";
import { answerNext, holds, token, url } from "./say.mjs";

const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: token });
const weather = z.object({ city: z.string(), degrees: z.number() });
const hello = [{ role: "user", content: "Hello" }];

await holds("models are listed, and one is retrieved", async () => {
  const [first] = (await client.models.list()).data;
  assert.equal((await client.models.retrieve(first.id)).id, first.id);
});
await holds("an unknown model is OpenAI's own error", async () => {
  await assert.rejects(client.models.retrieve("gpt-nobody"), { status: 404, code: "model_not_found" });
  await assert.rejects(client.chat.completions.create({ model: "gpt-nobody", messages: hello }), {
    status: 404,
    code: "model_not_found",
  });
  await assert.rejects(client.responses.create({ model: "gpt-nobody", input: "Hello" }), {
    status: 404,
    code: "model_not_found",
  });
});
await holds("a chat completion comes whole, and streams with its usage", async () => {
  const whole = await client.chat.completions.create({ model: "main", messages: hello });
  assert.match(whole.choices[0].message.content, /Hello/);
  const stream = client.chat.completions.stream({
    model: "main",
    messages: hello,
    stream_options: { include_usage: true },
  });
  const last = await stream.finalChatCompletion();
  assert.match(last.choices[0].message.content, /Hello/);
  assert.ok(last.usage.total_tokens > 0);
});
await holds("chat.completions.parse gives what the schema says", async () => {
  const { choices } = await client.chat.completions.parse({
    model: "main",
    messages: [{ role: "user", content: "Which city is it, as JSON?" }],
    response_format: zodResponseFormat(weather, "weather"),
  });
  assert.deepEqual(choices[0].message.parsed, { city: "Paris", degrees: 21 });
});
await holds("responses.parse gives what the schema says", async () => {
  const response = await client.responses.parse({
    model: "main",
    input: "Which city is it, as JSON?",
    text: { format: zodTextFormat(weather, "weather") },
  });
  assert.deepEqual(response.output_parsed, { city: "Paris", degrees: 21 });
});
await holds("a response streams, is retrieved, and goes on", async () => {
  const stream = client.responses.stream({ model: "main", input: "Hello" });
  const types = new Set();
  let text = "";
  for await (const event of stream) {
    types.add(event.type);
    if (event.type === "response.output_text.delta") text += event.delta;
  }
  const done = await stream.finalResponse();
  assert.equal(text, done.output_text);
  assert.match(text, /Hello/);
  for (const type of ["response.created", "response.output_text.delta", "response.completed"])
    assert.ok(types.has(type), type);
  const again = await client.responses.retrieve(done.id);
  assert.equal(again.status, "completed");
  assert.equal(again.output_text, done.output_text);
  const next = await client.responses.create({
    model: "main",
    input: "Hello again",
    previous_response_id: done.id,
  });
  assert.equal(next.metadata.session, done.metadata.session);
  await assert.rejects(client.responses.retrieve("resp_nobody"), { status: 404 });
});
await holds("a question waits in the stream, and a yes goes on", async () => {
  const stream = client.chat.completions.stream({
    model: "main",
    messages: [{ role: "user", content: "CLOSE the first one" }],
  });
  const [, text] = await Promise.all([answerNext("approved"), stream.finalContent()]);
  assert.match(text, /Waiting for your approval[^]*Done: /);
});
await holds("a wrong token is an authentication error", async () => {
  const stranger = new OpenAI({ baseURL: `${url}/v1`, apiKey: "nobody", maxRetries: 0 });
  await assert.rejects(stranger.models.list(), AuthenticationError);
});
