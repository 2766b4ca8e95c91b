import { hmac, isSame } from "../same-secret.ts";
import { isCurrent, type Scheme, textIn } from "../scheme.ts";

const MOST_PARTS = 16;

/** `t=…,v1=…`, with several `v1` while a secret is being changed. */
export const stripe: Scheme = {
  forms: false,
  refusal({ header, raw, nowMs }, { secret }) {
    const parts = (header("stripe-signature") ?? "").split(",").slice(0, MOST_PARTS);
    const at = parts.find((part) => part.startsWith("t="))?.slice(2);
    const presented = parts.filter((part) => part.startsWith("v1="));
    if (!at || presented.length === 0) return "missing_signature";
    const expected = `v1=${hmac("sha256", secret, `${at}.`, raw).toString("hex")}`;
    if (!presented.some((signature) => isSame(signature, expected))) return "wrong_signature";
    return isCurrent(at, nowMs) ? undefined : "stale_signature";
  },
  identify({ sha256 }, payload) {
    const id = textIn(payload, "id");
    return id === undefined ? { key: sha256 } : { key: `event ${id}`, deliveryId: id };
  },
};
