import { BundlesError } from "../bundles-error.ts";
import { fromBase64, sha256Of, toBase64 } from "./hex.ts";

/** A public key as people write it: `ed25519:` and 32 bytes in Base64. */
export type PublicKeyText = string;

const PUBLIC = "ed25519:";
const SECRET = "ed25519-secret:";

export interface PublicKey {
  /** The beginning of its hash: a signature names its key by that. */
  readonly id: string;
  readonly text: PublicKeyText;
  readonly key: CryptoKey;
}

/** Throws `bundle_invalid`. */
export async function readPublicKey(text: PublicKeyText): Promise<PublicKey> {
  const raw = text.startsWith(PUBLIC) ? fromBase64(text.slice(PUBLIC.length)) : undefined;
  if (raw?.length !== 32)
    throw new BundlesError("bundle_invalid", "This is no public key: it begins with `ed25519:`.");
  const key = await crypto.subtle.importKey("raw", raw, "Ed25519", true, ["verify"]);
  return { id: (await sha256Of(raw)).slice(0, 16), text, key };
}

export interface SigningKey {
  readonly public: PublicKey;
  readonly secret: CryptoKey;
}

/** A new key. `secretText` is what signs; whoever has it is whom others trust. */
export async function createSigningKey(): Promise<{
  readonly publicText: string;
  readonly secretText: string;
}> {
  const { publicKey, privateKey } = await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"]);
  const raw = new Uint8Array(await crypto.subtle.exportKey("raw", publicKey));
  const secret = new Uint8Array(await crypto.subtle.exportKey("pkcs8", privateKey));
  const publicText = `${PUBLIC}${toBase64(raw)}`;
  return { publicText, secretText: `${SECRET}${toBase64(secret)} ${publicText}` };
}

/** Throws `bundle_invalid`. */
export async function readSigningKey(secretText: string): Promise<SigningKey> {
  const [secret = "", publicText = ""] = secretText.trim().split(" ");
  const raw = secret.startsWith(SECRET) ? fromBase64(secret.slice(SECRET.length)) : undefined;
  if (raw === undefined) throw new BundlesError("bundle_invalid", "This is no key that can sign.");
  return {
    public: await readPublicKey(publicText),
    secret: await crypto.subtle.importKey("pkcs8", raw, "Ed25519", false, ["sign"]),
  };
}
