import { createNodeTypeChecker } from "@deputy/codemode/node";
import { afterAll, expect, test } from "vitest";
import { createCatalogue } from "@deputy/tools";
import { documentOf, openTools } from "./openapi.fixture.ts";
import { openApiSource } from "./openapi-source.ts";

const checker = createNodeTypeChecker();
afterAll(() => checker[Symbol.asyncDispose]());

const unused = () => Promise.reject(new Error("Nothing is to be fetched here"));
const deps = {
  doors: { named: unused, others: unused },
  clock: { monotonicMs: () => 0, sleep: () => Promise.resolve() },
  learnSecret: () => undefined,
};

const json = (schema: object) => ({ content: { "application/json": { schema } } });
const ok = (schema: object) => ({ responses: { 200: json(schema) } });
const tree = documentOf(
  {
    "/nodes": {
      get: {
        tags: ["Nodes"],
        operationId: "nodes/list",
        ...ok({ type: "array", items: { $ref: "#/components/schemas/Node" } }),
      },
      post: {
        tags: ["Nodes"],
        operationId: "nodes/create",
        requestBody: { required: true, ...json({ $ref: "#/components/schemas/Node" }) },
        ...ok({ $ref: "#/components/schemas/Node" }),
      },
    },
    "/nodes/{id}": { delete: { tags: ["Nodes"], operationId: "nodes/delete", responses: { 204: {} } } },
  },
  {
    components: {
      schemas: {
        Node: {
          type: "object",
          required: ["id", "name"],
          properties: {
            id: { type: "integer", readOnly: true },
            name: { type: "string" },
            secret: { type: "string", writeOnly: true },
            children: { type: "array", items: { $ref: "#/components/schemas/Node" } },
          },
        },
      },
    },
  },
);

test("[TO1] tools are under their source and first tag, named by operationId without the tag", () => {
  const { catalogue } = openTools(tree);
  expect(catalogue.list().map(({ path }) => path)).toEqual([
    "api.nodes.create",
    "api.nodes.delete",
    "api.nodes.list",
  ]);
  const named = createCatalogue([openApiSource({ ...tree, info: { title: "My Trees API" } }, {}, deps)]);
  expect(named.list()[0]?.path).toBe("myTreesAPI.nodes.create");
});

test("[TO1] an operation is called by its shorter name, too, and known by the other alone", async () => {
  const { catalogue } = openTools(
    documentOf({
      "/accounts/{account_id}": {
        get: {
          tags: ["Accounts"],
          operationId: "getAccount",
          parameters: [{ name: "account_id", in: "path", required: true, schema: { type: "string" } }],
          ...ok({ type: "object", properties: { name: { type: "string" } } }),
        },
      },
    }),
  );
  expect(catalogue.list().map(({ path }) => path)).toEqual(["api.accounts.getAccount"]);
  expect(catalogue.get("api.accounts.get")).toBeUndefined();
  expect(catalogue.aliases).toEqual({ "api.accounts.get": "api.accounts.getAccount" });
  expect(catalogue.describe(["api.accounts.get"])).toContain("readonly getAccount:");
  const problems = await checker.check(
    {
      code: `const one = await tools.api.accounts.get({ account_id: "7" });
const same = await tools.api.accounts.getAccount({ account_id: "7" });
return [one.name, same.name];`,
      declarations: catalogue.declarations(),
    },
    new AbortController().signal,
  );
  expect(problems).toEqual([]);
});

test("[TO1] include and exclude select operations by the names of their tools", () => {
  const paths = (options: object) =>
    openTools(tree, options)
      .catalogue.list()
      .map(({ path }) => path);
  expect(paths({ include: ["nodes.list", "*.create"] })).toEqual(["api.nodes.create", "api.nodes.list"]);
  expect(paths({ exclude: ["**.delete"] })).toEqual(["api.nodes.create", "api.nodes.list"]);
  expect(paths({ include: ["nothing.*"] })).toEqual([]);
});

test.each([
  [null, /no object/],
  [[], /no object/],
  [{}, /neither openapi nor swagger/],
  [{ openapi: "4.0.0", paths: {} }, /version/],
  [{ openapi: "3.1.0" }, /no paths/],
])("[TO1] what is no document is refused: %j", (root, message) => {
  expect(() => openApiSource(root, {}, deps)).toThrow(message);
  expect(() => openApiSource(root, {}, deps)).toThrow(
    expect.objectContaining({ code: "spec_invalid" }) as Error,
  );
});

test("[TO1] a document without operations has no tools and occupies no name", () => {
  const webhooks = { openapi: "3.1.0", info: {}, webhooks: { sent: { post: {} } } };
  for (const root of [webhooks, { openapi: "3.0.0", paths: {} }])
    expect(openApiSource(root, { name: "api" }, deps).tree).toEqual({});
});

test("[TO2] reads nothing of an operation before it is needed", () => {
  let looks = 0;
  const watched = new Proxy(
    {},
    {
      get: () => {
        looks += 1;
        return undefined;
      },
      ownKeys: () => {
        looks += 1;
        return [];
      },
    },
  );
  const { catalogue } = openTools(
    documentOf(
      { "/a": { get: { operationId: "a", parameters: watched, responses: watched } } },
      { components: watched },
    ),
  );
  expect(catalogue.list().map(({ path }) => path)).toEqual(["api.a"]);
  expect(looks).toBe(0);
  expect(catalogue.get("api.a")?.inputSchema).toMatchObject({ type: "object" });
  expect(looks).toBeGreaterThan(0);
});

