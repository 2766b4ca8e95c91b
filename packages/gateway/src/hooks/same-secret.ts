import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** Takes the same time for any input, even if lengths differ. */
export function isSame(presented: string | Buffer, expected: string | Buffer): boolean {
  return timingSafeEqual(digest(presented), digest(expected));
}

export function hmac(
  algorithm: "sha256" | "sha1",
  key: string | Buffer,
  ...parts: (string | Buffer)[]
): Buffer {
  const made = createHmac(algorithm, key);
  for (const part of parts) made.update(part);
  return made.digest();
}

export const sha256Hex = (bytes: string | Buffer): string => createHash("sha256").update(bytes).digest("hex");

const digest = (bytes: string | Buffer): Buffer => createHash("sha256").update(bytes).digest();
