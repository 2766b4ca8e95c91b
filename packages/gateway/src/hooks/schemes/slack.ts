import { hmac, isSame } from "../same-secret.ts";
import { isCurrent, type Scheme, textIn } from "../scheme.ts";

/** Events, commands and interactions. A retry is signed anew, and has the same `event_id`. */
export const slack: Scheme = {
  forms: true,
  refusal({ header, raw, nowMs }, { secret }) {
    const [at, presented] = ["x-slack-request-timestamp", "x-slack-signature"].map(header);
    if (!at || !presented) return "missing_signature";
    const expected = `v0=${hmac("sha256", secret, `v0:${at}:`, raw).toString("hex")}`;
    if (!isSame(presented, expected)) return "wrong_signature";
    return isCurrent(at, nowMs) ? undefined : "stale_signature";
  },
  identify({ sha256 }, payload) {
    const id = textIn(payload, "event_id");
    return id === undefined ? { key: sha256 } : { key: `event ${id}`, deliveryId: id };
  },
  challenge(payload) {
    const challenge = textIn(payload, "challenge");
    if (textIn(payload, "type") !== "url_verification" || challenge === undefined) return undefined;
    return { challenge };
  },
};