test("[TO2] declares shared types once for requests and once for responses, and recursive types by name", async () => {
  const { catalogue } = openTools(tree);
  const declarations = catalogue.declarations();
  expect(declarations.match(/^type .*=/gm)).toEqual(["type ApiInput_Node =", "type Api_Node ="]);
  const problems = async (code: string) =>
    (await checker.check({ code, declarations }, new AbortController().signal)).map(({ line }) => line);
  expect(
    await problems(`const [first] = await tools.api.nodes.list();
const made = await tools.api.nodes.create({ body: { name: "a", children: [{ name: "b", secret: "x" }] } });
const n: number = made.id + (first?.children?.[0]?.children?.[0]?.id ?? 0);
const none: null = await tools.api.nodes.delete({ id: "4" });
return [n, none];`),
  ).toEqual([]);
  expect(await problems("await tools.api.nodes.create({ body: {} })")).not.toEqual([]);
  expect(await problems("await tools.api.nodes.delete()")).not.toEqual([]);
});

test("[TO2] a schema is self-contained: it has everything that it refers to, and nothing else", () => {
  const document = { ...tree, components: { schemas: { ...Object(tree["components"]).schemas, Other: {} } } };
  const schema = openTools(document).tool("nodes.create").inputSchema;
  const plain: unknown = JSON.parse(JSON.stringify(schema));
  expect(plain).toMatchObject({
    properties: { body: { $ref: "#/components/schemas/Node" } },
    components: { schemas: { Node: { required: ["id", "name"] } } },
  });
  expect(JSON.stringify(plain)).not.toContain("Other");
});

test("[TO5] checks input before anything is sent; fields that the server sets are not required", async () => {
  const { tool } = openTools(tree);
  const parse = (input: unknown) => tool("nodes.create").parseInput(input);
  expect(await parse({ body: { name: "a" } })).toMatchObject({ kind: "ok" });
  expect(await parse({ body: { name: "a", children: [{ name: 1 }] } })).toEqual({
    kind: "invalid",
    message: "body.children[0].name: must be string, not number",
  });
  expect(await parse({ boddy: {} })).toEqual({
    kind: "invalid",
    message: "body: is missing; boddy: there is no such argument; there are body",
  });
  expect(await parse("text")).toMatchObject({ kind: "invalid" });
});

test("[TO9] GET and HEAD only read; all other methods ask; no result is trusted", () => {
  const methods = ["get", "head", "post", "put", "patch", "delete", "options"];
  const { tool } = openTools(
    documentOf({
      "/x": Object.fromEntries(methods.map((method) => [method, { operationId: `${method}X` }])),
    }),
  );
  const shown = methods.map((method) => {
    const { approval, effect, idempotent, trust } = tool(`${method}X`);
    return [method, approval, effect, idempotent, trust];
  });
  expect(shown).toEqual([
    ["get", "auto", "read", true, "untrusted"],
    ["head", "auto", "read", true, "untrusted"],
    ["post", "required", "write", false, "untrusted"],
    ["put", "required", "write", false, "untrusted"],
    ["patch", "required", "write", false, "untrusted"],
    ["delete", "required", "destructive", false, "untrusted"],
    ["options", "auto", "read", true, "untrusted"],
  ]);
});

test("[TO9] only a read can be allowed for any values, because other effects are only inferred", () => {
  const operation = (operationId: string) => ({ operationId });
  const { tool } = openTools(
    documentOf({
      "/bills": { get: operation("bills"), post: operation("settleBill") },
      "/funds": { post: operation("sendFunds"), delete: operation("drop") },
    }),
  );
  const takes = ["bills", "settleBill", "sendFunds", "drop"].map((name) => tool(name).anyValues);
  expect(takes).toEqual([true, false, false, false]);
});

test("[TO9] a read that could send something to an address of the caller's choice is egress", () => {
  const parameters = [{ name: "callback_url", in: "query", schema: { type: "string" } }];
  const { tool } = openTools(documentOf({ "/x": { get: { operationId: "x", parameters } } }));
  expect(tool("x")).toMatchObject({ effect: "egress", critical: "all" });
});

test("[TO16] the question shows what is sent and where, for any input", async () => {
  const { tool } = openTools({ ...tree, servers: [{ url: "https://a.example/v1" }] });
  const { preview } = tool("nodes.delete");
  expect(await preview({ id: "4/5" })).toEqual({
    title: "api.nodes.delete: DELETE a.example/v1/nodes/4%2F5",
    details: '{\n  "id": "4/5"\n}',
  });
  expect((await preview({ id: ".." })).title).toBe("api.nodes.delete: DELETE a.example/nodes/{id}");
  expect((await openTools(tree).tool("nodes.delete").preview({ id: "4" })).title).toBe(
    "api.nodes.delete: DELETE /nodes/{id}",
  );
});
