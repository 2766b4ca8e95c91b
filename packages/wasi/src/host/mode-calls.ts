import type { Place } from "@deputy/vfs";
import type { HostCalls, HostContext } from "./host-context.ts";
import { RIGHT } from "./rights.ts";

/** The name under which modules import what preview 1 lacks of files. */
export const FILES_MODULE = "deputy_files";

/** Permission bits: preview 1 has none. Their signatures are those of `path_filestat_get` and its kind. */
export function modeCalls({ memory, descriptors, fileSystem }: HostContext): HostCalls {
  const place = (fd: number, right: bigint, path: number, length: number): Place => ({
    beneath: descriptors.directory(fd, right).file,
    path: memory.text(path, length),
  });
  return {
    path_mode_get(fd: number, follow: number, path: number, length: number, at: number) {
      const { mode } = fileSystem.stat(
        place(fd, RIGHT.pathStat, path, length),
        follow === 1 ? "follow" : "keep",
      );
      memory.setU32(at, mode);
    },
    path_mode_set(fd: number, follow: number, path: number, length: number, mode: number) {
      fileSystem.setMode(place(fd, RIGHT.pathSetTimes, path, length), mode, follow === 1 ? "follow" : "keep");
    },
  };
}
