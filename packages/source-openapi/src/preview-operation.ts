import { shorten } from "@deputy/kit";
import type { ApprovalPreview } from "@deputy/protocol";
import { fieldOf } from "@deputy/json-schema";
import { buildRequest } from "./request/build-request.ts";
import type { ServerAddresses } from "./request/server-address.ts";
import type { Operation } from "./spec/read-operation.ts";

/** A document's own description of a call; see `previewOperation`. */
export const PREVIEW_EXTENSION = "x-deputy-preview";

const PLACE = /\{([^{}]+)\}/g;
const MOST_VALUE_CHARS = 200;

/**
 * Shows the user what is sent, and where, with the input. `words`, if given, replace this: a text with `{argument}`
 * and `{body.field}` in it, whose first line is the title. A line is left out if the input lacks something that the
 * line names. Never throws.
 */
export function previewOperation(
  path: string,
  operation: Operation,
  addresses: ServerAddresses,
  words: string | undefined,
  input: unknown,
): ApprovalPreview {
  const request = requestLine(operation, addresses, input);
  const [title, ...more] = (words ?? "").split("\n").map((line) => fill(line, input));
  if (title === undefined || title === "") return { title: `${path}: ${request}`, details: inputText(input) };
  return { title, details: [...more.filter((line) => line !== undefined), request].join("\n") };
}

function inputText(input: unknown): string {
  try {
    return JSON.stringify(input, null, 2) ?? "";
  } catch {
    return "";
  }
}

/** The path as it will be sent; if that is impossible, with the braces of the template. */
function requestLine(operation: Operation, addresses: ServerAddresses, input: unknown): string {
  const method = operation.method.toUpperCase();
  try {
    const base = addresses.of(operation.servers);
    try {
      const { url } = buildRequest(base, { ...operation, body: undefined }, input);
      return `${method} ${url.host}${url.pathname}`;
    } catch {
      return `${method} ${base.host}${operation.path}`;
    }
  } catch {
    // The call itself reports that there is no address.
    return `${method} ${operation.path}`;
  }
}

/** Undefined if something that it names is missing or is not a plain value. */
function fill(line: string, input: unknown): string | undefined {
  let isWhole = true;
  const filled = line.replaceAll(PLACE, (_all, place: string) => {
    const value = place.split(".").reduce<unknown>((at, name) => fieldOf(at, name), input);
    const values = Array.isArray(value) ? value : [value];
    if (values.length === 0 || !values.every((one) => typeof one === "string" || typeof one === "number"))
      isWhole = false;
    return inOneLine(values.join(", "));
  });
  return isWhole ? filled : undefined;
}

/** On one line: a value cannot begin another line. */
function inOneLine(text: string): string {
  return shorten(text.replaceAll(/\s+/g, " "), MOST_VALUE_CHARS);
}
