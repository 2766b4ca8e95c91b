import { expect, test } from "vitest";
import { documentOf, openTools, openWorld } from "./openapi.fixture.ts";
import { HttpError } from "./response/http-error.ts";

const declared = (content: object | undefined) =>
  documentOf({
    "/x": {
      get: { operationId: "x", responses: { 200: content === undefined ? {} : { content } } },
      head: { operationId: "look" },
    },
  });
const jsonSchema = (schema: object) => ({ "application/json": { schema } });
const answering = (response: () => Response, content?: object) =>
  openWorld(declared(content), { answer: response });

test("[TO10] parses JSON, keeps text, encodes bytes in base64 with their type, and returns null for an empty answer", async () => {
  const typed = (body: string | Uint8Array<ArrayBuffer>, type: string) => () =>
    new Response(body, { headers: { "content-type": type } });
  const value = async (answer: () => Response, content?: object) =>
    await (await answering(answer, content)).call("x");
  expect(await value(() => Response.json({ a: [1] }))).toEqual({ a: [1] });
  expect(await value(typed('{"a":1}', "application/problem+json"))).toEqual({ a: 1 });
  expect(await value(typed("héllo", "text/plain; charset=utf-8"))).toBe("héllo");
  expect(await value(typed(new Uint8Array([104, 233]), "text/plain; charset=latin1"))).toBe("hé");
  expect(await value(typed(new Uint8Array([0, 255]), "image/png"))).toEqual({
    mediaType: "image/png",
    bytes: 2,
    base64: "AP8=",
  });
  expect(await value(() => new Response(null, { status: 204 }))).toBeNull();
  // Declared as JSON, and JSON it is, whatever its type says.
  expect(await value(typed("[1]", "text/plain"), jsonSchema({ type: "array" }))).toEqual([1]);
});

test("[TO10] HEAD returns status and headers", async () => {
  const { call } = await answering(() => new Response(null, { headers: { etag: "abc" } }));
  expect(await call("look")).toMatchObject({ status: 200, headers: { etag: "abc" } });
});

test.each([
  ["<html>", "text/html"],
  ["{", "application/json"],
  ["", "application/json"],
])("[TO10] %j as %s is no JSON where JSON was declared, and said so", async (body, type) => {
  const { call } = await answering(
    () => new Response(body, { headers: { "content-type": type } }),
    jsonSchema({ type: "object" }),
  );
  if (body === "") expect(await call("x")).toBeNull();
  else
    await expect(call("x")).rejects.toMatchObject({
      code: "response_invalid",
      message: expect.stringContaining(type),
    });
});

test("[TO10] returns an answer that does not match its declaration with a note, or refuses it if the settings say so", async () => {
  const schema = jsonSchema({ type: "object", required: ["id"], properties: { id: { type: "integer" } } });
  const noted = await answering(() => Response.json({ id: "4" }), schema);
  expect(await noted.call("x")).toEqual({ id: "4" });
  expect(noted.logs).toEqual(["api.x returned what it does not declare: id: must be integer, not string"]);
  const refused = await openWorld(declared(schema), {
    answer: () => Response.json({ id: "4" }),
    misfits: "refused",
  });
  await expect(refused.call("x")).rejects.toMatchObject({ code: "invalid_output" });
});

test("[TO10] lines of JSON and events arrive one by one and are returned as a list", async () => {
  const lines = await answering(
    () => new Response('{"n":1}\n\n"two"\nthree', { headers: { "content-type": "application/x-ndjson" } }),
  );
  expect(await lines.call("x")).toEqual([{ n: 1 }, "two", "three"]);
  expect(lines.progress).toEqual(['{"n":1}', '"two"', "three"]);
  const events = await answering(
    () =>
      new Response(': hi\n\nevent: add\ndata: {"n":1}\n\ndata: a\r\ndata: b\r\n\r\n', {
        headers: { "content-type": "text/event-stream" },
      }),
  );
  expect(await events.call("x")).toEqual([{ event: "add", data: { n: 1 } }, { data: "a\nb" }]);
});

