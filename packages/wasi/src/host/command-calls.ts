import type { HostCalls, HostContext } from "./host-context.ts";
import { refuse } from "./wasi-errno.ts";

/** The name under which modules import what commands of a shell have and preview 1 lacks. */
export const COMMANDS_MODULE = "deputy_commands";

const NO_INPUT = 1;

/** Where a command begins, and the commands that it starts. */
export function commandCalls({ memory, folder, startCommand }: HostContext): HostCalls {
  /** Texts that each end with NUL. */
  const texts = (at: number, length: number): string[] => memory.text(at, length).split("\0").slice(0, -1);

  return {
    folder_get(to: number, room: number, lengthAt: number) {
      const bytes = new TextEncoder().encode(folder);
      if (bytes.length > room) refuse("ENAMETOOLONG");
      memory.bytes(to, bytes.length).set(bytes);
      memory.setU32(lengthAt, bytes.length);
    },
    /** Waits for a command to end. A time of 0 is none. */
    command_run(
      argv: number,
      argvLength: number,
      env: number,
      envLength: number,
      cwd: number,
      cwdLength: number,
      flags: number,
      timeoutMs: number,
      statusAt: number,
    ) {
      if (startCommand === undefined) return refuse("ENOSYS");
      const pairs = texts(env, envLength).map((pair) => pair.split(/=(.*)/s, 2) as [string, string]);
      return startCommand({
        argv: texts(argv, argvLength),
        env: Object.fromEntries(pairs),
        cwd: memory.text(cwd, cwdLength),
        input: (flags & NO_INPUT) === 0 ? "inherit" : "none",
        ...(timeoutMs > 0 && { timeoutMs }),
      }).then((status) => memory.setU32(statusAt, status));
    },
  };
}
