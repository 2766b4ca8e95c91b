import { hmac, isSame, sha256Hex } from "../same-secret.ts";
import type { Hook } from "../hook.ts";
import { type Scheme, type Sent, textIn } from "../scheme.ts";

/** The signature covers the address as Twilio knows it and the fields of the form, sorted; there is no time in it. */
export const twilio: Scheme = {
  forms: true,
  refusal(sent, hook) {
    const presented = sent.header("x-twilio-signature");
    if (!presented) return "missing_signature";
    const expected = hmac("sha1", hook.secret, signedText(sent, hook)).toString("base64");
    return isSame(presented, expected) ? undefined : "wrong_signature";
  },
  identify(sent, payload, hook) {
    const deliveryId = textIn(payload, "MessageSid") ?? textIn(payload, "CallSid");
    return { key: sha256Hex(signedText(sent, hook)), deliveryId };
  },
};

function signedText({ raw, url }: Sent, { publicUrl = "" }: Pick<Hook, "publicUrl">): string {
  const fields = [...new URLSearchParams(raw.toString("utf8"))].map(([name, value]) => name + value);
  return publicUrl + url + fields.toSorted(byCodeUnits).join("");
}

const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
