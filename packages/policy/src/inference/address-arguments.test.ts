import * as fc from "fast-check";
import { expect, test } from "vitest";
import { addressArguments } from "./address-arguments.ts";

const text = { type: "string" };
const object = (properties: Readonly<Record<string, unknown>>) => ({ type: "object", properties });

test.each([
  "url",
  "pageUrl",
  "image_urls",
  "uri",
  "href",
  "endpoint",
  "webhook",
  "callback",
  "callbackUrl",
  "host",
  "hostname",
  "domain",
  "address",
  "to",
  "CC",
  "bcc",
  "recipient",
  "email",
])("[YI10] %s names whom or what it reaches", (name) => {
  expect(addressArguments(object({ id: text, [name]: text }))).toEqual([name]);
});

test.each([
  ["a format", { site: { ...text, format: "uri" } }, "site"],
  ["a format of mail", { whom: { ...text, format: "email" } }, "whom"],
  ["a format of machines", { machine: { ...text, format: "ipv4" } }, "machine"],
  ["a list", { urls: { type: "array", items: text } }, "urls"],
  ["a list of formats", { pages: { type: "array", items: { ...text, format: "uri" } } }, "pages"],
  ["a choice", { url: { anyOf: [text, { type: "null" }] } }, "url"],
  ["a type that may be null", { url: { type: ["string", "null"] } }, "url"],
  ["no type at all", { url: {} }, "url"],
  ["depth", { request: object({ target: object({ url: text }) }) }, "request.target.url"],
  [
    "one of several shapes",
    { request: { oneOf: [object({ id: text }), object({ host: text })] } },
    "request.host",
  ],
  [
    "values of a map",
    { pages: { type: "object", additionalProperties: { ...text, format: "uri" } } },
    "pages",
  ],
])("[YI10] an address is found by %s", (_what, properties, path) => {
  expect(addressArguments(object(properties))).toEqual([path]);
});

test("[YI10] an address in a definition that is referred to is found", () => {
  const schema = { ...object({ next: { $ref: "#/$defs/step" } }), $defs: { step: object({ url: text }) } };
  expect(addressArguments(schema)).toEqual(["step.url"]);
});

test.each([
  ["other names", { query: text, id: text, total: text, token: text, photo: text }],
  ["numbers and switches", { linkCount: { type: "integer" }, links: { type: "boolean" } }],
  ["what the author lists", { host: { enum: ["a", "b"] }, url: { const: "https://a.example" } }],
  ["the end of a range", { from: text, to: text }],
  ["a date", { to: { ...text, format: "date" } }],
])("[YI10] not by %s", (_what, properties) => {
  expect(addressArguments(object(properties))).toEqual([]);
});

test("[YI9] whatever the schema, there is an answer", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (schema) => {
      expect(Array.isArray(addressArguments(schema))).toBe(true);
    }),
  );
  const loop: Record<string, unknown> = { type: "object" };
  loop["properties"] = { url: text, again: loop };
  expect(addressArguments(loop)).toContain("url");
});

test.each([
  [object({ url: true, host: false }), ["url"]],
  [object({ url: { type: ["null", "string"] }, host: { type: ["null", "integer"] } }), ["url"]],
  [object({ url: { type: "array" }, host: { type: "array", items: { type: "integer" } } }), ["url"]],
  [object({ url: { anyOf: [{ type: "null" }, text] }, host: { oneOf: [{ type: "null" }] } }), ["url"]],
  [object({ url: { oneOf: [{ type: "null" }, text] } }), ["url"]],
  [object({ since: text, to: text, cc: text }), ["cc"]],
  [object({ list: { prefixItems: [{ format: "ipv4" }] } }), ["list"]],
  [object({ one: { anyOf: [{ format: "ipv4" }] }, all: { allOf: [{ format: "email" }] } }), ["one", "all"]],
  [{ definitions: { Person: object({ email: text }) } }, ["Person.email"]],
  [{ type: "string", format: "uri" }, []],
])("[YI10] of %j it is %j", (schema, names) => {
  expect(addressArguments(schema)).toEqual(names);
});
