/**
 * Compared and kept in blocks of this size: small enough that a little change stays little, large
 * enough that naming the blocks costs nothing.
 */
const BLOCK_BYTES = 256;
/** Compared at once where most is equal. */
const STRETCH_BYTES = 16_384;
const HEAD_BYTES = 8;

/** Whether two stretches of the same length are equal; the platform may have a quicker way than a loop. */
export type SameBytes = (a: Uint8Array, b: Uint8Array) => boolean;

/** What differs between a memory and the one it grew out of, which counts as zero beyond its end. */
export function diffMemory(base: Uint8Array, memory: Uint8Array, same: SameBytes): Uint8Array {
  const changed: number[] = [];
  for (let from = 0; from < memory.length; from += STRETCH_BYTES) {
    if (isSame(base, memory, from, STRETCH_BYTES, same)) continue;
    const end = Math.min(from + STRETCH_BYTES, memory.length);
    for (let at = from; at < end; at += BLOCK_BYTES) {
      if (!isSame(base, memory, at, BLOCK_BYTES, same)) changed.push(at / BLOCK_BYTES);
    }
  }
  const delta = new Uint8Array(HEAD_BYTES + changed.length * (4 + BLOCK_BYTES));
  const view = new DataView(delta.buffer);
  view.setUint32(0, memory.length, true);
  view.setUint32(4, changed.length, true);
  const blocks = HEAD_BYTES + changed.length * 4;
  changed.forEach((block, n) => {
    view.setUint32(HEAD_BYTES + n * 4, block, true);
    const at = block * BLOCK_BYTES;
    delta.set(memory.subarray(at, at + BLOCK_BYTES), blocks + n * BLOCK_BYTES);
  });
  return delta;
}

/** The memory that `diffMemory` was given. Throws a RangeError for what is no delta, or one of over `maxBytes`. */
export function applyDelta(base: Uint8Array, delta: Uint8Array, maxBytes: number): Uint8Array {
  const view = new DataView(delta.buffer, delta.byteOffset, delta.byteLength);
  const length = view.getUint32(0, true);
  const count = view.getUint32(4, true);
  const blocks = HEAD_BYTES + count * 4;
  if (length < base.length || length > maxBytes || blocks + count * BLOCK_BYTES !== delta.length) {
    throw new RangeError("This is no delta of this memory");
  }
  const memory = new Uint8Array(length);
  memory.set(base);
  for (let n = 0; n < count; n++) {
    const from = blocks + n * BLOCK_BYTES;
    memory.set(
      delta.subarray(from, from + BLOCK_BYTES),
      view.getUint32(HEAD_BYTES + n * 4, true) * BLOCK_BYTES,
    );
  }
  return memory;
}

const NOTHING = new Uint8Array(STRETCH_BYTES);

function isSame(
  base: Uint8Array,
  memory: Uint8Array,
  from: number,
  length: number,
  same: SameBytes,
): boolean {
  const part = memory.subarray(from, from + length);
  const was = from < base.length ? base.subarray(from, from + length) : NOTHING.subarray(0, part.length);
  return was.length === part.length && same(part, was);
}
