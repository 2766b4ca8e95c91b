import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createDueHeap, type Due } from "./schedule-keeper.ts";

test("[J48] the earliest is first after any additions and removals", () => {
  const step = fc.oneof(
    fc.record({ add: fc.nat(50) }),
    fc.record({ takeOut: fc.nat(30) }),
    fc.constant("first" as const),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const heap = createDueHeap<Due>();
      let inside: Due[] = [];
      const takeOut = (item: Due | undefined): void => {
        if (item === undefined) return;
        heap.remove(item);
        inside = inside.filter((one) => one !== item);
        expect(item.position).toBe(-1);
        // Already removed: nothing happens.
        heap.remove(item);
      };
      for (const what of steps) {
        if (what === "first") takeOut(heap.first);
        else if ("takeOut" in what) takeOut(inside[what.takeOut]);
        else {
          const item = { dueMs: what.add, position: -1 };
          inside.push(item);
          heap.add(item);
        }
        expect(heap.first?.dueMs).toBe(
          inside.length === 0 ? undefined : Math.min(...inside.map(({ dueMs }) => dueMs)),
        );
      }
      const left = inside.map(({ dueMs }) => dueMs).toSorted((a, b) => a - b);
      const drained: number[] = [];
      for (let item = heap.first; item !== undefined; item = heap.first) {
        drained.push(item.dueMs);
        heap.remove(item);
      }
      expect(drained).toEqual(left);
    }),
  );
});
