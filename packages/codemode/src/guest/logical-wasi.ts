const ERRNO_SUCCESS = 0;
const NS_PER_MS = 1_000_000n;

/** The engine's view of a system: a clock that stands still between inputs, no randomness, nowhere to print. */
export function logicalWasi(
  memory: WebAssembly.Memory,
  nowMs: () => number,
): Record<string, (...args: never[]) => number> {
  return {
    clock_time_get(_clock: number, _precision: bigint, result: number): number {
      new DataView(memory.buffer).setBigUint64(result, BigInt(Math.trunc(nowMs())) * NS_PER_MS, true);
      return ERRNO_SUCCESS;
    },
    random_get(buffer: number, length: number): number {
      new Uint8Array(memory.buffer, buffer, length).fill(0);
      return ERRNO_SUCCESS;
    },
    fd_write(_fd: number, buffers: number, count: number, written: number): number {
      const view = new DataView(memory.buffer);
      let bytes = 0;
      for (let i = 0; i < count; i++) bytes += view.getUint32(buffers + i * 8 + 4, true);
      view.setUint32(written, bytes, true);
      return ERRNO_SUCCESS;
    },
  };
}
