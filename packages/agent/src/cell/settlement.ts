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
  const error = ended.error ?? { code: ended.status, message: "The call did not succeed." };
  return { kind: "error", ...error, atMs };
}
