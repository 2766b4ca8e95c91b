import { expect, test } from "vitest";
import { createSignIndex } from "./sign-index.ts";
import { signsOf } from "./vector-code.ts";

/** Four large numbers and sixty small ones; `kept` of each have the same sign as in the question. */
function vector(kept: { readonly large: number; readonly small: number }): Float32Array {
  return Float32Array.from({ length: 64 }, (_, at) => {
    const isLarge = at < 4;
    const isKept = isLarge ? at < kept.large : at - 4 < kept.small;
    return (isLarge ? 0.49 : 0.02) * (isKept ? 1 : -1);
  });
}

test("[M4] agreeing with a vector's large numbers counts more than agreeing with many small ones", () => {
  const index = createSignIndex(64);
  index.put(1, signsOf(vector({ large: 0, small: 50 })));
  index.put(2, signsOf(vector({ large: 4, small: 40 })));
  index.put(3, signsOf(vector({ large: 2, small: 46 })));
  for (let id = 4; id < 20; id++) index.put(id, signsOf(vector({ large: 0, small: 20 })));
  expect(index.nearest(vector({ large: 4, small: 60 }), 1)).toEqual([2]);
  expect([...index.nearest(vector({ large: 4, small: 60 }), 2)].toSorted((a, b) => a - b)).toEqual([2, 3]);
});

test("[M4] what was removed is not found, and what took its place is", () => {
  const index = createSignIndex(64);
  for (let id = 1; id <= 10; id++) index.put(id, signsOf(vector({ large: 0, small: id })));
  index.remove(1);
  index.put(10, signsOf(vector({ large: 4, small: 60 })));
  expect(index.size).toBe(9);
  expect(index.nearest(vector({ large: 4, small: 60 }), 1)).toEqual([10]);
  expect(index.nearest(vector({ large: 4, small: 60 }), 9)).not.toContain(1);
});
