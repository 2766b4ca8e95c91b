import { parseJson, shorten } from "@deputy/kit";
import { ToolsError } from "@deputy/tools";
import { readBytes } from "@deputy/net";
import { essenceOf, mediaKindOf } from "../spec/media-type.ts";
import { HttpError } from "./http-error.ts";
import { readStream } from "./read-stream.ts";

/** No meaningful answer is nested more deeply, and code that walks through it needs a stack. */
const MOST_LEVELS = 200;

export interface ReadDeps {
  readonly maxBytes: number;
  readonly maxStreamMs: number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly progress: (message: string) => void;
  readonly log: (message: string) => void;
  /** Removes secrets from a text. Everything that the server sends goes through it. */
  readonly scrub: (text: string) => string;
  /** Removes them from the pieces of a stream, even if a secret is split between pieces. */
  readonly scrubAll: (items: unknown) => unknown;
}

/** How much of an error's body is read. */
const MAX_ERROR_BYTES = 64 * 1024;

const MAX_PROGRESS_CHARS = 200;

/**
 * A response as a value: JSON parsed, text as it is, bytes in base64, a stream as the list of what it said. Throws
 * an `HttpError` for a refusal, and `response_invalid` for what was declared to be JSON and is not, or is nested
 * too deeply.
 */
export async function readResponse(
  response: Response,
  host: string,
  isJsonDeclared: boolean,
  deps: ReadDeps,
  signal: AbortSignal,
): Promise<unknown> {
  const contentType = response.headers.get("content-type") ?? "";
  if (!response.ok) throw await refusal(response, host, deps, signal);
  const kind = mediaKindOf(contentType);
  if (kind === "lines" || kind === "events") {
    // Secrets are removed before it is cut, so that no part of one is left at the edge.
    const onItem = (text: string): void => deps.progress(shorten(deps.scrub(text), MAX_PROGRESS_CHARS));
    const limits = { maxBytes: deps.maxBytes, maxMs: deps.maxStreamMs };
    const { items, end } = await readStream(response, kind, { limits, sleep: deps.sleep, onItem }, signal);
    if (end === "cut") deps.log(`The stream was cut after ${items.length} items.`);
    assertShallow(items, host);
    return deps.scrubAll(JSON.parse(deps.scrub(JSON.stringify(items))));
  }
  const bytes = await readBytes(response, deps.maxBytes, signal);
  if (bytes.length === 0) return null;
  if (kind === "binary" && !isJsonDeclared)
    return { mediaType: essenceOf(contentType), bytes: bytes.length, base64: toBase64(bytes) };
  const text = deps.scrub(decodeText(bytes, contentType));
  if (kind !== "json" && !isJsonDeclared) return text;
  const value = parseJson(text);
  if (value !== undefined) {
    assertShallow(value, host);
    return value;
  }
  // Without a declaration and a type, it is text.
  if (contentType === "" && !isJsonDeclared) return text;
  const said = contentType === "" ? "no type" : essenceOf(contentType);
  throw new ToolsError(
    "response_invalid",
    `${host} answered ${response.status}, but what it sent (${said}, ${bytes.length} bytes) is no JSON`,
  );
}

async function refusal(
  response: Response,
  host: string,
  { scrub }: ReadDeps,
  signal: AbortSignal,
): Promise<Error> {
  const bytes = await readBytes(response, MAX_ERROR_BYTES, signal).catch((error: unknown) => {
    if (error instanceof ToolsError) return new Uint8Array();
    throw error;
  });
  const contentType = response.headers.get("content-type") ?? "";
  const isText = mediaKindOf(contentType) !== "binary";
  const text = isText ? scrub(decodeText(bytes, contentType)) : "";
  const value = parseJson(text);
  const body = value === undefined || isTooDeep(value) ? text : value;
  return new HttpError(response.status, response.statusText, body, host);
}

function decodeText(bytes: Uint8Array, contentType: string): string {
  const charset = /charset="?([\w-]+)/i.exec(contentType)?.[1] ?? "utf-8";
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

const CHUNK = 0x8000;

function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += CHUNK)
    binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(binary);
}

/** True if lists and objects are nested more deeply than the limit. Itself looks no deeper than that. */
function isTooDeep(value: unknown, levels = MOST_LEVELS): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isTooDeep(inner, levels - 1));
}

/** Throws `response_invalid`. */
function assertShallow(value: unknown, host: string): void {
  if (isTooDeep(value))
    throw new ToolsError(
      "response_invalid",
      `${host} answered with lists or objects more than ${MOST_LEVELS} levels deep`,
    );
}
