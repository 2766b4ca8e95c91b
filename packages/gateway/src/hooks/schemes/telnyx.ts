import { createPublicKey, verify } from "node:crypto";
import { isCurrent, type Scheme, textIn } from "../scheme.ts";

/** What stands before the 32 bytes of an Ed25519 key in DER. */
const DER_PREFIX = Buffer.from("302a300506032b6570032100", "hex");
const KEY_BYTES = 32;
/** 64 bytes in base64. */
const SIGNATURE = /^[A-Za-z0-9+/]{86}==$/;

/** The secret is their public key, in base64: it need not be kept secret, and cannot be used to sign. */
export const telnyx: Scheme = {
  forms: false,
  refusal({ header, raw, nowMs }, { secret }) {
    const [at, presented] = ["telnyx-timestamp", "telnyx-signature-ed25519"].map(header);
    if (!at || !presented) return "missing_signature";
    const key = Buffer.from(secret, "base64");
    if (!SIGNATURE.test(presented) || key.length !== KEY_BYTES) return "wrong_signature";
    const signature = Buffer.from(presented, "base64");
    const publicKey = createPublicKey({ key: Buffer.concat([DER_PREFIX, key]), format: "der", type: "spki" });
    const signed = Buffer.concat([Buffer.from(`${at}|`), raw]);
    if (!verify(null, signed, publicKey, signature)) return "wrong_signature";
    return isCurrent(at, nowMs) ? undefined : "stale_signature";
  },
  identify({ sha256 }, payload) {
    const id = textIn(payload, "data", "id");
    return id === undefined ? { key: sha256 } : { key: `event ${id}`, deliveryId: id };
  },
};
