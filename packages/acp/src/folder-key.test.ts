import * as fc from "fast-check";
import { expect, test } from "vitest";
import { folderOfKey, keyOfFolder } from "./folder-key.ts";

test("[E337] finds a folder again from its sessions' key, unless it is too long for a key", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }), (name) => {
      const folder = `/home/${name.toWellFormed()}`;
      expect(folderOfKey(keyOfFolder(folder))).toBe(folder);
    }),
  );
  const long = keyOfFolder(`/${"x".repeat(600)}`);
  expect(long.length).toBeLessThan(500);
  expect(folderOfKey(long)).toBeUndefined();
});

test("[E337] other sessions have no folder", () => {
  for (const key of ["terminal--default", "acp--long", "acp--~ff", "acp--~2", "acp--"])
    expect(folderOfKey(key)).toBeUndefined();
});
