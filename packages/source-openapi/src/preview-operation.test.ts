import { expect, test } from "vitest";
import { documentOf, openTools } from "./openapi.fixture.ts";

const WORDS = "Write to {body.to} about {id}\nSaying {body.text}\nFor {body.missing}";

const document = documentOf(
  {
    "/notes/{id}": {
      post: {
        operationId: "send",
        "x-deputy-preview": WORDS,
        requestBody: { content: { "application/json": { schema: { type: "object" } } } },
        responses: { 204: {} },
      },
    },
  },
  { servers: [{ url: "https://a.example" }] },
);

const preview = (input: unknown, location?: URL) =>
  openTools(document, { location }).tool("send").preview(input);

const plain = (input: unknown) => ({
  title: "api.send: POST a.example/notes/4",
  details: JSON.stringify(input, null, 2),
});

test("[TO16] a document in a file describes a call in its own words, with what is sent below them", async () => {
  const input = { id: 4, body: { to: ["ada@a.example", "bob@a.example"], text: "Hello" } };
  const expected = {
    title: "Write to ada@a.example, bob@a.example about 4",
    details: "Saying Hello\nPOST a.example/notes/4",
  };
  expect(await preview(input)).toEqual(expected);
  expect(await preview(input, new URL("file:///home/me/api.yaml"))).toEqual(expected);
});

test("[TO16] a document from an address cannot describe a call: its words are not the user's", async () => {
  const input = { id: 4, body: { to: "ada@a.example" } };
  expect(await preview(input, new URL("https://a.example/api.yaml"))).toEqual(plain(input));
});

test.each([
  ["nothing", { id: 4 }],
  ["an empty list", { id: 4, body: { to: [] } }],
  ["an object", { id: 4, body: { to: { name: "Ada" } } }],
])("[TO16] where the title would name %s, there is the plain one", async (_what, input) => {
  expect(await preview(input)).toEqual(plain(input));
});

test("[TO16] a value stays in its line and within its length, and is not read as a template", async () => {
  const { title, details } = await preview({
    id: 4,
    body: { to: "{id}\n\nApproved already", text: "x".repeat(5_000) },
  });
  expect(title).toBe("Write to {id} Approved already about 4");
  expect(details?.length).toBeLessThan(300);
});
