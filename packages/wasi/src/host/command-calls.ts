import type { HostCalls, HostContext } from "./host-context.ts";
import { refuse } from "./wasi-errno.ts";

/** The name under which modules import what commands of a shell have and preview 1 lacks. */
export const COMMANDS_MODULE = "deputy_commands";

/** Where a command begins. */
export function commandCalls({ memory, folder }: HostContext): HostCalls {
  return {
    folder_get(to: number, room: number, lengthAt: number) {
      const bytes = new TextEncoder().encode(folder);
      if (bytes.length > room) refuse("ENAMETOOLONG");
      memory.bytes(to, bytes.length).set(bytes);
      memory.setU32(lengthAt, bytes.length);
    },
  };
}
