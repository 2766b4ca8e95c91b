import { limitMemory } from "./limit-memory.ts";
import { WasiError } from "../wasi-error.ts";
import { PREVIEW_1 } from "../host/create-host.ts";

/** A module that may be run, as often as one likes: compiled once, with its memory limited. */
export interface PreparedModule {
  readonly module: WebAssembly.Module;
}

export interface ModuleRules {
  readonly maxMemoryBytes: number;
  /** What modules may import besides preview 1: module names and the functions in each. */
  readonly imports?: Readonly<Record<string, readonly string[]>>;
}

/** 1 GiB is what a program may have if nobody says otherwise. */
export const defaultModuleRules: ModuleRules = { maxMemoryBytes: 1024 * 1024 * 1024 };

/**
 * Compiles a module. `module_invalid` if it is none; `module_refused` if it imports anything that the rules do not
 * name (memories, tables and globals included), is no command, or needs too much memory.
 */
export async function prepareModule(bytes: Uint8Array, rules: ModuleRules): Promise<PreparedModule> {
  const limited = limitMemory(bytes, rules.maxMemoryBytes);
  let module: WebAssembly.Module;
  try {
    module = await WebAssembly.compile(limited);
  } catch (cause) {
    throw new WasiError("module_invalid", "This is no WebAssembly module that can be run.", { cause });
  }
  // A map, since a module may be named after what every object has.
  const named = new Map(Object.entries(rules.imports ?? {}));
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    const allowed = from === PREVIEW_1 || (named.get(from)?.includes(name) ?? false);
    if (kind !== "function" || !allowed)
      throw new WasiError(
        "module_refused",
        `The module imports ${JSON.stringify(`${from}.${name}`)}, which it may not.`,
      );
  }
  const exported = WebAssembly.Module.exports(module);
  for (const [name, kind] of [
    ["memory", "memory"],
    ["_start", "function"],
  ])
    if (!exported.some((one) => one.name === name && one.kind === kind))
      throw new WasiError("module_refused", `The module is no command: it exports no ${name}.`);
  return { module };
}
