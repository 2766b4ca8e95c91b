import * as fc from "fast-check";
import { expect, test } from "vitest";
import { nameTools } from "./compare-listing.ts";

test("[TM2] keeps a name that is an identifier, even if others would become the same", () => {
  const names = [
    "get-price",
    "get_price",
    "get.price",
    "2nd",
    "",
    "__proto__",
    "then",
    "resources",
    "äöü",
    "价格",
  ];
  expect(nameTools(names, [])).toEqual(
    new Map([
      ["get_price", "get_price"],
      ["then", "then_2"],
      ["resources", "resources_2"],
      ["", "tool"],
      ["2nd", "_2nd"],
      ["get-price", "get_price_2"],
      ["get.price", "get_price_3"],
      ["äöü", "aou"],
      ["价格", "tool_2"],
      ["__proto__", "__proto___2"],
    ]),
  );
});

test("[TM2] makes identifiers that are all different and not taken, for any order of the same names", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.string({ unit: "binary" }), { maxLength: 30 }),
      fc.array(fc.string()),
      (names, taken) => {
        const ids = nameTools(names, taken);
        expect(ids.size).toBe(names.length);
        expect(new Set(ids.values()).size).toBe(names.length);
        for (const id of ids.values()) {
          expect(id).toMatch(/^[A-Za-z_$][\w$]{0,63}$/);
          expect(taken).not.toContain(id);
        }
        expect(nameTools(names.toReversed(), taken)).toEqual(ids);
      },
    ),
  );
});
