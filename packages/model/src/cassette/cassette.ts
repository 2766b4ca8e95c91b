import { ModelError } from "../model-error.ts";
import { asObject, isObject, listIn, parseJson, stringIn } from "../wire/json.ts";

/** Requests and their answers, in order; readable, and without secrets. */
export interface Cassette {
  readonly recordings: readonly Recording[];
}

export interface Recording {
  readonly request: RecordedRequest;
  readonly response: RecordedResponse;
}

/** Headers are left out: they contain keys and details of the SDK. */
export interface RecordedRequest {
  readonly method: string;
  /** Path and query: the server's own address does not matter. */
  readonly path: string;
  readonly body: string;
}

export interface RecordedResponse {
  readonly status: number;
  /** Only the few headers that change how the answer is handled. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** `cut`: the connection broke after this much. */
  readonly end: "whole" | "cut";
}

export function formatCassette(cassette: Cassette): string {
  return `${JSON.stringify({ version: 1, ...cassette }, null, 2)}\n`;
}

/** Throws `cassette_mismatch` for anything that `formatCassette` did not write. */
export function parseCassette(text: string): Cassette {
  const value = parseJson(text);
  try {
    const cassette = asObject(value, "a cassette");
    if (cassette["version"] !== 1 || !Array.isArray(cassette["recordings"]))
      throw new Error("another version");
    return { recordings: listIn(cassette, "recordings").map(readRecording) };
  } catch (cause) {
    throw new ModelError("cassette_mismatch", "This is not a cassette of this version. Record it again.", {
      cause,
    });
  }
}

function readRecording(value: unknown): Recording {
  const recording = asObject(value, "a recording");
  const request = asObject(recording["request"], "a request");
  const response = asObject(recording["response"], "a response");
  const headers = Object.entries(isObject(response["headers"]) ? response["headers"] : {});
  return {
    request: {
      method: stringIn(request, "method"),
      path: stringIn(request, "path"),
      body: stringIn(request, "body"),
    },
    response: {
      status: Number(response["status"]),
      headers: Object.fromEntries(headers.map(([name, header]) => [name, String(header)])),
      body: stringIn(response, "body"),
      end: response["end"] === "cut" ? "cut" : "whole",
    },
  };
}
