import { EvalFlags, JSException, QuickJS } from "quickjs-wasi";
import { type EngineLimits, sameLimits, stackSize } from "./engine.ts";
import { logicalWasi } from "./logical-wasi.ts";

export interface Script {
  readonly text: string;
  readonly file: string;
  readonly flags?: number;
}

export type Compiled =
  | { readonly kind: "ok"; readonly bytecode: Uint8Array }
  /** `stack` has the place, like that of an error thrown there. */
  | { readonly kind: "syntax"; readonly message: string; readonly stack: string }
  /** The engine gave up: nested too deeply, or out of memory. */
  | { readonly kind: "gave_up"; readonly error: unknown };

/** Parses scripts in a VM that never runs them. */
export interface Compiler {
  compile(script: Script, limits: EngineLimits): Promise<Compiled>;
}

/** A larger VM is not kept, because its memory never shrinks. */
const KEPT_BYTES = 8 * 1024 * 1024;

/** The VM is kept for the next script; one that failed, or has grown, is replaced. */
export function createCompiler(module: WebAssembly.Module): Compiler {
  let kept: Parser | undefined;

  return {
    async compile(script, limits) {
      const fit = kept !== undefined && sameLimits(kept.limits, limits) ? kept : undefined;
      const parser = fit ?? (await openParser(module, limits));
      kept = undefined;
      const compiled = parse(parser.vm, script);
      if (compiled.kind === "ok" && parser.bytes() <= KEPT_BYTES) kept = parser;
      else parser.vm.dispose();
      return compiled;
    },
  };
}

interface Parser {
  readonly vm: QuickJS;
  readonly limits: EngineLimits;
  readonly bytes: () => number;
}

async function openParser(module: WebAssembly.Module, limits: EngineLimits): Promise<Parser> {
  let memory: WebAssembly.Memory | undefined;
  const vm = await QuickJS.create({
    wasm: module,
    wasi: (own) => {
      memory = own;
      return logicalWasi(own, () => 0);
    },
    memoryLimit: limits.memoryBytes,
    maxStackSize: stackSize(limits),
  });
  return { vm, limits, bytes: () => memory?.buffer.byteLength ?? 0 };
}

function parse(vm: QuickJS, script: Script): Compiled {
  try {
    return { kind: "ok", bytecode: vm.compile(script.text, script.file, 0, script.flags) };
  } catch (error) {
    return explainSyntaxError(vm, script) ?? { kind: "gave_up", error };
  }
}

/** `compile` reports neither kind nor place of an error; evaluating in compile-only mode reports both. */
function explainSyntaxError(vm: QuickJS, script: Script): Compiled | undefined {
  try {
    vm.evalCode(script.text, script.file, EvalFlags.COMPILE_ONLY).dispose();
  } catch (error) {
    if (error instanceof JSException && error.name === "SyntaxError") {
      return { kind: "syntax", message: error.message, stack: error.stack ?? "" };
    }
  }
  return undefined;
}
