import { CompileFlags, type JSValueHandle, QuickJS, type Snapshot } from "quickjs-wasi";
import { BRIDGE_FUNCTIONS } from "./bridge.ts";
import { createCompiler } from "./compiler.ts";
import { GUEST_INTRINSICS } from "./engine.ts";
import { logicalWasi } from "./logical-wasi.ts";
import { PRELUDE } from "./prelude.ts";

/**
 * A VM with the prelude in place and nothing of any cell. Every cell starts as a copy of it, and a cell's own
 * image is the difference from it. The same engine makes the same bytes in every process.
 */
export interface BaseImage {
  readonly snapshot: Snapshot;
  readonly prelude: Readonly<Record<PreludeFunction, number>>;
  /** Tells images of this engine and prelude from those of any other. */
  readonly fingerprint: string;
}

export type PreludeFunction = (typeof PRELUDE_FUNCTIONS)[number];
const PRELUDE_FUNCTIONS = ["open", "run", "settle", "fail", "firstOpenStack"] as const;

/** Enough for the prelude; cells have limits of their own. */
const PRELUDE_MEMORY_BYTES = 16 * 1024 * 1024;

/** Most cells need at most twice this: a VM whose memory never grows can be used again. */
const ROOM_BYTES = 256 * 1024;

export async function createBaseImage(engine: {
  readonly module: WebAssembly.Module;
  readonly fingerprint: string;
}): Promise<BaseImage> {
  const compiler = createCompiler(engine.module);
  const compiled = await compiler.compile(
    { text: PRELUDE, file: "deputy:prelude", flags: CompileFlags.STRIP_SOURCE },
    { memoryBytes: PRELUDE_MEMORY_BYTES, stackBytes: 256 * 1024 },
  );
  if (compiled.kind !== "ok") throw new Error("The prelude does not compile");

  using vm = await QuickJS.create({
    wasm: engine.module,
    wasi: (memory) => logicalWasi(memory, () => 0),
    intrinsics: GUEST_INTRINSICS,
    timezoneOffset: 0,
  });
  using prelude = vm.evalBytecode(compiled.bytecode);
  const functions = BRIDGE_FUNCTIONS.map((name) => vm.newFunction(name, () => vm.undefined));
  using api = vm.callFunction(prelude, vm.undefined, ...functions);
  const handles = PRELUDE_FUNCTIONS.map((name): [PreludeFunction, JSValueHandle] => [
    name,
    api.getProp(name),
  ]);
  vm.runGC();
  // Needs the memory twice, for the buffer and for copying it in, and frees both.
  vm.newArrayBuffer(new ArrayBuffer(ROOM_BYTES)).dispose();
  const tokens = handles.map(([name, handle]) => [name, vm.exportHandle(handle)] as const);
  const snapshot = vm.snapshot();
  snapshot.memory.fill(0, 0, snapshot.stackPointer);
  return {
    snapshot,
    prelude: Object.fromEntries(tokens) as Record<PreludeFunction, number>,
    fingerprint: `${engine.fingerprint}.${await sha256(snapshot.memory)}`,
  };
}

async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new Uint8Array(bytes));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
