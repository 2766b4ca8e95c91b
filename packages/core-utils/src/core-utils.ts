import type { FileSystem } from "@deputy/vfs";
import {
  COMMANDS_MODULE,
  defaultModuleRules,
  prepareModule,
  type ProgramLimits,
  type ProgramOutcome,
  runProgram,
  type Stdio,
  type WasiClock,
} from "@deputy/wasi";

export interface ToolRun extends Stdio {
  /** The name first, as it was called: its last part says which tool it is. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** An absolute path. */
  readonly cwd: string;
  readonly fileSystem: FileSystem;
  readonly clock: WasiClock;
  readonly random: (length: number) => Uint8Array;
  readonly limits?: Partial<ProgramLimits>;
  readonly waiting?: "suspend" | "spool";
}

/** The tools of one module, which is compiled once; each run has a memory of its own. */
export interface CoreUtils {
  /** Runs one tool to its end. A name that is no tool's exits with 127. Throws only what its streams throw. */
  run(run: ToolRun, signal: AbortSignal): Promise<ProgramOutcome>;
}

/** `bytes` are those of `core-utils.wasm`. Rejects with `WasiError` if they are anything else. */
export async function loadCoreUtils(bytes: Uint8Array): Promise<CoreUtils> {
  const prepared = await prepareModule(bytes, {
    ...defaultModuleRules,
    imports: {
      [COMMANDS_MODULE]: ["folder_get"],
    },
  });
  return {
    run: ({ argv, cwd, ...run }, signal) =>
      runProgram(
        prepared,
        { ...run, args: argv, folder: cwd, preopens: [{ path: "/", directory: "/" }] },
        signal,
      ),
  };
}
