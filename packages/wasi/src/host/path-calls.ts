import type { Place } from "@deputy/vfs";
import type { Descriptor } from "./descriptor.ts";
import type { HostCalls, HostContext } from "./host-context.ts";
import { DIRECTORY_RIGHTS, FILE_RIGHTS, INPUT_RIGHTS, OUTPUT_RIGHTS, RIGHT } from "./rights.ts";
import { timesOf, writeStat, writeStreamStat } from "./stat-layout.ts";
import { refuse } from "./wasi-errno.ts";

const FOLLOW = 1;
const CREATE = 1;
const DIRECTORY = 2;
const EXCLUSIVE = 4;
const TRUNCATE = 8;
const APPEND = 1;
const STANDARD = ["in", "out", "err"];

/** Everything that takes a path. Each path is followed by the file system, beneath the directory of its descriptor. */
export function pathCalls({
  memory,
  descriptors,
  fileSystem,
  clock,
  streams,
  umask,
}: HostContext): HostCalls {
  /** What `dev/fd/N` and its kind mean beneath the root. */
  const streamAt = (path: string, rights: bigint): Descriptor | undefined => {
    const named = /^\/*dev\/(?:fd\/(\d{1,9})|std(in|out|err))$/.exec(path);
    if (named === null) return undefined;
    const number = named[1] === undefined ? STANDARD.indexOf(named[2] ?? "") : Number(named[1]);
    const stream = streams?.get(number);
    if (stream === undefined) return undefined;
    const about = { inheriting: 0n, flags: 0 };
    return (rights & RIGHT.fdRead) === 0n
      ? { kind: "output", sink: stream, rights: OUTPUT_RIGHTS, ...about }
      : { kind: "input", source: stream, rights: INPUT_RIGHTS, ...about };
  };

  const place = (fd: number, right: bigint, path: number, length: number): Place => ({
    beneath: descriptors.directory(fd, right).file,
    path: memory.text(path, length),
  });
  const links = (flags: number): "follow" | "keep" => ((flags & FOLLOW) === FOLLOW ? "follow" : "keep");

  return {
    path_create_directory(fd: number, path: number, length: number) {
      fileSystem.makeDirectory(place(fd, RIGHT.pathCreateDirectory, path, length), 0o777 & ~umask);
    },
    path_filestat_get(fd: number, flags: number, path: number, length: number, at: number) {
      const where = place(fd, RIGHT.pathStat, path, length);
      const isRoot = descriptors.directory(fd, RIGHT.pathStat).preopen === "/";
      const stream = isRoot ? streamAt(memory.text(path, length), RIGHT.fdRead) : undefined;
      if (stream !== undefined) return writeStreamStat(memory, at, stream);
      return writeStat(memory, at, fileSystem.stat(where, links(flags)));
    },
    path_filestat_set_times(
      fd: number,
      flags: number,
      path: number,
      length: number,
      atime: bigint,
      mtime: bigint,
      which: number,
    ) {
      const at = place(fd, RIGHT.pathSetTimes, path, length);
      fileSystem.setTimes(at, timesOf(atime, mtime, which, clock.realtime()), links(flags));
    },
    path_link(
      fromFd: number,
      flags: number,
      from: number,
      fromLength: number,
      toFd: number,
      to: number,
      toLength: number,
    ) {
      // Hard links to what a link leads to: nobody offers that in preview 1.
      if ((flags & FOLLOW) === FOLLOW) refuse("EINVAL");
      fileSystem.link(
        place(fromFd, RIGHT.pathLinkSource, from, fromLength),
        place(toFd, RIGHT.pathLinkTarget, to, toLength),
      );
    },
    path_open(
      fd: number,
      lookup: number,
      path: number,
      length: number,
      how: number,
      rights: bigint,
      inheriting: bigint,
      flags: number,
      at: number,
    ) {
      const from = descriptors.directory(fd, RIGHT.pathOpen);
      if ((rights & ~from.inheriting) !== 0n || (inheriting & ~from.inheriting) !== 0n) refuse("ENOTCAPABLE");
      if ((how & CREATE) !== 0 && (how & DIRECTORY) !== 0) refuse("EINVAL");
      if ((how & CREATE) !== 0) descriptors.directory(fd, RIGHT.pathCreateFile);
      if ((how & TRUNCATE) !== 0) descriptors.directory(fd, RIGHT.pathSetSize);
      const where = { beneath: from.file, path: memory.text(path, length) };
      const fileNumber = descriptors.open((): Descriptor => {
        const stream = from.preopen === "/" ? streamAt(where.path, rights) : undefined;
        if (stream !== undefined) return stream;
        const file = fileSystem.open(where, {
          read: (rights & RIGHT.fdRead) !== 0n,
          write:
            (rights & (RIGHT.fdWrite | RIGHT.fdAllocate | RIGHT.fdSetSize)) !== 0n &&
            !isDirectory(where, lookup),
          append: (flags & APPEND) !== 0 && (rights & RIGHT.fdWrite) !== 0n,
          create: (how & CREATE) !== 0,
          exclusive: (how & EXCLUSIVE) !== 0,
          truncate: (how & TRUNCATE) !== 0,
          directory: (how & DIRECTORY) !== 0,
          links: links(lookup),
          mode: 0o666 & ~umask,
        });
        if (file.kind !== "directory")
          return {
            kind: "file",
            file,
            rights: rights & FILE_RIGHTS,
            inheriting: inheriting & FILE_RIGHTS,
            flags,
          };
        if ((rights & RIGHT.fdWrite) !== 0n) {
          file.close();
          return refuse("EISDIR");
        }
        return {
          kind: "directory",
          file,
          preopen: undefined,
          rights: rights & DIRECTORY_RIGHTS,
          inheriting,
          flags,
        };
      });
      memory.setU32(at, fileNumber);
    },
    path_readlink(fd: number, path: number, length: number, at: number, room: number, usedAt: number) {
      const target = new TextEncoder().encode(
        fileSystem.readLink(place(fd, RIGHT.pathReadlink, path, length)),
      );
      const part = target.subarray(0, room);
      memory.bytes(at, part.length).set(part);
      memory.setU32(usedAt, part.length);
    },
    path_remove_directory(fd: number, path: number, length: number) {
      fileSystem.removeDirectory(place(fd, RIGHT.pathRemoveDirectory, path, length));
    },
    path_rename(
      fromFd: number,
      from: number,
      fromLength: number,
      toFd: number,
      to: number,
      toLength: number,
    ) {
      fileSystem.rename(
        place(fromFd, RIGHT.pathRenameSource, from, fromLength),
        place(toFd, RIGHT.pathRenameTarget, to, toLength),
      );
    },
    path_symlink(target: number, targetLength: number, fd: number, path: number, length: number) {
      const says = memory.text(target, targetLength);
      const at = place(fd, RIGHT.pathSymlink, path, length);
      // An absolute link could be followed only by whoever was given the root.
      if (says.startsWith("/") && !ownsRoot(fd)) refuse("ENOTCAPABLE");
      fileSystem.symlink(says, at);
    },
    path_unlink_file(fd: number, path: number, length: number) {
      fileSystem.unlink(place(fd, RIGHT.pathUnlink, path, length));
    },
  };

  function ownsRoot(fd: number): boolean {
    return descriptors.directory(fd).file.stat().ino === fileSystem.stat("/", "follow").ino;
  }

  /** Directories are opened with whatever rights a program asks for by default. */
  function isDirectory(where: Place, lookup: number): boolean {
    try {
      return fileSystem.stat(where, links(lookup)).kind === "directory";
    } catch {
      return false;
    }
  }
}
