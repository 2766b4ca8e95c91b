import { expect, test } from "vitest";
import { documentOf, openTools } from "./openapi.fixture.ts";

const key = { name: "idempotency-key", in: "header", required: true, schema: { type: "string" } };
const responses = { 200: { content: { "application/json": { schema: { type: "object" } } } } };

/** A keyed change and one that is not; every key that was sent. */
function setup() {
  const keys: (string | null)[] = [];
  const named = async (_url: URL, init: RequestInit): Promise<Response> => {
    keys.push(new Headers(init.headers).get("Idempotency-Key"));
    return Response.json({});
  };
  const document = documentOf(
    {
      "/close": {
        parameters: [{ $ref: "#/components/parameters/Key" }],
        post: { operationId: "close", responses },
      },
      "/note": { post: { operationId: "note", responses } },
    },
    { servers: [{ url: "https://a.example" }], components: { parameters: { Key: key } } },
  );
  return { keys, ...openTools(document, {}, { named, others: named }) };
}

test("[TO17] sends the call's key with it; the key is not an argument", async () => {
  const { tool, call, keys } = setup();
  expect(tool("close").inputSchema).not.toHaveProperty("properties.idempotency-key");
  await call("close");
  await call("note");
  expect(keys).toEqual(["key", null]);
});

test("[TO17] a call with a key can be repeated; any other change cannot", () => {
  const { tool } = setup();
  expect([tool("close").idempotent, tool("note").idempotent]).toEqual([true, false]);
  expect(tool("close")).toMatchObject({ effect: "write", approval: "required" });
});
