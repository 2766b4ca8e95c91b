import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { sha256 } from "./sha256.ts";

const nodes = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex");

test("[S45] hashes every length around the block boundaries as Node does", () => {
  for (let length = 0; length < 200; length++) {
    const text = "é".repeat(length);
    expect(sha256(text)).toBe(nodes(text));
  }
});

test("[S45] hashes any text and any part of a buffer as Node does", () => {
  const textHolds = fc.property(fc.string({ unit: "binary" }), (text) => sha256(text) === nodes(text));
  const partHolds = fc.property(fc.uint8Array({ maxLength: 500 }), fc.nat(500), (bytes, at) => {
    const part = bytes.subarray(at);
    return sha256(part) === nodes(part);
  });
  fc.assert(textHolds, { seed: 14 });
  fc.assert(partHolds, { seed: 14 });
});
