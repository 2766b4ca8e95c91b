import {
  createCipheriv,
  createECDH,
  createPrivateKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  sign,
} from "node:crypto";

/** Where a browser is reached, and with which keys, as `PushSubscription` says it. */
export interface PushSubscription {
  readonly endpoint: string;
  /** Both in base64url. */
  readonly p256dh: string;
  readonly auth: string;
}

/** Deputy's own key pair, with which a push service knows it (RFC 8292). Both in base64url. */
export interface VapidKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

const CURVE = "prime256v1";
const RECORD_BYTES = 4_096;
/** What fits into one record besides the padding's mark and the tag. */
export const MOST_PUSH_BYTES = 3_900;
const VAPID_SECONDS = 12 * 60 * 60;

export function createVapidKeys(): VapidKeys {
  const pair = createECDH(CURVE);
  pair.generateKeys();
  return keysOf(pair);
}

/** The public key is computed from the private one. Throws if that is none. */
export function vapidKeysOf(privateKey: string): VapidKeys {
  const pair = createECDH(CURVE);
  pair.setPrivateKey(privateKey, "base64url");
  return keysOf(pair);
}

function keysOf(pair: ECDH): VapidKeys {
  // Leading zeros are left out by the library, and needed by the format.
  const secret = Buffer.alloc(32);
  const short = pair.getPrivateKey();
  short.copy(secret, 32 - short.length);
  return { publicKey: pair.getPublicKey("base64url"), privateKey: secret.toString("base64url") };
}

/** Encrypts for one browser (RFC 8291, `aes128gcm`): the push service cannot read it. Throws for keys that are none. */
export function encryptPush(
  plain: Uint8Array,
  { p256dh, auth }: Pick<PushSubscription, "p256dh" | "auth">,
  /** Made anew for each message; given only to repeat a known one. */
  fresh: { readonly salt: Buffer; readonly pair: ECDH } = freshKeys(),
): Buffer {
  const { salt, pair } = fresh;
  const receiver = Buffer.from(p256dh, "base64url");
  const sender = pair.getPublicKey();
  const shared = pair.computeSecret(receiver);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), receiver, sender]);
  const derive = (key: Buffer, from: Buffer, about: Buffer, bytes: number): Buffer =>
    Buffer.from(hkdfSync("sha256", key, from, about, bytes));
  const secret = derive(shared, Buffer.from(auth, "base64url"), info, 32);
  const key = derive(secret, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = derive(secret, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
  const cipher = createCipheriv("aes-128-gcm", key, nonce);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(RECORD_BYTES);
  head.writeUInt8(sender.length, 4);
  // The 2 marks the last record.
  const sealed = [cipher.update(plain), cipher.update(Buffer.from([2])), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat([salt, head, sender, ...sealed]);
}

function freshKeys(): { readonly salt: Buffer; readonly pair: ECDH } {
  const pair = createECDH(CURVE);
  pair.generateKeys();
  return { salt: randomBytes(16), pair };
}

/** The header that says who sends (RFC 8292). `contact` is a `mailto:` or `https:` address. */
export function vapidHeader(
  endpoint: string,
  { publicKey, privateKey }: VapidKeys,
  contact: string,
  nowMs: number,
): string {
  const raw = Buffer.from(publicKey, "base64url");
  const key = createPrivateKey({
    format: "jwk",
    key: {
      kty: "EC",
      crv: "P-256",
      x: raw.subarray(1, 33).toString("base64url"),
      y: raw.subarray(33, 65).toString("base64url"),
      d: privateKey,
    },
  });
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = {
    aud: new URL(endpoint).origin,
    exp: Math.floor(nowMs / 1_000) + VAPID_SECONDS,
    sub: contact,
  };
  const body = `${part({ typ: "JWT", alg: "ES256" })}.${part(claims)}`;
  const signature = sign("sha256", Buffer.from(body), { key, dsaEncoding: "ieee-p1363" });
  return `vapid t=${body}.${signature.toString("base64url")}, k=${publicKey}`;
}