test("[TO10] a stream that does not end returns what arrived in time", async () => {
  const started = Promise.withResolvers<void>();
  const endless = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"n":1}\n')),
  });
  const door = (): Promise<Response> =>
    Promise.resolve(new Response(endless, { headers: { "content-type": "application/x-ndjson" } }));
  const world = openTools(
    declared(undefined),
    { server: "http://a.example", timeoutMs: 1_000 },
    { named: door, others: door },
  );
  const result = world.call("x");
  void Promise.resolve().then(() => started.resolve());
  await started.promise;
  while (world.progress.length === 0 || world.clock.sleepers === 0)
    await new Promise((resolve) => setImmediate(resolve));
  await world.clock.advance(500);
  expect(await result).toEqual([{ n: 1 }]);
  expect(world.logs).toEqual(["The stream was cut after 1 items."]);
});

test.each([
  [400, "http_bad_request"],
  [401, "http_unauthorized"],
  [403, "http_forbidden"],
  [404, "http_not_found"],
  [409, "http_conflict"],
  [418, "http_client_error"],
  [422, "http_bad_request"],
  [429, "http_rate_limited"],
  [500, "http_server_error"],
  [503, "http_server_error"],
])("[TO11] %i is %s, with what the server said of it", async (status, code) => {
  const { call, server } = await answering(() => Response.json({ message: "no \u202Eway" }, { status }));
  const error: unknown = await call("x").catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(HttpError);
  expect(error).toMatchObject({ code, status, body: { message: "no \u202Eway" } });
  expect(String(error)).toContain(`${new URL(server.url).host} answered ${status}`);
  expect(String(error)).toContain("no ");
  expect(String(error)).not.toContain("\u202E");
});

test("[TO11] a refusal of any length and type gets a short message", async () => {
  const long = await answering(() => new Response("x".repeat(60_000), { status: 500 }));
  const error: unknown = await long.call("x").catch((thrown: unknown) => thrown);
  expect(String(error).length).toBeLessThan(2_200);
  const image = await answering(
    () => new Response("\0", { status: 404, headers: { "content-type": "image/png" } }),
  );
  await expect(image.call("x")).rejects.toMatchObject({ code: "http_not_found", body: "" });
});

const REFUSALS = documentOf({
  "/x": {
    get: {
      operationId: "x",
      responses: {
        200: { content: jsonSchema({ type: "object" }) },
        404: { content: jsonSchema({ $ref: "#/components/schemas/Missing" }) },
        "4XX": { content: jsonSchema({ type: "object", properties: { reason: { type: "string" } } }) },
        default: { description: "Whatever" },
      },
    },
    post: {
      operationId: "only",
      responses: { default: { content: jsonSchema({ type: "object" }) } },
    },
  },
});
const MISSING = { type: "object", required: ["missing"], properties: { missing: { type: "integer" } } };
const refusing = (response: () => Response) =>
  openWorld({ ...REFUSALS, components: { schemas: { Missing: MISSING } } }, { answer: response });

test("[TO11] declared refusals are types at the tool's path, in full and in brief declarations", async () => {
  const { catalogue } = await refusing(() => Response.json({}));
  const whole = catalogue.declarations();
  expect(whole).toContain("type Api_Missing = { missing: number };");
  expect(whole).toContain(
    'readonly "api.x": ToolError<404, Api_Missing> | ToolError<Exclude<ClientErrorStatus, 404>, { reason?: string }>',
  );
  expect(catalogue.describe(["api.x"])).toContain('readonly "api.x": ToolError<404, { missing: number }> |');
  // What succeeds by default is no refusal.
  expect(whole).not.toContain('"api.only"');
});

test("[TO11] notes a refusal that does not match its declaration, and throws it unchanged", async () => {
  const { call, logs } = await refusing(() => Response.json({ missing: "all" }, { status: 404 }));
  await expect(call("x")).rejects.toMatchObject({ status: 404, body: { missing: "all" } });
  expect(logs).toEqual([
    "api.x answered 404 with what it does not declare: missing: must be integer, not string",
  ]);
  const other = await refusing(() => Response.json({ reason: "because" }, { status: 410 }));
  await expect(other.call("x")).rejects.toMatchObject({ status: 410, body: { reason: "because" } });
  expect(other.logs).toEqual([]);
});
