import { type Anchor, type Detect, MORE, NONE, secret } from "./detector.ts";

/** Shorter values would redact ordinary words. */
const SHORTEST_SECRET = 8;

/** Finds a known value raw, JSON-escaped, URL-encoded, and as base64 or hex. */
export function knownValueAnchors(value: string): Anchor[] {
  if (value.length < SHORTEST_SECRET) return [];
  return [...new Set(formsOf(value))].map((form) => ({
    literal: form.slice(0, 3).toLowerCase(),
    isPlain: true,
    detect: detectForm(form),
  }));
}

function detectForm(form: string): Detect {
  return ({ text, isFinal }, at) => {
    if (text.startsWith(form, at)) return secret(at, at + form.length);
    return !isFinal && text.length - at < form.length && form.startsWith(text.slice(at)) ? MORE : NONE;
  };
}

function formsOf(value: string): string[] {
  const bytes = new TextEncoder().encode(value);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  // Base64 of the value inside a longer text depends on where it starts; the middle characters do not.
  const base64 = [0, 1, 2].map((shift) => {
    const encoded = btoa("\0".repeat(shift) + binary);
    return encoded.slice(shift === 0 ? 0 : shift + 1, Math.floor(((bytes.length + shift) * 8) / 6));
  });
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    hex,
    hex.toUpperCase(),
    ...base64,
    ...base64.map((form) => form.replaceAll("+", "-").replaceAll("/", "_")),
  ];
}
