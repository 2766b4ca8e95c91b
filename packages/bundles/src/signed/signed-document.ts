import { z } from "zod";
import { BundlesError } from "../bundles-error.ts";
import { fromBase64, toBase64 } from "./hex.ts";
import type { PublicKey, SigningKey } from "./keys.ts";

/** What a signature is for: one of a manifest is none of a registry. */
export type DocumentKind = "manifest" | "registry";

const documentSchema = z.strictObject({
  key: z.string(),
  signature: z.string(),
  signed: z.record(z.string(), z.unknown()),
});

/** Writes a document and its signature, in the one form that `openDocument` takes. */
export async function signDocument(kind: DocumentKind, document: object, by: SigningKey): Promise<string> {
  // What JSON cannot say (a name without a value) is not in it.
  const signed = JSON.parse(JSON.stringify(document)) as Json;
  const signature = await crypto.subtle.sign("Ed25519", by.secret, bytesToSign(kind, signed));
  return `${canonicalText({ key: by.public.id, signature: toBase64(new Uint8Array(signature)), signed })}\n`;
}

/**
 * What a signed document says, once its signature has been checked: not a byte of the file may differ from what was
 * signed. `what` names it for the user. Throws `bundle_invalid`, `bundle_untrusted` or `bundle_tampered`.
 */
export async function openDocument(
  kind: DocumentKind,
  bytes: Uint8Array,
  trusted: readonly PublicKey[],
  what: string,
): Promise<{ readonly signed: unknown; readonly key: PublicKey }> {
  const text = decode(bytes, what);
  const parsed = documentSchema.safeParse(parse(text, what));
  if (!parsed.success) throw new BundlesError("bundle_invalid", `${what} is not a signed document.`);
  const { key: id, signature, signed } = parsed.data;
  const key = trusted.find((one) => one.id === id);
  if (key === undefined)
    throw new BundlesError("bundle_untrusted", `${what} is signed by a key that is not trusted here.`, {
      hint: "If you trust who published it, add the key to `bundles.registries` in the settings.",
    });
  const raw = fromBase64(signature);
  const content = signed as Json;
  const isTheirs =
    raw !== undefined &&
    `${canonicalText({ key: id, signature, signed: content })}\n` === text &&
    (await crypto.subtle.verify("Ed25519", key.key, raw, bytesToSign(kind, content)));
  if (!isTheirs) throw tampered(what, "its signature does not fit");
  return { signed, key };
}

export function tampered(what: string, how: string): BundlesError {
  return new BundlesError("bundle_tampered", `${what} was changed after it was signed: ${how}.`, {
    hint: "Nothing of it is used. Get it again; if that does not help, tell whoever published it.",
  });
}

function bytesToSign(kind: DocumentKind, signed: Json): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`deputy bundle ${kind} 1\n${canonicalText(signed)}`);
}

function decode(bytes: Uint8Array, what: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new BundlesError("bundle_invalid", `${what} is not text.`, { cause });
  }
}

function parse(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new BundlesError("bundle_invalid", `${what} is not JSON.`, { cause });
  }
}

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/**
 * The one way in which a value is written: names sorted, no blanks, whole numbers only (RFC 8785 with that limit).
 * Throws `bundle_invalid` for anything that has no such form.
 */
function canonicalText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map((item: Json) => canonicalText(item)).join(",")}]`;
  if (typeof value === "number" && !Number.isSafeInteger(value))
    throw new BundlesError("bundle_invalid", "A number of a signed document is not whole.");
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  entries.sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([name, item]) => `${JSON.stringify(name)}:${canonicalText(item)}`).join(",")}}`;
}
