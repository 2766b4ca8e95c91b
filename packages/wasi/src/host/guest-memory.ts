import { refuse } from "./wasi-errno.ts";

/**
 * The memory of a program. Every method takes pointers as the program gave them: one that leads out is EFAULT (or a
 * RangeError, which means the same). The program's memory moves when it grows, so nothing here is kept over a call.
 */
export interface GuestMemory {
  u8(at: number): number;
  u16(at: number): number;
  u32(at: number): number;
  u64(at: number): bigint;
  setU8(at: number, value: number): void;
  setU16(at: number, value: number): void;
  setU32(at: number, value: number): void;
  setU64(at: number, value: bigint): void;
  /** The bytes themselves: writing to them writes to the program's memory. */
  bytes(at: number, length: number): Uint8Array<ArrayBuffer>;
  /** A path or a name; EILSEQ if it is not UTF-8. */
  text(at: number, length: number): string;
  /** The buffers of a list of `iovec`, empty ones left out. */
  vectors(at: number, count: number): Uint8Array<ArrayBuffer>[];
}

/** Buffers in one call: more than any program uses. */
const VECTORS = 1024;

export function createGuestMemory(memory: () => WebAssembly.Memory): GuestMemory {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let buffer: ArrayBuffer | undefined;
  let view = new DataView(new ArrayBuffer(0));
  const fresh = (): DataView => {
    const now = memory().buffer;
    if (now !== buffer) {
      buffer = now;
      view = new DataView(now);
    }
    return view;
  };
  const bytes = (at: number, length: number): Uint8Array<ArrayBuffer> => {
    const { buffer: whole } = memory();
    if (at + length > whole.byteLength) refuse("EFAULT");
    return new Uint8Array(whole, at, length);
  };
  return {
    u8: (at) => fresh().getUint8(at),
    u16: (at) => fresh().getUint16(at, true),
    u32: (at) => fresh().getUint32(at, true),
    u64: (at) => fresh().getBigUint64(at, true),
    setU8: (at, value) => fresh().setUint8(at, value),
    setU16: (at, value) => fresh().setUint16(at, value, true),
    setU32: (at, value) => fresh().setUint32(at, value, true),
    setU64: (at, value) => fresh().setBigUint64(at, value, true),
    bytes,
    text(at, length) {
      const encoded = bytes(at, length);
      try {
        return decoder.decode(encoded);
      } catch {
        return refuse("EILSEQ");
      }
    },
    vectors(at, count) {
      if (count > VECTORS) refuse("EINVAL");
      const found: Uint8Array<ArrayBuffer>[] = [];
      for (let index = 0; index < count; index += 1) {
        const length = fresh().getUint32(at + index * 8 + 4, true);
        const one = bytes(fresh().getUint32(at + index * 8, true), length);
        if (length > 0) found.push(one);
      }
      return found;
    },
  };
}
