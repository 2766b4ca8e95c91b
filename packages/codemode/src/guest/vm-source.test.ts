import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { beforeAll, expect, test } from "vitest";
import { DEFAULT_CELL_LIMITS as LIMITS } from "../sandbox.ts";
import { type BaseImage, createBaseImage } from "./base-image.ts";
import { capWasmMemory } from "./cap-wasm-memory.ts";
import { createCompiler } from "./compiler.ts";
import type { GuestVm } from "./engine.ts";
import { type GuestEngine, resumeGuestCell, startGuestCell } from "./guest-cell.ts";
import type { GuestSpec } from "./messages.ts";
import { createVmSource } from "./vm-source.ts";

let wasm: Uint8Array;
let module: WebAssembly.Module;
let base: BaseImage;
beforeAll(async () => {
  wasm = await readFile(createRequire(import.meta.url).resolve("quickjs-wasi/quickjs.wasm"));
  module = await WebAssembly.compile(capWasmMemory(wasm, LIMITS.memoryBytes));
  base = await createBaseImage({ module, fingerprint: "test" });
});

/** A source that keeps one instance, and the engine over it. */
async function setup() {
  const vms = createVmSource(module, base);
  const first = await vms.open(LIMITS);
  first.release("whole");
  const engine: GuestEngine = {
    base,
    compiler: createCompiler(module),
    vms,
    platform: {
      nowMs: () => performance.now(),
      packing: { pack: (bytes) => bytes.slice(), unpack: (bytes) => bytes },
      same: (a, b) => Buffer.compare(a, b) === 0,
    },
  };
  /** A new VM, and whether it is the kept instance. */
  const openNext = async () => {
    const next = await vms.open(LIMITS);
    return { next, isSame: next.vm === first.vm };
  };
  return { engine, openNext };
}

const specOf = (code: string, limits = LIMITS): GuestSpec => ({
  code,
  toolPaths: ["a.get"],
  limits,
  startedAtMs: 0,
  seed: 1,
});

/** The whole state of a VM. */
function stateOf({ vm }: GuestVm) {
  const { memory, stackPointer } = vm.snapshot();
  return { stackPointer, bytes: memory.length, sha256: createHash("sha256").update(memory).digest("hex") };
}

const MESS = `
  globalThis.secret = "left behind".repeat(500);
  Array.prototype.map = () => "forged";
  const deep = (n) => (n === 0 ? 0 : 1 + deep(n - 1));
  deep(200);
  const held = await tools.a.get();
  Promise.reject(new Error("nobody looks")).catch(() => {});
`;

test("[C48] the next cell's VM has nothing of a cell that returned, failed or fell asleep", async () => {
  const untouched = stateOf(await createVmSource(module, base).open(LIMITS));
  for (const ending of ["return held", "throw new Error('on purpose')", "await tools.a.get(); return 1"]) {
    const { engine, openNext } = await setup();
    const { cell } = await startGuestCell(engine, specOf(`${MESS} ${ending}`));
    const slice = cell?.settle(1, { kind: "ok", json: '{"text":"left behind too"}', atMs: 9 });
    if (slice?.end === undefined) cell?.leave();
    const { next, isSame } = await openNext();
    expect(isSame).toBe(true);
    expect(stateOf(next)).toEqual(untouched);
  }
});

test("[C48] does not reuse an instance whose cell was stopped or whose memory grew", async () => {
  const stopped = await setup();
  const { slice } = await startGuestCell(stopped.engine, specOf("for (;;);", { ...LIMITS, cpuMs: 20 }));
  expect(slice.end).toMatchObject({ failure: { code: "time_limit" } });
  expect((await stopped.openNext()).isSame).toBe(false);

  const grown = await setup();
  await startGuestCell(grown.engine, specOf("return new Array(500_000).fill(1.5).length"));
  expect((await grown.openNext()).isSame).toBe(false);
});

test("[C48] besides its memory, an instance can change only its stack pointer", () => {
  expect(readGlobals(wasm)).toEqual([{ type: "i32", mutable: true }]);
  const exported = WebAssembly.Module.exports(module).filter(({ kind }) => kind === "global");
  expect(exported).toEqual([{ name: "__stack_pointer", kind: "global" }]);
});

test("[C57] an image resumes in an instance that has run another cell since", async () => {
  const { engine, openNext } = await setup();
  const waiting = `let n = 0; for (;;) { n += await tools.a.get(); if (n > 4) return [n, typeof secret, [1].map(String)]; }`;
  const { cell } = await startGuestCell(engine, specOf(waiting));
  cell?.settle(1, { kind: "ok", json: "3", atMs: 1 });
  const image = cell?.leave() ?? new Uint8Array();
  await startGuestCell(engine, specOf(`${MESS.replace("await tools.a.get()", "0")} return held`));

  const resumed = await resumeGuestCell(engine, specOf(waiting), image);
  expect(resumed.slice.calls.map(({ id }) => id)).toEqual([2]);
  expect(resumed.cell?.settle(2, { kind: "ok", json: "2", atMs: 2 }).end).toEqual({
    kind: "completed",
    resultJson: '[5,"undefined",["1"]]',
  });
  expect((await openNext()).isSame).toBe(true);
});

test("[C57] an image resumes under new limits", async () => {
  const { engine } = await setup();
  const code = `const deep = (n) => (n === 0 ? 0 : 1 + deep(n - 1)); await tools.a.get(); return deep(500)`;
  const { cell } = await startGuestCell(engine, specOf(code));
  const image = cell?.leave() ?? new Uint8Array();
  const endUnder = async (stackBytes: number) => {
    const resumed = await resumeGuestCell(engine, specOf(code, { ...LIMITS, stackBytes }), image);
    return resumed.cell?.settle(1, { kind: "ok", json: "0", atMs: 1 }).end;
  };
  expect(await endUnder(LIMITS.stackBytes)).toEqual({ kind: "completed", resultJson: "500" });
  expect(await endUnder(LIMITS.stackBytes / 8)).toMatchObject({ failure: { code: "stack_limit" } });
});

const GLOBAL_SECTION = 6;
const I32 = 0x7f;

/** The globals that a module defines; only plain ones, with a constant to begin with. */
function readGlobals(bytes: Uint8Array) {
  let at = 8;
  const readLeb = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const id = bytes[at++];
    const end = readLeb() + at;
    if (id === GLOBAL_SECTION) {
      return Array.from({ length: readLeb() }, () => {
        const type = bytes[at++] === I32 ? "i32" : "other";
        const mutable = bytes[at++] === 1;
        at += 1; // i32.const
        readLeb();
        at += 1; // end
        return { type, mutable };
      });
    }
    at = end;
  }
  return [];
}
