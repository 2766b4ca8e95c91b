import type { Settlement } from "@deputy/codemode";
import type { Receipt } from "../gate/receipt.ts";

/** The part of an ended call's receipt that its cell gets. */
export function settlementOf(
  ended: {
    readonly status: Receipt["status"];
    readonly resultJson?: string | undefined;
    readonly error?: Receipt["error"] | undefined;
  },
  atMs: number,
): Settlement {
  if (ended.status === "succeeded") return { kind: "ok", json: ended.resultJson ?? "null", atMs };
  if (ended.error === undefined)
    return { kind: "error", code: ended.status, message: "The call did not succeed.", atMs };
  const { code, message, status, bodyJson } = ended.error;
  return { kind: "error", code, message, status, bodyJson, atMs };
}
