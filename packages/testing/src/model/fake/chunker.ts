/** Cuts an answer's bytes into the chunks that go over the wire. */
export type Chunker = (bytes: Uint8Array) => Iterable<Uint8Array>;

export const inOnePiece: Chunker = (bytes) => [bytes];

/** Chunks of `size` bytes, through characters and lines alike. */
export function fixedChunks(size: number): Chunker {
  return function* (bytes) {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  };
}

const LARGEST_SPLIT = 60;

/** Chunks of 1 to 60 bytes, the same for the same seed. */
export function seededChunks(seed: number): Chunker {
  return function* (bytes) {
    const random = createRandom(seed);
    for (let at = 0; at < bytes.length;) {
      const size = 1 + Math.floor(random() ** 2 * LARGEST_SPLIT);
      yield bytes.subarray(at, at + size);
      at += size;
    }
  };
}

/** Mulberry32: small, and even enough to cut bytes with. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
