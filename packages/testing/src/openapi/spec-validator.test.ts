import { expect, test } from "vitest";
import { createSpecValidator } from "./spec-validator.ts";

const integer = { type: "integer" };
const spec = {
  openapi: "3.0.0",
  paths: {
    "/things/{id}": {
      parameters: [{ name: "id", in: "path", required: true, schema: { $ref: "#/components/schemas/Id" } }],
      get: {
        parameters: [
          {
            name: "ids",
            in: "query",
            style: "pipeDelimited",
            explode: false,
            schema: { type: "array", items: integer },
          },
          {
            name: "deep",
            in: "query",
            style: "deepObject",
            schema: { type: "object", required: ["a"], properties: { a: integer } },
          },
          { name: "X-Mode", in: "header", required: true, schema: { enum: ["fast", "slow"] } },
        ],
      },
      put: {
        requestBody: {
          required: true,
          content: {
            "application/json": { schema: { $ref: "#/components/schemas/Thing" } },
            "application/x-www-form-urlencoded": {
              schema: { type: "object", required: ["n"], properties: { n: integer } },
            },
          },
        },
      },
    },
    "/things/all": { get: {} },
  },
  components: {
    schemas: {
      Id: { type: "integer", minimum: 0, exclusiveMinimum: true },
      Thing: {
        type: "object",
        required: ["id", "name"],
        properties: { id: { type: "integer", readOnly: true }, name: { type: "string", nullable: true } },
        additionalProperties: false,
      },
    },
  },
};

const check = async (method: string, target: string, headers: Record<string, string> = {}, body = "") =>
  await createSpecValidator(spec).check({
    method,
    target,
    headers: new Headers(headers),
    body: new TextEncoder().encode(body),
  });

const fast = { "x-mode": "fast" };
const json = { "content-type": "application/json" };
const form = { "content-type": "application/x-www-form-urlencoded" };

test.each([
  ["GET", "/things/all", {}, ""],
  ["GET", "/things/4?ids=1%7C2&deep%5Ba%5D=3", fast, ""],
  ["PUT", "/things/4", json, '{"name":null}'],
  ["PUT", "/things/4", json, '{"name":"x","id":4}'],
  ["PUT", "/things/4", form, "n=4"],
])("accepts %s %s", async (method, target, headers, body) => {
  expect(await check(method, target, headers, body)).toMatchObject({ problems: [] });
});

test.each([
  ["GET", "/nothing", {}, "", "no operation"],
  ["POST", "/things/4", {}, "", "no operation"],
  ["GET", "/things/0", fast, "", "path id"],
  ["GET", "/things/x", fast, "", "path id"],
  ["GET", "/things/4", {}, "", "header X-Mode: is missing"],
  ["GET", "/things/4", { "x-mode": "other" }, "", "header X-Mode: does not fit"],
  ["GET", "/things/4?ids=1,2", fast, "", "query ids: does not fit"],
  ["GET", "/things/4?deep%5Ba%5D=x", fast, "", "query deep: does not fit"],
  ["GET", "/things/4?other=1", fast, "", "query other: there is no such parameter"],
  ["GET", "/things/4", fast, "x", "body: none is expected"],
  ["PUT", "/things/4", json, "", "body: is missing"],
  ["PUT", "/things/4", json, "{", "body: is no JSON"],
  ["PUT", "/things/4", json, '{"name":1}', "body: /name"],
  ["PUT", "/things/4", json, '{"name":"x","more":1}', "additional"],
  ["PUT", "/things/4", { "content-type": "text/plain" }, "x", "text/plain is none of"],
  ["PUT", "/things/4", form, "n=x", "body: "],
])("rejects %s %s with %j and %j", async (method, target, headers, body, problem) => {
  expect((await check(method, target, headers, body)).problems.join("; ")).toContain(problem);
});
