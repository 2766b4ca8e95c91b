import * as fc from "fast-check";
import { expect, test } from "vitest";
import { utf8Length } from "./utf8-length.ts";

test("[C43] returns the length of the encoded text", () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.oneof(
          fc.integer({ max: 0xffff, min: 0 }).map((unit) => String.fromCharCode(unit)),
          fc.constantFrom("a", "ü", "€", "😀"),
        ),
      }),
      (text) => {
        expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length);
      },
    ),
  );
});
