import { expect, test } from "vitest";
import type { RowLeaf } from "./kinds/rows.ts";
import { createTrustedValues } from "./trusted-values.ts";

const leaf = (value: string | number, name = "id"): RowLeaf => ({
  value,
  name,
  isVouched: true,
  toolPath: "bank.list",
});

test("[YP7] a value that stands in several records keeps them, as any of them may pick it out", () => {
  const values = createTrustedValues();
  const [one, other] = [leaf("GB29", "to"), leaf("gb29", "from")];
  values.add(one, "bank.list");
  values.add(other, "bank.get");
  values.add({ ...one }, "bank.list");
  expect(values.find("Gb29")).toEqual({ source: "bank.list", leaves: [one, other] });
  expect(values.find("GB30")).toBeUndefined();
});

test("[YP7] of a value that very many records have, the first are kept", () => {
  const values = createTrustedValues();
  const leaves = Array.from({ length: 20 }, (_, at) => leaf(7, `id${at}`));
  for (const one of leaves) values.add(one, "list");
  expect(values.find(7)?.leaves).toEqual(leaves.slice(0, 16));
});
