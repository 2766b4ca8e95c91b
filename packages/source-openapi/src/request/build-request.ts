import { ToolsError } from "@deputy/tools";
import { fieldOf, isObject } from "@deputy/json-schema";
import { mediaKindOf } from "../spec/media-type.ts";
import type { Parameter } from "../spec/parameter.ts";
import { BODY_ARGUMENT, expandTemplate, type Operation } from "../spec/read-operation.ts";
import { type EncodedBody, encodeBody } from "./encode-body.ts";
import { expandPairs, expandPart, plainText } from "./expand-style.ts";
import { percentEncode, percentEncodeReserved } from "./percent-encode.ts";

/** A request without what the settings add to it. */
export interface BuiltRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: EncodedBody["content"] | undefined;
}

/** Makes the request from an input that was checked. Throws `request_invalid`. */
export function buildRequest(base: URL, operation: Operation, input: unknown): BuiltRequest {
  const given = operation.parameters.flatMap((parameter) => {
    const value = fieldOf(input, parameter.argument);
    return value === undefined || (value === null && !parameter.required) ? [] : [{ parameter, value }];
  });
  const at = (place: Parameter["place"]): typeof given =>
    given.filter(({ parameter }) => parameter.place === place);

  // Some documents tell operations apart by a fragment, which is never sent.
  const [template = ""] = operation.path.split("#", 1);
  const [pathTemplate = "", fixedQuery] = template.split("?", 2);
  const path = expandTemplate(pathTemplate, ({ name, keepsSlashes }) => {
    const found = at("path").find(({ parameter }) => parameter.name === name);
    return found === undefined ? "" : pathPart(found.parameter, found.value, keepsSlashes);
  });
  assertNoDetour(path);
  const query = [...(fixedQuery === undefined ? [] : [fixedQuery]), ...at("query").flatMap(queryPairs)];
  const url = new URL(base);
  url.pathname = `${base.pathname.replace(/\/$/, "")}/${path.replace(/^\//, "")}`;
  const baseQuery = base.search.slice(1);
  url.search = [...(baseQuery === "" ? [] : [baseQuery]), ...query].join("&");

  const headers = new Headers();
  headers.set("accept", acceptOf(operation.results.accept));
  for (const { parameter, value } of at("header"))
    setHeader(headers, parameter.name, headerText(parameter, value));
  const cookies = at("cookie").flatMap(queryPairs);
  if (cookies.length > 0) setHeader(headers, "cookie", cookies.join("; "));

  const bodyValue = operation.body === undefined ? undefined : fieldOf(input, BODY_ARGUMENT);
  const encoded =
    operation.body === undefined || bodyValue === undefined
      ? undefined
      : encodeBody(operation.body, bodyValue);
  if (encoded !== undefined) setHeader(headers, "content-type", encoded.contentType);
  return { method: operation.method.toUpperCase(), url, headers, body: encoded?.content };
}

function pathPart(parameter: Parameter, value: unknown, keepsSlashes: boolean): string {
  const { serialisation, name } = parameter;
  const encode = keepsSlashes ? encodeSegments : percentEncode;
  const text =
    serialisation.kind === "json"
      ? percentEncode(JSON.stringify(value))
      : expandPart(name, value, { ...serialisation, encode });
  if (text === "" || value === null)
    throw invalid(`${parameter.argument} is part of the path and must not be empty`);
  return text;
}

function encodeSegments(text: string): string {
  return text.split("/").map(percentEncode).join("/");
}

/** `..` in a value would call another operation than the one that was approved. */
function assertNoDetour(path: string): void {
  const isDetour = path
    .replaceAll(/%2e/gi, ".")
    .split(/[/\\]/)
    .some((segment) => segment === "." || segment === "..");
  if (isDetour) throw invalid("a part of the path must not be “.” or “..”");
}

function queryPairs({ parameter, value }: { parameter: Parameter; value: unknown }): readonly string[] {
  const { serialisation, name } = parameter;
  if (serialisation.kind === "json")
    return [`${percentEncode(name)}=${percentEncode(JSON.stringify(value))}`];
  const encode = serialisation.allowReserved ? percentEncodeReserved : percentEncode;
  return expandPairs(name, value, { ...serialisation, encode });
}

function headerText({ serialisation, name }: Parameter, value: unknown): string {
  if (serialisation.kind === "json") return JSON.stringify(value);
  if (!Array.isArray(value) && !isObject(value)) return plainText(value);
  return expandPart(name, value, { ...serialisation, style: "simple", encode: (text) => text });
}

function setHeader(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value);
  } catch (cause) {
    throw new ToolsError("request_invalid", `${name} cannot be sent as a header`, { cause });
  }
}

/** What is easiest for a program to read comes first; everything else is accepted too. */
function acceptOf(mediaTypes: readonly string[]): string {
  const json = mediaTypes.filter((type) => mediaKindOf(type) === "json");
  const others = mediaTypes.filter(
    (type) => mediaKindOf(type) !== "json" && /^[\w!#$&^.+*/;=" -]+$/.test(type),
  );
  const first = json.length === 0 && others.length > 0 ? others : ["application/json", ...others];
  return [...new Set(first.slice(0, 8)), "*/*;q=0.1"].join(", ");
}

function invalid(why: string): ToolsError {
  return new ToolsError("request_invalid", `The request cannot be made: ${why}`);
}
