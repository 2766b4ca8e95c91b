import type { RpcId } from "@deputy/protocol/rpc";
import { reachesPrototypes } from "../read-body.ts";

export type Frame =
  | { readonly kind: "auth"; readonly token: string }
  | {
      readonly kind: "request";
      readonly id: RpcId;
      readonly method: string;
      readonly params: unknown;
      readonly jsonrpc?: "2.0";
    }
  | {
      readonly kind: "invalid";
      readonly id: RpcId | null;
      readonly code: "invalid_json" | "invalid_request";
      readonly message: string;
      readonly jsonrpc?: "2.0";
    };

/** No request comes near this; deeper values break recursive code later. */
const DEEPEST = 64;
const LONGEST_ID = 200;
const POISON = /"(?:__proto__|constructor|prototype|(?:\\u[0-9a-f]{4}|\\)[^"]*)"\s*:/i;

/**
 * Parses a client's frame by hand and not by schema, because this runs for every frame. Never throws. A frame that
 * says `jsonrpc: "2.0"` is answered with it: the clients that send it expect it.
 */
export function readFrame(text: string): Frame {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: "invalid", id: null, code: "invalid_json", message: "The frame is not JSON" };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return invalid(null, "A frame is one object");
  const { type, token, jsonrpc } = value as Record<string, unknown>;
  if (type === "auth" && typeof token === "string") return { kind: "auth", token };
  const frame = readRequest(text, value);
  return jsonrpc === "2.0" ? { ...frame, jsonrpc } : frame;
}

function readRequest(text: string, value: object): Exclude<Frame, { kind: "auth" }> {
  const { id, method, params = {} } = value as Record<string, unknown>;
  if (!isRpcId(id)) return invalid(null, "id: must be a string or a whole number");
  if (typeof method !== "string") return invalid(id, "method: must be a string");
  if (typeof params !== "object" || params === null || Array.isArray(params))
    return invalid(id, "params: must be an object");
  // Most frames are too short to be deep, and contain no such key.
  if (text.length > 2 * DEEPEST && isTooDeep(value)) return invalid(id, "It is nested too deeply");
  if (POISON.test(text) && reachesPrototypes(value)) return invalid(id, "It has a key that is not allowed");
  return { kind: "request", id, method, params };
}

const invalid = (id: RpcId | null, message: string): Extract<Frame, { kind: "invalid" }> => ({
  kind: "invalid",
  id,
  code: "invalid_request",
  message,
});

function isRpcId(id: unknown): id is RpcId {
  return typeof id === "string" ? id.length <= LONGEST_ID : Number.isSafeInteger(id);
}

/** Without recursion, which is what it guards against. */
function isTooDeep(root: object): boolean {
  let level: object[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) return true;
    level = level.flatMap((value) => Object.values(value).filter(isObject));
  }
  return false;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
