import { COMMANDS_MODULE, commandCalls } from "./command-calls.ts";
import { createDescriptorTable, type DescriptorDeps } from "./descriptor.ts";
import { descriptorCalls } from "./descriptor-calls.ts";
import { createGuestMemory } from "./guest-memory.ts";
import { type HostCall, type HostCalls, type HostContext, ProgramEnd } from "./host-context.ts";
import { FILES_MODULE, modeCalls } from "./mode-calls.ts";
import { pathCalls } from "./path-calls.ts";
import { pollCalls } from "./poll-calls.ts";
import { processCalls } from "./process-calls.ts";
import { transferCalls } from "./transfer-calls.ts";
import { ERRNO, errnoOf } from "./wasi-errno.ts";

export const PREVIEW_1 = "wasi_snapshot_preview1";

export interface HostDeps
  extends
    DescriptorDeps,
    Pick<
      HostContext,
      "clock" | "random" | "args" | "env" | "folder" | "umask" | "signal" | "streams" | "startCommand"
    > {
  /** The memory of the program, once there is one. */
  readonly memory: () => WebAssembly.Memory;
}

/** What one program imports. */
export interface Host {
  /** By module, then by name. A function gives an error number, or a promise of one. */
  readonly imports: Readonly<Record<string, Readonly<Record<string, ImportedCall>>>>;
  /** Closes what the program left open. After it, each call throws: the program cannot go on. */
  end(): void;
}

export type ImportedCall = (...args: readonly (number | bigint)[]) => number | Promise<number>;

/** All of WASI preview 1, the modes of files, and what commands begin with. One host serves one program, once. */
export function createHost(deps: HostDeps): Host {
  const descriptors = createDescriptorTable(deps);
  const context: HostContext = { ...deps, memory: createGuestMemory(deps.memory), descriptors };
  let ended: ProgramEnd | undefined;

  const settle = (error: unknown): number => {
    const errno = errnoOf(error);
    if (errno !== undefined) return errno;
    // A program could catch this and go on; it gets no further than its next call.
    if (error instanceof ProgramEnd) ended = error;
    throw error;
  };

  const importable = (call: HostCall): ImportedCall => {
    const run = call as (...args: readonly (number | bigint)[]) => void | Promise<void>;
    return (...args) => {
      if (ended !== undefined) throw ended;
      try {
        // WebAssembly has no signs of its own, and JavaScript takes every number for signed.
        const waits = run(...args.map((arg) => (typeof arg === "number" ? arg >>> 0 : arg)));
        return waits === undefined ? ERRNO.success : waits.then(() => ERRNO.success, settle);
      } catch (error) {
        return settle(error);
      }
    };
  };

  const importables = (calls: HostCalls): Record<string, ImportedCall> =>
    Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, importable(call)]));

  return {
    imports: {
      [PREVIEW_1]: importables({
        ...processCalls(context),
        ...descriptorCalls(context),
        ...transferCalls(context),
        ...pathCalls(context),
        ...pollCalls(context),
      }),
      [FILES_MODULE]: importables(modeCalls(context)),
      [COMMANDS_MODULE]: importables(commandCalls(context)),
    },
    end() {
      ended ??= new ProgramEnd({ kind: "exited", code: 0 });
      descriptors.closeAll();
    },
  };
}
