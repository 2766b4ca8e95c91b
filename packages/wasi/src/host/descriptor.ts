import type { FileSystem, OpenFile } from "@deputy/vfs";
import type { ByteSink, ByteSource } from "./byte-stream.ts";
import { DIRECTORY_RIGHTS, FILE_RIGHTS, INPUT_RIGHTS, OUTPUT_RIGHTS, RIGHT, WRITE_RIGHTS } from "./rights.ts";
import { refuse } from "./wasi-errno.ts";

interface Capabilities {
  /** What this descriptor may be used for. */
  rights: bigint;
  /** What descriptors opened beneath it may be used for. */
  inheriting: bigint;
  /** `fdflags`: 1 append, 2 dsync, 4 nonblock, 8 rsync, 16 sync. */
  flags: number;
}

export type Descriptor = FileDescriptor | DirectoryDescriptor | InputDescriptor | OutputDescriptor;
export interface FileDescriptor extends Capabilities {
  readonly kind: "file";
  readonly file: OpenFile;
}
export interface DirectoryDescriptor extends Capabilities {
  readonly kind: "directory";
  readonly file: OpenFile;
  /** The path under which the program was given it; `undefined` for one that it opened itself. */
  readonly preopen: string | undefined;
}
export interface InputDescriptor extends Capabilities {
  readonly kind: "input";
  readonly source: ByteSource;
}
export interface OutputDescriptor extends Capabilities {
  readonly kind: "output";
  readonly sink: ByteSink;
}

/** A directory that a program is given, and the path by which it knows it. */
export interface Preopen {
  readonly path: string;
  /** The directory's absolute path in the file system. */
  readonly directory: string;
}

export interface Stdio {
  readonly stdin: ByteSource | OpenFile;
  readonly stdout: ByteSink | OpenFile;
  readonly stderr: ByteSink | OpenFile;
}

/** The numbers that a program holds. */
export interface DescriptorTable {
  /** EBADF for a number that is not open, ENOTCAPABLE without all of the rights. */
  get(fd: number, rights?: bigint): Descriptor;
  /** As `get`; EBADF for a directory and ESPIPE for a pipe. */
  file(fd: number, rights?: bigint): FileDescriptor;
  /** As `get`; ENOTDIR for anything else. */
  directory(fd: number, rights?: bigint): DirectoryDescriptor;
  /** The lowest free number; EMFILE if there are too many, and then nothing is opened. */
  open(make: () => Descriptor): number;
  close(fd: number): void;
  renumber(from: number, to: number): void;
  /** Closes everything that the program left open. The streams are their owner's. */
  closeAll(): void;
}

export interface DescriptorDeps extends Stdio {
  readonly fileSystem: FileSystem;
  readonly preopens: readonly Preopen[];
  readonly maxDescriptors: number;
}

export function createDescriptorTable(deps: DescriptorDeps): DescriptorTable {
  const held = new Map<number, Descriptor>([
    [0, isOpenFile(deps.stdin) ? shared(deps.stdin) : input(deps.stdin)],
    [1, isOpenFile(deps.stdout) ? shared(deps.stdout) : output(deps.stdout)],
    [2, isOpenFile(deps.stderr) ? shared(deps.stderr) : output(deps.stderr)],
  ]);
  for (const [index, { path, directory }] of deps.preopens.entries())
    held.set(3 + index, {
      kind: "directory",
      file: deps.fileSystem.open(directory, { read: true, directory: true }),
      preopen: path,
      rights: DIRECTORY_RIGHTS,
      inheriting: DIRECTORY_RIGHTS | FILE_RIGHTS,
      flags: 0,
    });

  const get = (fd: number, rights = 0n): Descriptor => {
    const found = held.get(fd) ?? refuse("EBADF");
    if ((found.rights & rights) === rights) return found;
    // A directory has no bytes at all: that is not a right somebody kept back.
    return refuse(found.kind === "directory" && (rights & BYTES) !== 0n ? "EBADF" : "ENOTCAPABLE");
  };

  return {
    get,
    file(fd, rights) {
      const found = get(fd);
      if (found.kind === "directory") return refuse("EBADF");
      if (found.kind !== "file") return refuse("ESPIPE");
      get(fd, rights);
      return found;
    },
    directory(fd, rights) {
      const found = held.get(fd) ?? refuse("EBADF");
      if (found.kind !== "directory") return refuse("ENOTDIR");
      get(fd, rights);
      return found;
    },
    open(make) {
      if (held.size >= deps.maxDescriptors) refuse("EMFILE");
      let fd = 0;
      while (held.has(fd)) fd += 1;
      held.set(fd, make());
      return fd;
    },
    close(fd) {
      closeOne(get(fd));
      held.delete(fd);
    },
    renumber(from, to) {
      const moved = get(from);
      const replaced = get(to);
      if (from === to) return;
      closeOne(replaced);
      held.set(to, moved);
      held.delete(from);
    },
    closeAll() {
      for (const descriptor of held.values()) closeOne(descriptor);
      held.clear();
    },
  };
}

const BYTES = RIGHT.fdRead | RIGHT.fdWrite | RIGHT.fdSeek | RIGHT.fdTell;

function closeOne(descriptor: Descriptor): void {
  if (descriptor.kind === "file" || descriptor.kind === "directory") descriptor.file.close();
}

export function isOpenFile(stream: ByteSource | ByteSink | OpenFile): stream is OpenFile {
  return "share" in stream;
}

/** A file that somebody else holds, too: a redirection of the shell. */
function shared(file: OpenFile): FileDescriptor {
  const rights =
    (file.readable ? FILE_RIGHTS : FILE_RIGHTS & ~RIGHT.fdRead) & (file.writable ? ~0n : ~WRITE_RIGHTS);
  return { kind: "file", file: file.share(), rights, inheriting: 0n, flags: file.append ? 1 : 0 };
}

function input(source: ByteSource): InputDescriptor {
  return { kind: "input", source, rights: INPUT_RIGHTS, inheriting: 0n, flags: 0 };
}

function output(sink: ByteSink): OutputDescriptor {
  return { kind: "output", sink, rights: OUTPUT_RIGHTS, inheriting: 0n, flags: 0 };
}
