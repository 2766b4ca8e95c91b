import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { Webhook } from "standardwebhooks";
import type { Hook, HookScheme } from "./hook.ts";
import { sha256Hex } from "./same-secret.ts";

export const HOOK_TOKEN = "a-token-that-is-in-the-address-of-a-hook";
export const PUBLIC_URL = "https://hooks.example.org";
const KEYS = generateKeyPairSync("ed25519");
const STANDARD_KEY = Buffer.from("0123456789abcdef0123456789abcdef");
const SECRETS: Readonly<Record<HookScheme, string>> = {
  standard: `whsec_${STANDARD_KEY.toString("base64")}`,
  github: "a secret that GitHub was told",
  slack: "8f742231b10e8888abcd99yyyzzz85a5",
  stripe: "whsec_of_stripe_0123456789",
  telegram: "a_secret_token_of_a_bot",
  telnyx: KEYS.publicKey.export({ type: "spki", format: "der" }).subarray(-32).toString("base64"),
  twilio: "12345678901234567890123456789012",
  none: "",
};

export function hookOf(scheme: HookScheme, over: Partial<Hook> = {}): Hook {
  return {
    id: `id-of-${scheme}`,
    name: scheme,
    tokenSha256: sha256Hex(HOOK_TOKEN),
    scheme,
    secret: SECRETS[scheme],
    publicUrl: PUBLIC_URL,
    maxBytes: 100_000,
    maxPerMinute: 1_000,
    ...over,
  };
}

interface Sending {
  readonly body: string;
  /** In seconds, or what a test wants there. */
  readonly at: string;
  readonly id: string;
  /** Path and query. */
  readonly url: string;
}

const hex = (secret: string, text: string): string => createHmac("sha256", secret).update(text).digest("hex");
const JSON_TYPE = { "content-type": "application/json" };
const FORM_TYPE = { "content-type": "application/x-www-form-urlencoded" };

/** How each sender signs, written from its documentation; Standard Webhooks by their own library. */
export const senders: Readonly<Record<HookScheme, (sending: Sending) => Readonly<Record<string, string>>>> = {
  standard: ({ body, at, id }) => ({
    ...JSON_TYPE,
    "webhook-id": id,
    "webhook-timestamp": at,
    "webhook-signature": /^\d{1,12}$/.test(at)
      ? new Webhook(SECRETS.standard).sign(id, new Date(Number(at) * 1_000), body)
      : `v1,${createHmac("sha256", STANDARD_KEY).update(`${id}.${at}.${body}`).digest("base64")}`,
  }),
  github: ({ body, id }) => ({
    ...JSON_TYPE,
    "x-github-event": "push",
    "x-github-delivery": id,
    "x-hub-signature-256": `sha256=${hex(SECRETS.github, body)}`,
  }),
  slack: ({ body, at }) => ({
    ...JSON_TYPE,
    "x-slack-request-timestamp": at,
    "x-slack-signature": `v0=${hex(SECRETS.slack, `v0:${at}:${body}`)}`,
  }),
  stripe: ({ body, at }) => ({
    ...JSON_TYPE,
    "stripe-signature": `t=${at},v1=${hex(SECRETS.stripe, `${at}.${body}`)}`,
  }),
  telegram: () => ({ ...JSON_TYPE, "x-telegram-bot-api-secret-token": SECRETS.telegram }),
  telnyx: ({ body, at }) => ({
    ...JSON_TYPE,
    "telnyx-timestamp": at,
    "telnyx-signature-ed25519": sign(null, Buffer.from(`${at}|${body}`), KEYS.privateKey).toString("base64"),
  }),
  twilio: ({ body, url }) => {
    const fields = [...new URLSearchParams(body)].toSorted(([a], [b]) => (a < b ? -1 : 1)).flat();
    const signed = PUBLIC_URL + url + fields.join("");
    const signature = createHmac("sha1", SECRETS.twilio).update(signed).digest("base64");
    return { ...FORM_TYPE, "x-twilio-signature": signature };
  },
  none: ({ id }) => ({ ...JSON_TYPE, "webhook-id": id }),
};

/** A body as this sender would send it, with its id if that is its way. */
export function bodyOf(scheme: HookScheme, id = "1001"): string {
  if (scheme === "twilio") return `MessageSid=SM${id}&Body=Hello+there&From=%2B15550001111`;
  if (scheme === "telegram") return `{ "update_id": ${id},  "message": {"text": "hi"} }`;
  const ids = { slack: { event_id: `Ev${id}` }, stripe: { id: `evt_${id}` }, telnyx: { data: { id } } };
  const named = scheme in ids ? ids[scheme as keyof typeof ids] : {};
  // Spaces that a parser would not preserve.
  return JSON.stringify({ ...named, action: "opened", by: { login: "ada" }, number: id }, null, 3);
}
