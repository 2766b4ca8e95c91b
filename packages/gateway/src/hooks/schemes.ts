import { createPublicKey, verify } from "node:crypto";
import type { HookScheme, Hook } from "./hook.ts";
import { type Scheme, isCurrent, textIn, type Sent } from "./scheme.ts";
import { hmac, isSame, sha256Hex } from "./same-secret.ts";

/** The signature covers the address as Twilio knows it and the fields of the form, sorted; there is no time in it. */
const twilio: Scheme = {
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

/** The DER bytes before the 32 bytes of an Ed25519 key. */
const DER_PREFIX = Buffer.from("302a300506032b6570032100", "hex");

const KEY_BYTES = 32;

/** 64 bytes in base64. */
const SIGNATURE = /^[A-Za-z0-9+/]{86}==$/;

/** The secret is their public key, in base64: it need not be kept secret, and cannot be used to sign. */
const telnyx: Scheme = {
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

/** Telegram signs nothing: it sends the secret with each update. */
const telegram: Scheme = {
  forms: false,
  refusal({ header }, { secret }) {
    const presented = header("x-telegram-bot-api-secret-token");
    if (!presented) return "missing_signature";
    return isSame(presented, secret) ? undefined : "wrong_signature";
  },
  identify({ sha256 }, payload) {
    const { update_id: id } = (payload ?? {}) as { readonly update_id?: unknown };
    return Number.isSafeInteger(id)
      ? { key: `update ${String(id)}`, deliveryId: String(id) }
      : { key: sha256 };
  },
};

const MOST_PARTS = 16;

/** `t=…,v1=…`, with several `v1` while a secret is being changed. */
const stripe: Scheme = {
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

const MOST_SIGNATURES = 16;

/** What Standard Webhooks came from: the same under older names, which Svix and its customers still send. */
const headersOf = ({ header }: Pick<Sent, "header">): readonly (string | undefined)[] => {
  const prefix = header("webhook-id") === undefined ? "svix" : "webhook";
  return ["id", "timestamp", "signature"].map((name) => header(`${prefix}-${name}`));
};

/** Standard Webhooks: several signatures while a secret is being changed; one that fits is enough. */
const standard: Scheme = {
  forms: false,
  refusal(sent, { secret }) {
    const { raw, nowMs } = sent;
    const [id, at, signatures] = headersOf(sent);
    if (!id || !at || !signatures) return "missing_signature";
    const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
    const expected = `v1,${hmac("sha256", key, `${id}.${at}.`, raw).toString("base64")}`;
    const presented = signatures.split(" ").slice(0, MOST_SIGNATURES);
    if (!presented.some((signature) => isSame(signature, expected))) return "wrong_signature";
    return isCurrent(at, nowMs) ? undefined : "stale_signature";
  },
  identify(sent) {
    const [id = ""] = headersOf(sent);
    return { key: id, deliveryId: id };
  },
};

/** Events, commands and interactions. A retry has a new signature and the same `event_id`. */
const slack: Scheme = {
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

/** Anyone who knows the address may send. */
const none: Scheme = {
  forms: true,
  refusal: () => undefined,
  identify({ header, sha256 }) {
    const id = header("webhook-id") ?? header("idempotency-key");
    return id === undefined ? { key: sha256 } : { key: `id ${id}`, deliveryId: id };
  },
};

/** The signature covers only the body, so the body identifies a delivery, not its id. */
const github: Scheme = {
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

export const schemes: Readonly<Record<HookScheme, Scheme>> = {
  standard,
  github,
  slack,
  stripe,
  telegram,
  telnyx,
  twilio,
  none,
};

function signedText({ raw, url }: Sent, { publicUrl = "" }: Pick<Hook, "publicUrl">): string {
  const fields = [...new URLSearchParams(raw.toString("utf8"))].map(([name, value]) => name + value);
  return publicUrl + url + fields.toSorted(byCodeUnits).join("");
}

const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
