import { hmac, isSame } from "../same-secret.ts";
import { isCurrent, type Scheme } from "../scheme.ts";

const MOST_SIGNATURES = 16;

/** Standard Webhooks: several signatures while a secret is being changed; one that fits is enough. */
export const standard: Scheme = {
  forms: false,
  refusal({ header, raw, nowMs }, { secret }) {
    const [id, at, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map(header);
    if (!id || !at || !signatures) return "missing_signature";
    const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
    const expected = `v1,${hmac("sha256", key, `${id}.${at}.`, raw).toString("base64")}`;
    const presented = signatures.split(" ").slice(0, MOST_SIGNATURES);
    if (!presented.some((signature) => isSame(signature, expected))) return "wrong_signature";
    return isCurrent(at, nowMs) ? undefined : "stale_signature";
  },
  identify({ header }) {
    const id = header("webhook-id") ?? "";
    return { key: id, deliveryId: id };
  },
};
