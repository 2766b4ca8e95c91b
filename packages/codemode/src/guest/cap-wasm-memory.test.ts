import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { QuickJS } from "quickjs-wasi";
import { expect, test } from "vitest";
import { capWasmMemory } from "./cap-wasm-memory.ts";

const wasm = readFileSync(createRequire(import.meta.url).resolve("quickjs-wasi/quickjs.wasm"));
const MIB = 1024 * 1024;

test("[C40] the module's own limit holds where the engine does not count", async () => {
  using vm = await QuickJS.create({ wasm: await WebAssembly.compile(capWasmMemory(wasm, 8 * MIB)) });
  expect(() => vm.evalCode("const a = []; for (;;) a.push(new Uint8Array(65536).fill(1))")).toThrow();
  expect(vm.snapshot().memory.byteLength).toBeLessThanOrEqual(11 * MIB);
});

test("[C40] accepts only a module with one plain memory", () => {
  const header = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
  const capped = capWasmMemory(Uint8Array.from([...header, 5, 3, 1, 0, 2]), 300 * 65_536);
  expect([...capped.subarray(8)]).toEqual([5, 5, 1, 1, 2, 0xae, 2]);
  expect(() => capWasmMemory(Uint8Array.from(header), 1)).toThrow("no memory section");
  expect(() => capWasmMemory(Uint8Array.from([...header, 5, 4, 1, 3, 1, 2]), 1)).toThrow("unusual memory");
});
