import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { expect, onTestFinished, test } from "vitest";
import { startTestGateway } from "../test/gateway.fixture.ts";
import { readBlocks } from "../test/read-event-stream.ts";
import { traffic } from "../test/traffic.ts";

interface Operation {
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly security: readonly unknown[];
  readonly requestBody?: { readonly content: Record<string, { readonly schema?: object }> };
  readonly responses: Record<string, { readonly content: Record<string, { readonly schema?: object }> }>;
}
interface OpenApi {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, Operation>>;
}

async function setup() {
  const gateway = await startTestGateway();
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  const described = (await (await gateway.fetch("/openapi.json")).json()) as OpenApi;
  return { ...gateway, described };
}

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
const compiled = new Map<object, ValidateFunction>();

function misfits(schema: object, value: unknown): unknown {
  const check = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, check);
  return check(value) ? undefined : check.errors;
}

const openPath = (path: string): string => path.replaceAll(/:(\w+)/g, "{$1}");
const routes = await listRoutes();

async function listRoutes() {
  await using probe = await startTestGateway();
  return probe.gateway.routes.map(({ method, path, doc }) => ({ method, path, doc }));
}

test("[G50] describes every route, and nothing else", async () => {
  const { described } = await setup();
  const told = Object.entries(described.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(told.toSorted()).toEqual(routes.map(({ method, path }) => `${method} ${openPath(path)}`).toSorted());
});

test("[G50] describes which routes need the token, and their parameters", async () => {
  const { described, gateway } = await setup();
  for (const { method, path, auth } of gateway.routes) {
    const { security, parameters } = described.paths[openPath(path)]?.[method.toLowerCase()] ?? {};
    expect([path, security?.length]).toEqual([path, auth === "bearer" ? 1 : 0]);
    const named = parameters?.filter((parameter) => parameter.in === "path").map(({ name }) => name);
    expect([path, named]).toEqual([path, [...path.matchAll(/:(\w+)/g)].map(([, name]) => name)]);
  }
});

test.each(routes.filter(({ doc }) => Object.keys(doc.answers).length > 0))(
  "[G50] $method $path answers as described",
  async ({ method, path }) => {
    const made = await setup();
    const { described, fetch } = made;
    const operation = described.paths[openPath(path)]?.[method.toLowerCase()];
    const exchanges = await traffic[`${method} ${path}`]?.(made);
    expect(exchanges?.length, "has traffic to look at").toBeGreaterThan(0);
    const seen = new Set<string>();
    for (const exchange of exchanges ?? []) {
      if (exchange.type === "application/json" && operation?.requestBody !== undefined)
        expect(
          misfits(
            operation.requestBody.content["application/json"]?.schema ?? {},
            JSON.parse(exchange.body ?? "null"),
          ),
        ).toBeUndefined();
      const typed = exchange.type === undefined ? {} : { "content-type": exchange.type };
      const headers = { ...exchange.headers, ...typed };
      const response = await fetch(exchange.path, {
        method,
        headers,
        ...(exchange.body && { body: exchange.body }),
      });
      const type = response.headers.get("content-type")?.split(";", 1)[0] ?? "";
      const promised = operation?.responses[String(response.status)]?.content;
      if (type === "") {
        expect([await response.text(), promised]).toEqual(["", {}]);
        continue;
      }
      const answer = promised?.[type];
      expect(answer, `${response.status} ${type}`).toBeDefined();
      seen.add(`${response.status} ${type}`);
      const values = await valuesOf(response, type);
      if (answer?.schema !== undefined) expect(values.length).toBeGreaterThan(0);
      for (const value of values) expect(misfits(answer?.schema ?? {}, value)).toBeUndefined();
    }
    const promised = Object.entries(operation?.responses ?? {}).flatMap(([status, { content }]) =>
      status === "default" ? [] : Object.keys(content).map((type) => `${status} ${type}`),
    );
    expect([...seen].toSorted()).toEqual(promised.toSorted());
  },
);

async function valuesOf(response: Response, type: string): Promise<readonly unknown[]> {
  if (type === "application/json") return [await response.json()];
  if (type !== "text/event-stream") {
    await response.arrayBuffer();
    return [];
  }
  const blocks = await Array.fromAsync(readBlocks(response));
  const data = blocks.flatMap((block) => /^data: (.*)$/m.exec(block)?.[1] ?? []);
  return data.filter((text) => text !== "[DONE]").map((text) => JSON.parse(text) as unknown);
}

test.each(routes)("[G50] $method $path refuses as described", async ({ method, path }) => {
  const { described, raw } = await setup();
  const operation = described.paths[openPath(path)]?.[method.toLowerCase()];
  const schema = operation?.responses["default"]?.content["application/problem+json"]?.schema ?? {};
  const type = operation?.requestBody?.content["application/json"] ? "application/json" : undefined;
  const refusals = [
    await raw({ method, path, headers: { host: "evil.example" } }),
    await raw({ method, path, headers: { authorization: [] } }),
  ];
  if (type !== undefined) {
    refusals.push(await raw({ method, path, body: "[]", headers: { "content-type": type } }));
  }
  for (const { status, body } of refusals.filter((refusal) => refusal.status >= 400)) {
    expect([status, misfits(schema, JSON.parse(body))]).toEqual([status, undefined]);
  }
  expect(refusals[0]?.status).toBe(421);
});

test("[G50] refuses a body that does not match its description", async () => {
  const { described, fetch, gateway } = await setup();
  const wrong = [
    [],
    "x",
    1,
    null,
    {},
    { prompt: 1 },
    { decision: "maybe" },
    { model: 1, messages: "x", input: 1 },
  ];
  for (const { method, path } of gateway.routes) {
    const body = described.paths[openPath(path)]?.[method.toLowerCase()]?.requestBody;
    const schema = body?.content["application/json"]?.schema;
    if (schema === undefined) continue;
    for (const value of wrong) {
      if (misfits(schema, value) === undefined) continue;
      const headers = { "content-type": "application/json" };
      const { status } = await fetch(path, { method, headers, body: JSON.stringify(value) });
      expect([path, value, status]).toEqual([path, value, 400]);
    }
  }
});

test("[G50] the description is OpenAPI 3.1 without external references", async () => {
  const { described } = await setup();
  expect(described.openapi).toBe("3.1.0");
  const references = [...JSON.stringify(described).matchAll(/"\$ref":"([^"]*)"/g)].map(([, to]) => to);
  expect(references.filter((to) => !to?.startsWith("#"))).toEqual([]);
});
