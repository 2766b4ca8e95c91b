import * as fc from "fast-check";
import { expect, test } from "vitest";
import { applyDelta, diffMemory, lengthOfDelta, type MemoryBase } from "./memory-delta.ts";

const PAGE_BYTES = 65_536;
const STACK_BYTES = PAGE_BYTES;
const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

const base: MemoryBase = {
  memory: Uint8Array.from({ length: 3 * PAGE_BYTES }, (_, at) => (at < STACK_BYTES ? 0 : at * 7)),
  stackPointer: STACK_BYTES,
};

/** The base grown by whole pages, with bytes written into it. */
function memoryOf(pages: number, writes: readonly (readonly [number, number])[]): Uint8Array {
  const memory = new Uint8Array(base.memory.length + pages * PAGE_BYTES);
  memory.set(base.memory);
  for (const [at, byte] of writes) memory[at % memory.length] = byte;
  return memory;
}

/** The expected result: the same memory with an empty stack. */
function withoutStack(memory: Uint8Array): Uint8Array {
  return memory.slice().fill(0, 0, STACK_BYTES);
}

function restore(delta: Uint8Array, over: Uint8Array): Uint8Array {
  expect(lengthOfDelta(base, delta, 8 * PAGE_BYTES)).toBe(over.length);
  applyDelta(base, delta, over);
  return over;
}

test("[C57] a delta restores a memory over any previous content", () => {
  const write = fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }));
  fc.assert(
    fc.property(fc.nat({ max: 3 }), fc.array(write, { maxLength: 40 }), (pages, writes) => {
      const memory = memoryOf(pages, writes);
      const delta = diffMemory(base, memory, same);
      const dirty = new Uint8Array(memory.length).fill(0xa5);
      expect(same(restore(delta, dirty), withoutStack(memory))).toBe(true);
    }),
    { numRuns: 50 },
  );
});

test("[C57] a delta is as large as the changes, and contains nothing of the stack", () => {
  const secret = [0x5e, 0xc4, 0xe7, 0x5e, 0xc4, 0xe7];
  const stack = secret.map((byte, n): [number, number] => [1_000 + n, byte]);
  const delta = diffMemory(base, memoryOf(0, [...stack, [STACK_BYTES + 5_000, 1]]), same);
  expect(delta.length).toBeLessThan(300);
  expect(Buffer.from(delta).includes(Buffer.from(secret))).toBe(false);
});

test("[C59] rejects what is not a delta of this memory", () => {
  const delta = diffMemory(base, memoryOf(1, [[2 * PAGE_BYTES, 9]]), same);
  const changed = (word: number, value: number): Uint8Array => {
    const words = new Uint32Array(delta.slice().buffer);
    words[word] = value;
    return new Uint8Array(words.buffer);
  };
  const refused = [
    new Uint8Array(),
    delta.subarray(0, -4),
    changed(0, base.memory.length - PAGE_BYTES),
    changed(0, base.memory.length + 1),
    changed(1, 2),
    changed(2, 4 * 256),
    changed(2, 2 ** 32 - 1),
  ];
  for (const bytes of refused) expect(lengthOfDelta(base, bytes, 8 * PAGE_BYTES)).toBeUndefined();
  expect(lengthOfDelta(base, delta, PAGE_BYTES - 1)).toBeUndefined();
  expect(lengthOfDelta(base, delta, PAGE_BYTES)).toBe(4 * PAGE_BYTES);
});
