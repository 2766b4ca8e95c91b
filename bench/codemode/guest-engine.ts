import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { DEFAULT_CELL_LIMITS } from "@deputy/codemode";
import type { GuestPlatform, GuestSpec } from "@deputy/codemode/guest";
import { createBaseImage } from "../../packages/codemode/src/guest/base-image.ts";
import { capWasmMemory } from "../../packages/codemode/src/guest/cap-wasm-memory.ts";
import { createCompiler } from "../../packages/codemode/src/guest/compiler.ts";
import type { GuestEngine } from "../../packages/codemode/src/guest/guest-cell.ts";
import { createVmSource } from "../../packages/codemode/src/guest/vm-source.ts";

const FASTEST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** As in a sandbox's worker, but in this thread. */
const platform: GuestPlatform = {
  nowMs: () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  },
  packing: {
    pack: (bytes) => zstdCompressSync(bytes, FASTEST),
    unpack: (bytes) => zstdDecompressSync(bytes),
  },
  same: (a, b) => Buffer.compare(a, b) === 0,
};

/** What a worker has ready between cells. */
export async function openGuestEngine(): Promise<GuestEngine> {
  const codemode = createRequire(new URL("../../packages/codemode/package.json", import.meta.url));
  const wasm = await readFile(codemode.resolve("quickjs-wasi/quickjs.wasm"));
  const module = await WebAssembly.compile(capWasmMemory(wasm, DEFAULT_CELL_LIMITS.memoryBytes));
  const base = await createBaseImage({ module, fingerprint: "bench" });
  return { base, compiler: createCompiler(module), vms: createVmSource(module, base), platform };
}

export const TOOL_PATHS = ["issues.list", "issues.get"];

export function guestSpec(code: string): GuestSpec {
  return { code, toolPaths: TOOL_PATHS, limits: DEFAULT_CELL_LIMITS, startedAtMs: 0, seed: 1 };
}
