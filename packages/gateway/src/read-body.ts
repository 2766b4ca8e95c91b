import type { IncomingMessage } from "node:http";
import { GatewayError } from "./gateway-error.ts";
import type { Route } from "./route.ts";

/** The body of a request, in the form that its route accepts. All are empty without a body. */
export interface RequestBody {
  readonly json?: unknown;
  /** They are read as the consumer takes them, and the consumer limits them. */
  readonly bytes?: AsyncIterable<Uint8Array>;
  /** Unchanged, because a signature covers its bytes. */
  readonly raw?: Buffer;
}

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;
const BYTES_TYPE = /^application\/octet-stream\s*(?:;|$)/i;

/**
 * Reads what the route accepts, within the limit. JSON and bytes need the matching content type, which no
 * HTML form can send, and no other site without a preflight. Rejects with a `GatewayError`, or when the
 * client leaves.
 */
export async function readBody(
  { method, takes }: Pick<Route, "method" | "takes">,
  message: IncomingMessage,
  limits: { readonly bodyBytes: number },
): Promise<RequestBody> {
  if (method === "GET") return {};
  const { "content-type": type, "content-length": length, "transfer-encoding": coding } = message.headers;
  const isEmpty = coding === undefined && (length === undefined || length === "0");
  if (type === undefined && isEmpty) return {};
  if (takes === "signed") return { raw: await readWhole(message, limits.bodyBytes) };
  const wanted = takes === "bytes" ? BYTES_TYPE : JSON_TYPE;
  if (type === undefined || !wanted.test(type.trim()))
    throw new GatewayError("unsupported_media_type", `Send it as ${nameOf(takes)}`);
  if (takes === "bytes") return { bytes: message };
  const text = (await readWhole(message, limits.bodyBytes)).toString("utf8");
  return text === "" ? {} : { json: parseJson(text) };
}

function nameOf(takes: "bytes" | undefined): string {
  return takes === "bytes" ? "application/octet-stream" : "application/json";
}

/** Nothing more is read of a body that is too large: the connection ends with the answer. */
async function readWhole(message: IncomingMessage, most: number): Promise<Buffer> {
  if (Number(message.headers["content-length"] ?? 0) > most) throw tooLarge(most);
  const chunks: Buffer[] = [];
  let bytes = 0;
  return await new Promise((resolve, reject) => {
    const settle = (then: () => void): void => {
      message.off("data", take).off("end", end).off("close", leave).off("error", leave);
      then();
    };
    const take = (chunk: Buffer): void => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes > most) settle(() => reject(tooLarge(most)));
    };
    const end = (): void => settle(() => resolve(Buffer.concat(chunks, bytes)));
    const leave = (): void =>
      settle(() => reject(new GatewayError("invalid_request", "The request is incomplete")));
    message.on("data", take).once("end", end).once("close", leave).once("error", leave);
  });
}

function tooLarge(most: number): GatewayError {
  return new GatewayError("body_too_large", `A body may have ${most} bytes`, {
    headers: { connection: "close" },
  });
}

/** Keys that would reach into prototypes are refused at any depth. */
function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text);
  } catch (cause) {
    throw new GatewayError("invalid_json", "It cannot be parsed", { cause });
  }
  // Either key contains these letters, unless they are written as escapes.
  if (/proto|\\u/i.test(text) && reachesPrototypes(value))
    throw new GatewayError("invalid_json", "It has a key that would change what objects inherit");
  return value;
}

/** True if a key at any depth would change what objects inherit. Without recursion: it can be nested deeper than the stack. */
export function reachesPrototypes(value: unknown): boolean {
  const left = [value];
  while (left.length > 0) {
    const at = left.pop();
    if (typeof at !== "object" || at === null) continue;
    if (Object.hasOwn(at, "__proto__")) return true;
    const made = Object.hasOwn(at, "constructor") ? (at as { constructor: unknown }).constructor : undefined;
    if (typeof made === "object" && made !== null && Object.hasOwn(made, "prototype")) return true;
    for (const inside of Object.values(at)) left.push(inside);
  }
  return false;
}
