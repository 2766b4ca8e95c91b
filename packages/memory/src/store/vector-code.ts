/** A vector with a byte for each number: four bytes for the scale, as a float, and then the numbers. */
export function packVector(vector: Float32Array): Uint8Array {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  const scale = largest / 127 || 1;
  const packed = new Uint8Array(4 + vector.length);
  new DataView(packed.buffer).setFloat32(0, scale, true);
  for (let at = 0; at < vector.length; at++) packed[4 + at] = Math.round((vector[at] ?? 0) / scale);
  return packed;
}

/** The cosine of two vectors of length 1, of which one is packed. */
export function dotPacked(packed: Uint8Array, vector: Float32Array): number {
  const scale = new DataView(packed.buffer, packed.byteOffset).getFloat32(0, true);
  const numbers = new Int8Array(packed.buffer, packed.byteOffset + 4, packed.length - 4);
  let sum = 0;
  for (let at = 0; at < numbers.length; at++) sum += (numbers[at] ?? 0) * (vector[at] ?? 0);
  return sum * scale;
}

/** The signs of a vector's numbers, 32 in each. */
export function signsOf(vector: ArrayLike<number>): Uint32Array {
  const signs = new Uint32Array(Math.ceil(vector.length / 32));
  for (let at = 0; at < vector.length; at++)
    if ((vector[at] ?? 0) > 0) signs[at >> 5] = (signs[at >> 5] ?? 0) | (1 << (at & 31));
  return signs;
}

/** The signs of a packed vector. */
export function signsOfPacked(packed: Uint8Array): Uint32Array {
  return signsOf(new Int8Array(packed.buffer, packed.byteOffset + 4, packed.length - 4));
}
