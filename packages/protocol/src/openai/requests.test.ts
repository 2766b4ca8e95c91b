import { expect, test } from "vitest";
import { chatRequestSchema, readSaid } from "./request-parts.ts";
import { readResponsesInput, responsesRequestSchema } from "./responses-request.ts";

test("[P44] the last message is what is said now, the rest was said before", () => {
  expect(
    readSaid(
      [
        { role: "system", content: "Be brief." },
        { role: "assistant", content: null },
        { role: "assistant", content: "Yes?" },
        {
          role: "user",
          content: [
            { type: "text", text: "One" },
            { type: "input_text", text: "Two" },
            { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
          ],
        },
      ],
      "messages",
    ),
  ).toEqual({
    kind: "said",
    said: {
      earlier: [
        { role: "system", text: "Be brief.", pictures: [] },
        { role: "assistant", text: "Yes?", pictures: [] },
      ],
      text: "One\nTwo",
      pictures: [{ field: "messages.3.content.2", base64: "AAAA" }],
    },
  });
});

test.each([
  [[{ role: "assistant", content: "x" }], "messages"],
  [[{ role: "user", content: "" }], "messages"],
  [
    [
      { role: "user", content: "x" },
      { role: "tool", content: "y" },
    ],
    "messages",
  ],
  [[{ role: "user", content: [{ type: "image_url" }] }], "messages.0.content.0"],
  [
    [{ role: "user", content: [{ type: "image_url", image_url: { url: "https://a.example/b.png" } }] }],
    "messages.0.content.0",
  ],
  [[{ role: "user", content: [{ type: "input_file" }] }], "messages.0.content.0"],
  [[{ role: "user", content: [{ type: "text" }] }], "messages.0.content.0"],
])("[P44] what cannot be said is refused by field: %j", (messages, field) => {
  expect(readSaid(messages, "messages")).toMatchObject({ kind: "misfit", field });
});

test("[P44] a response's input is text or messages, after its instructions", () => {
  const read = (body: object) => readResponsesInput(responsesRequestSchema.parse({ model: "main", ...body }));
  expect(read({ input: "Hi", instructions: "Be brief." })).toMatchObject({
    said: { earlier: [{ role: "system", text: "Be brief." }], text: "Hi" },
  });
  const reply = { type: "message", role: "assistant", content: [{ type: "output_text", text: "Yes?" }] };
  expect(
    read({ input: [reply, { type: "reasoning", summary: [] }, { role: "user", content: "Hi" }] }),
  ).toMatchObject({ said: { earlier: [{ role: "assistant", text: "Yes?" }], text: "Hi" } });
  expect(read({ input: [{ type: "function_call_output", output: "x" }] })).toMatchObject({ kind: "misfit" });
});

test("[P44] fields that mean nothing here are passed over, and null is nothing", () => {
  const messages = [{ role: "user", content: "x", name: "ada" }];
  const extra = {
    temperature: 0.2,
    tools: [],
    max_tokens: 5,
    n: 1,
    stream: null,
    metadata: null,
    user: "ada",
  };
  expect(chatRequestSchema.safeParse({ model: "main", messages, ...extra }).success).toBe(true);
  expect(chatRequestSchema.safeParse({ model: "main", messages, n: 3 }).success).toBe(false);
});
