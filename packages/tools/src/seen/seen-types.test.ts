import { expect, test } from "vitest";
import { z } from "zod";
import { createCatalogue } from "../create-catalogue.ts";
import { defineTool } from "../define-tool.ts";
import { createSeenTypes } from "./seen-types.ts";

const setup = () => {
  const kept: unknown[] = [];
  const seen = createSeenTypes({}, (all) => void kept.push(all));
  const args = z.object({ id: z.number() });
  const tree = {
    shop: {
      order: defineTool({ description: "An order", approval: "auto", args, run: () => null }),
      price: defineTool({
        description: "A price",
        approval: "auto",
        args,
        returns: z.number(),
        run: () => 1,
      }),
    },
  };
  return { seen, kept, catalogue: createCatalogue([{ source: "test", tree }], [], seen) };
};

test("[T41] without a declared output, shows what results were like, and refuses nothing for it", () => {
  const { seen, catalogue } = setup();
  expect(catalogue.declarations()).toContain("readonly order: (input: { id: number }) => Promise<unknown>;");
  seen.note("shop.order", { total: 5, lines: [{ sku: "A1" }] });
  const expected = "Promise<any /* seen: { total: number; lines: { sku: string }[] } */>";
  expect(catalogue.declarations()).toContain(expected);
  expect(catalogue.describe(["shop.order"])).toContain(expected);
});

test("[T41] keeps what a source declares", () => {
  const { seen, catalogue } = setup();
  seen.note("shop.price", "not a number");
  expect(catalogue.declarations()).toContain("readonly price: (input: { id: number }) => Promise<number>;");
});

test("[T41] does not store a similar result again; a failed store fails no call", () => {
  const { seen, kept } = setup();
  seen.note("shop.order", { total: 5 });
  seen.note("shop.order", { total: 6 });
  expect(kept).toHaveLength(1);
  seen.note("shop.order", { total: null });
  expect(kept).toHaveLength(2);
  const failing = createSeenTypes({}, () => {
    throw new Error("disk full");
  });
  failing.note("shop.order", { total: 5 });
  expect(failing.schemaOf("shop.order")).toBeDefined();
});

test("[T41] text that looks like the end of a comment does not end it", () => {
  const hostile = createSeenTypes({}, () => undefined);
  hostile.note("shop.order", { "*/ evil(); /*": 1 });
  const { catalogue } = setup();
  const other = createCatalogue([], catalogue.list(), hostile);
  expect(other.declarations()).not.toContain("evil");
});
