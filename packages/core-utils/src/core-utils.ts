import type { FileSystem } from "@deputy/vfs";
import {
  type ByteSink,
  type ByteSource,
  type CommandCall,
  COMMANDS_MODULE,
  FILES_MODULE,
  type PreparedModule,
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
  /** The permissions that new files and folders do not get; the default is 0o022. */
  readonly umask?: number;
  readonly fileSystem: FileSystem;
  readonly clock: WasiClock;
  readonly random: (length: number) => Uint8Array;
  readonly limits?: Partial<ProgramLimits>;
  readonly streams?: ReadonlyMap<number, ByteSource & ByteSink>;
  readonly startCommand?: (call: CommandCall) => Promise<number>;
  readonly waiting?: "suspend" | "spool";
}

/** What one tool may have: enough to sort what a workspace holds. */
const TOOL_MEMORY_BYTES = 512 * 1024 * 1024;

/** The tools of one module, which is compiled once; each run has a memory of its own. */
export interface CoreUtils {
  /** Runs one tool to its end. A name that is no tool's exits with 127. Throws only what its streams throw. */
  run(run: ToolRun, signal: AbortSignal): Promise<ProgramOutcome>;
}

/** `bytes` are those of `core-utils.wasm`. Rejects with `WasiError` if they are anything else. */
export async function loadCoreUtils(bytes: Uint8Array): Promise<CoreUtils> {
  return adoptCoreUtils(await prepareCoreUtils(bytes));
}

/** The first half of `loadCoreUtils`: what it gives can be sent to other threads. */
export async function prepareCoreUtils(bytes: Uint8Array): Promise<PreparedModule> {
  return await prepareModule(bytes, {
    maxMemoryBytes: TOOL_MEMORY_BYTES,
    imports: {
      [COMMANDS_MODULE]: ["folder_get", "command_run"],
      [FILES_MODULE]: ["path_mode_get", "path_mode_set"],
    },
  });
}

/** The other half. */
export function adoptCoreUtils(prepared: PreparedModule): CoreUtils {
  return {
    run: ({ argv, cwd, ...run }, signal) =>
      runProgram(
        prepared,
        { ...run, args: argv, folder: cwd, preopens: [{ path: "/", directory: "/" }] },
        signal,
      ),
  };
}
