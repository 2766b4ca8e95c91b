import { hmac, isSame } from "../same-secret.ts";
import type { Scheme } from "../scheme.ts";

/** The signature covers the body alone: so it is the body that a delivery is known by, and not its id. */
export const github: Scheme = {
  forms: false,
  refusal({ header, raw }, { secret }) {
    const presented = header("x-hub-signature-256");
    if (!presented) return "missing_signature";
    const expected = `sha256=${hmac("sha256", secret, raw).toString("hex")}`;
    return isSame(presented, expected) ? undefined : "wrong_signature";
  },
  identify({ header, sha256 }) {
    return { key: sha256, deliveryId: header("x-github-delivery"), event: header("x-github-event") };
  },
};
