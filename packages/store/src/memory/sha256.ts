const BLOCK_BYTES = 64;

/** The fractional parts of the roots of the first primes, as FIPS 180-4 has them. */
const [FIRST_STATE, ROUNDS] = constants();

/**
 * SHA-256 in hexadecimal, synchronous: browsers offer it only as a promise, and the chain of a log is sealed
 * in one go. Much slower than Node's own. Nothing secret depends on its timing.
 */
export function sha256(data: string | Uint8Array): string {
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
  const state = Int32Array.from(FIRST_STATE);
  const words = new Int32Array(BLOCK_BYTES);
  const whole = bytes.byteLength - (bytes.byteLength % BLOCK_BYTES);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < whole; at += BLOCK_BYTES) addBlock(state, words, view, at);
  const end = lastBlocks(bytes.subarray(whole), bytes.byteLength);
  for (let at = 0; at < end.byteLength; at += BLOCK_BYTES) addBlock(state, words, end, at);
  return [...state].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/** What is left, a one bit, zeros, and the length in bits. */
function lastBlocks(rest: Uint8Array, length: number): DataView {
  const size = rest.byteLength + 9 > BLOCK_BYTES ? 2 * BLOCK_BYTES : BLOCK_BYTES;
  const padded = new Uint8Array(size);
  padded.set(rest);
  padded[rest.byteLength] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(size - 8, BigInt(length) * 8n);
  return view;
}

function addBlock(state: Int32Array, words: Int32Array, view: DataView, at: number): void {
  for (let i = 0; i < 16; i++) words[i] = view.getInt32(at + 4 * i);
  for (let i = 16; i < 64; i++) {
    const w15 = words[i - 15] ?? 0;
    const w2 = words[i - 2] ?? 0;
    const s0 = turn(w15, 7) ^ turn(w15, 18) ^ (w15 >>> 3);
    const s1 = turn(w2, 17) ^ turn(w2, 19) ^ (w2 >>> 10);
    words[i] = ((words[i - 16] ?? 0) + s0 + (words[i - 7] ?? 0) + s1) | 0;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i++) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const chosen = (e & f) ^ (~e & g);
    const one = (h + s1 + chosen + (ROUNDS[i] ?? 0) + (words[i] ?? 0)) | 0;
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const most = (a & b) ^ (a & c) ^ (b & c);
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + s0 + most) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] = (state[i] ?? 0) + word));
}

function turn(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

function constants(): readonly [Int32Array, Int32Array] {
  const primes: number[] = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return [Int32Array.from(primes.slice(0, 8), fraction(1 / 2)), Int32Array.from(primes, fraction(1 / 3))];
}

function fraction(power: number): (prime: number) => number {
  return (prime) => ((prime ** power % 1) * 2 ** 32) | 0;
}
