/**
 * The block size for comparing and storing: small enough that a small change stays small, large enough that
 * the block numbers cost nothing.
 */
const BLOCK_WORDS = 64;
const WORD_BYTES = 4;
const BLOCK_BYTES = BLOCK_WORDS * WORD_BYTES;
/** Compared at once where most is equal. */
const STRETCH_BYTES = 16_384;
const HEAD_WORDS = 2;

/** True if two ranges of the same length are equal; the platform may have a faster way than a loop. */
export type SameBytes = (a: Uint8Array, b: Uint8Array) => boolean;

/** A memory that others started from. */
export interface MemoryBase {
  readonly memory: Uint8Array;
  /** Below it are only remains of calls that have returned. */
  readonly stackPointer: number;
}

/**
 * The difference between a memory and its base, which counts as zero beyond its end. The memory's stack must
 * be empty. Each changed block is stored as exclusive or, so that its unchanged parts compress to nothing.
 */
export function diffMemory(base: MemoryBase, memory: Uint8Array, same: SameBytes): Uint8Array {
  const blocks = findChanged(base, memory, same);
  const delta = new Uint32Array(HEAD_WORDS + blocks.length * (1 + BLOCK_WORDS));
  delta.set([memory.length, blocks.length, ...blocks]);
  const is = wordsOf(memory);
  const was = wordsOf(base.memory);
  let to = HEAD_WORDS + blocks.length;
  for (const block of blocks) {
    const from = block * BLOCK_WORDS;
    delta.set(is.subarray(from, from + BLOCK_WORDS), to);
    if (from < was.length) xorBlock(delta, to, was, from);
    to += BLOCK_WORDS;
  }
  return new Uint8Array(delta.buffer);
}

/** The size of the memory; undefined for what is not a delta of this base, or one that grew by more than that. */
export function lengthOfDelta(
  base: MemoryBase,
  delta: Uint8Array,
  maxGrowthBytes: number,
): number | undefined {
  const words = wordsOf(new Uint8Array(delta));
  const [length = 0, count = 0] = words;
  const grownBytes = length - base.memory.length;
  if (grownBytes < 0 || grownBytes > maxGrowthBytes || grownBytes % BLOCK_BYTES !== 0) return undefined;
  if (delta.length !== (HEAD_WORDS + count * (1 + BLOCK_WORDS)) * WORD_BYTES) return undefined;
  const blocks = words.subarray(HEAD_WORDS, HEAD_WORDS + count);
  return blocks.every((block) => block < length / BLOCK_BYTES) ? length : undefined;
}

/**
 * Turns `memory`, which has the delta's length, into what `diffMemory` was given, without the contents of its
 * stack.
 */
export function applyDelta(base: MemoryBase, delta: Uint8Array, memory: Uint8Array): void {
  const [from, to] = [wordsOf(new Uint8Array(delta)), wordsOf(memory)];
  const count = from[1] ?? 0;
  memory.set(base.memory);
  memory.fill(0, base.memory.length);
  for (let n = 0; n < count; n++) {
    const block = from[HEAD_WORDS + n] ?? 0;
    xorBlock(to, block * BLOCK_WORDS, from, HEAD_WORDS + count + n * BLOCK_WORDS);
  }
}

function wordsOf(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / WORD_BYTES));
}

function xorBlock(to: Uint32Array, at: number, from: Uint32Array, start: number): void {
  for (let n = 0; n < BLOCK_WORDS; n++) to[at + n] = (to[at + n] ?? 0) ^ (from[start + n] ?? 0);
}

/** The numbers of the blocks that differ. */
function findChanged(base: MemoryBase, memory: Uint8Array, same: SameBytes): readonly number[] {
  const is = wordsOf(memory);
  const was = wordsOf(base.memory);
  const changed: number[] = [];
  const live = base.stackPointer - (base.stackPointer % STRETCH_BYTES);
  for (let from = live; from < memory.length; from += STRETCH_BYTES) {
    const isKnown = from < base.memory.length;
    const part = memory.subarray(from, from + STRETCH_BYTES);
    if (same(part, isKnown ? base.memory.subarray(from, from + part.length) : NOTHING)) continue;
    const [known, offset] = isKnown ? [was, 0] : [NO_WORDS, from / WORD_BYTES];
    for (let at = from / WORD_BYTES; at < (from + part.length) / WORD_BYTES; at += BLOCK_WORDS) {
      if (isChanged(is, at, known, at - offset)) changed.push(at / BLOCK_WORDS);
    }
  }
  return changed;
}

const NOTHING = new Uint8Array(STRETCH_BYTES);
const NO_WORDS = wordsOf(NOTHING);

function isChanged(is: Uint32Array, at: number, was: Uint32Array, start: number): boolean {
  for (let n = 0; n < BLOCK_WORDS; n++) if (is[at + n] !== was[start + n]) return true;
  return false;
}
