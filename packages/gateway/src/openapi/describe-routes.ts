import { jsonSchemaOf, problemSchema } from "@deputy/protocol/wire";
import { jsonRpcProblemSchema } from "@deputy/protocol/mcp";
import { openAiProblemSchema } from "@deputy/protocol/openai";
import type { Route } from "../route.ts";
import type { AnswerDoc, RouteDoc } from "../route-doc.ts";

type Json = Record<string, unknown>;

/** All routes as OpenAPI 3.1, from the registry and the schemas of requests and answers. */
export function describeRoutes(routes: readonly Route[], version: string): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Deputy", version, license: { name: "MIT", identifier: "MIT" } },
    paths,
    components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
  };
}

function operationOf({ method, path, auth, doc }: Route): Json {
  return {
    operationId: `${method} ${path}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, "_"),
    summary: doc.summary,
    security: auth === "bearer" ? [{ token: [] }] : [],
    parameters: [...pathParameters(path), ...queryParameters(doc)],
    ...(doc.body === undefined ? {} : { requestBody: bodyOf(doc.body) }),
    responses: {
      ...Object.fromEntries(Object.entries(doc.answers).map(([status, kinds]) => [status, answerOf(kinds)])),
      default: problemOf(doc),
    },
  };
}

function pathParameters(path: string): readonly Json[] {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name);
  return names.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } }));
}

function queryParameters({ query = {} }: RouteDoc): readonly Json[] {
  return Object.entries(query).map(([name, { description, pattern }]) => ({
    name,
    in: "query",
    description,
    schema: { type: "string", pattern },
  }));
}

function bodyOf(body: NonNullable<RouteDoc["body"]>): Json {
  if (body === "bytes") return { required: true, content: { "application/octet-stream": {} } };
  if (body === "signed")
    return { required: true, content: { "application/json": {}, "application/x-www-form-urlencoded": {} } };
  return { required: true, content: { "application/json": { schema: jsonSchemaOf(body, "input") } } };
}

function answerOf(kinds: readonly AnswerDoc[]): Json {
  return { description: "The requested data", content: Object.fromEntries(kinds.map(contentOf)) };
}

/** OpenAPI has no type for event streams: the schema is that of one event's data. */
function contentOf(answer: AnswerDoc): readonly [string, Json] {
  if (answer.kind === "file") return [answer.contentType.split(";", 1)[0] ?? "", {}];
  const schema = jsonSchemaOf(answer.schema, "output");
  return [answer.kind === "json" ? "application/json" : "text/event-stream", { schema }];
}

const PROBLEMS = { openai: openAiProblemSchema, json_rpc: jsonRpcProblemSchema };

function problemOf({ errors }: RouteDoc): Json {
  const schema = jsonSchemaOf(errors === undefined ? problemSchema : PROBLEMS[errors], "output");
  return { description: "Why not", content: { "application/problem+json": { schema } } };
}
