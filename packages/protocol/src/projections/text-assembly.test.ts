import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createTextAssembly } from "./text-assembly.ts";

test("[P27] pieces in order", () => {
  const assembly = createTextAssembly();
  assembly.add(0, "Clo");
  assembly.add(3, "sed");
  assembly.add(6, "");
  expect(assembly.text()).toBe("Closed");
});

test("[P27] what lies beyond a gap is held until the gap is filled", () => {
  const assembly = createTextAssembly();
  assembly.add(6, " 12");
  assembly.add(9, " issues");
  expect(assembly.text()).toBe("");
  assembly.add(0, "Clo");
  expect(assembly.text()).toBe("Clo");
  assembly.add(2, "osed ");
  expect(assembly.text()).toBe("Closed 12 issues");
});

test("[P27] repeats, overlaps and shorter repeats change nothing", () => {
  const assembly = createTextAssembly();
  for (const [offset, piece] of [
    [0, "Closed"],
    [0, "Clo"],
    [3, "sed"],
    [4, "ed 12"],
    [0, "Closed 12"],
  ] as const)
    assembly.add(offset, piece);
  expect(assembly.text()).toBe("Closed 12");
});

test("[P27] any pieces that cover the text give the text, in any order", () => {
  const cover = fc
    .tuple(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.array(fc.tuple(fc.nat(60), fc.nat(60)), { maxLength: 20 }),
    )
    .chain(([text, extra]) =>
      fc.tuple(
        fc.constant(text),
        fc.array(fc.nat(text.length)).chain((cuts) => {
          const edges = [...new Set([0, ...cuts, text.length])].sort((a, b) => a - b);
          const spans = edges.slice(1).map((end, index) => [edges[index] ?? 0, end] as const);
          const all = [...spans, ...extra.map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const)];
          return fc.shuffledSubarray(all, { minLength: all.length });
        }),
      ),
    );
  fc.assert(
    fc.property(cover, ([text, spans]) => {
      const assembly = createTextAssembly();
      for (const [from, to] of spans) if (from <= text.length) assembly.add(from, text.slice(from, to));
      expect(assembly.text()).toBe(text);
    }),
  );
});

test("[P27] what is held is limited; the end of the text is given up first", () => {
  const assembly = createTextAssembly();
  const count = 10_050;
  for (let offset = count; offset >= 1; offset--) assembly.add(offset, "x");
  assembly.add(0, "x");
  expect(assembly.text().length).toBe(10_001);
  assembly.add(0, "x".repeat(count + 1));
  expect(assembly.text().length).toBe(count + 1);
});
