import { WasiError } from "../wasi-error.ts";

const PAGE_BYTES = 65_536;
const HEADER_BYTES = 8;
const MEMORY_SECTION = 5;

/**
 * The same module with a ceiling on its memory: what it asks for beyond that fails inside it, as malloc does.
 * `module_refused` if it needs more than the ceiling to begin with, has more than one memory, shares it between
 * threads, or uses 64-bit addresses. A module without a memory of its own is given back as it is.
 */
export function limitMemory(module: Uint8Array, maxBytes: number): Uint8Array<ArrayBuffer> {
  const ceiling = Math.floor(maxBytes / PAGE_BYTES);
  const reader = createReader(module, HEADER_BYTES);
  while (reader.at() < module.length) {
    const start = reader.at();
    const id = reader.byte();
    const length = reader.number();
    const end = reader.at() + length;
    if (id !== MEMORY_SECTION) {
      reader.skipTo(end);
      continue;
    }
    if (reader.number() !== 1) refuse("The module has more than one memory.");
    const flags = reader.byte();
    if (flags > 1) refuse("The module's memory is shared between threads, or has 64-bit addresses.");
    const min = reader.number();
    const max = (flags & 1) === 1 ? Math.min(reader.number(), ceiling) : ceiling;
    if (min > max)
      refuse(`The module needs ${min * PAGE_BYTES} bytes of memory, and may have ${ceiling * PAGE_BYTES}.`);
    const body = [1, 1, ...encodeNumber(min), ...encodeNumber(max)];
    const section = [MEMORY_SECTION, ...encodeNumber(body.length), ...body];
    const limited = new Uint8Array(start + section.length + module.length - end);
    limited.set(module.subarray(0, start));
    limited.set(section, start);
    limited.set(module.subarray(end), start + section.length);
    return limited;
  }
  return module.slice();
}

function refuse(message: string): never {
  throw new WasiError("module_refused", message);
}

function createReader(bytes: Uint8Array, from: number) {
  let at = from;
  const byte = (): number => {
    const value = bytes[at] ?? refuse("The module is cut off.");
    at += 1;
    return value;
  };
  return {
    at: () => at,
    byte,
    /** An unsigned LEB128 of 32 bits. */
    number(): number {
      let value = 0;
      for (let shift = 0; shift < 35; shift += 7) {
        const next = byte();
        value += (next & 127) * 2 ** shift;
        if (next < 128) return value;
      }
      return refuse("A number in the module is too long.");
    },
    skipTo(end: number): void {
      if (end > bytes.length) refuse("The module is cut off.");
      at = end;
    },
  };
}

function encodeNumber(value: number): number[] {
  const bytes: number[] = [];
  let left = value;
  do {
    const low = left % 128;
    left = Math.floor(left / 128);
    bytes.push(left > 0 ? low | 128 : low);
  } while (left > 0);
  return bytes;
}
