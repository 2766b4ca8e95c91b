const PAGE_BYTES = 65_536;
const MEMORY_SECTION = 5;
const HEADER_BYTES = 8;

/**
 * A copy of a wasm module whose memory can grow by at most `growthBytes`: a limit that holds even if the
 * engine's own accounting fails. Throws for bytes without exactly one plain 32-bit memory.
 */
export function capWasmMemory(wasm: Uint8Array, growthBytes: number): Uint8Array<ArrayBuffer> {
  const reader = { at: HEADER_BYTES };
  while (reader.at < wasm.length) {
    const start = reader.at;
    const id = wasm[reader.at++];
    const length = readLeb(wasm, reader);
    const end = reader.at + length;
    if (id === MEMORY_SECTION) {
      const body = cappedMemory(wasm, reader, growthBytes);
      return join([
        wasm.subarray(0, start),
        [MEMORY_SECTION, ...leb(body.length), ...body],
        wasm.subarray(end),
      ]);
    }
    reader.at = end;
  }
  throw new Error("The module has no memory section");
}

function cappedMemory(wasm: Uint8Array, reader: { at: number }, growthBytes: number): readonly number[] {
  const count = readLeb(wasm, reader);
  const flags = wasm[reader.at++];
  if (count !== 1 || (flags !== 0 && flags !== 1)) throw new Error("The module has an unusual memory");
  const initialPages = readLeb(wasm, reader);
  return [1, 1, ...leb(initialPages), ...leb(initialPages + Math.ceil(growthBytes / PAGE_BYTES))];
}

function readLeb(bytes: Uint8Array, reader: { at: number }): number {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[reader.at++] ?? 0;
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return value;
  }
}

function leb(value: number): readonly number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...leb(Math.floor(value / 0x80))];
}

function join(parts: readonly (Uint8Array | readonly number[])[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
