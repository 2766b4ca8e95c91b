import type { FileSystem } from "@deputy/vfs";
import type { ByteSink, ByteSource } from "./byte-stream.ts";
import type { DescriptorTable } from "./descriptor.ts";
import type { GuestMemory } from "./guest-memory.ts";

/** Time as a program sees it. */
export interface WasiClock {
  /** Nanoseconds since 1970. */
  realtime(): bigint;
  /** Nanoseconds since some moment; never goes back. */
  monotonic(): bigint;
  /** Waits so many nanoseconds: on the spot, or as a promise, which needs a program that can be suspended. */
  sleep(nanoseconds: bigint, signal: AbortSignal): void | Promise<void>;
}

/** What all calls of one running program share. */
export interface HostContext {
  readonly memory: GuestMemory;
  readonly descriptors: DescriptorTable;
  readonly fileSystem: FileSystem;
  readonly clock: WasiClock;
  /** So many bytes that nobody can guess, 65,536 at most. */
  readonly random: (length: number) => Uint8Array;
  readonly args: readonly string[];
  /** `NAME=value` */
  readonly env: readonly string[];
  /** The absolute path of the folder in which the program begins. */
  readonly folder: string;
  /** The permissions that new files and folders do not get. */
  readonly umask: number;
  readonly signal: AbortSignal;
  /** What `/dev/fd/N`, `/dev/stdin` and its kind open, by number. */
  readonly streams?: ReadonlyMap<number, ByteSource & ByteSink>;
  /** Starts another command, and resolves with its exit code. Left out where programs cannot wait: ENOSYS. */
  readonly startCommand?: ((call: CommandCall) => Promise<number>) | undefined;
}

/** A command that a command starts, as `xargs` does. */
export interface CommandCall {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly input: "inherit" | "none";
  /** It is ended then, with 124. */
  readonly timeoutMs?: number;
}

/**
 * One call of preview 1. Numbers arrive unsigned, 64-bit ones as bigint. Returning is success; throwing
 * `CallFailure`, `FileSystemError` or `RangeError` gives the program a number; anything else ends it.
 */
export type HostCall = (...args: never[]) => void | Promise<void>;
export type HostCalls = Readonly<Record<string, HostCall>>;

/** How a program ended itself, or was ended by the host. Thrown through the program. */
export class ProgramEnd extends Error {
  readonly how:
    | { readonly kind: "exited"; readonly code: number }
    | { readonly kind: "signalled"; readonly signal: "SIGPIPE" };

  constructor(how: ProgramEnd["how"]) {
    super("The program has ended.");
    this.name = "ProgramEnd";
    this.how = how;
  }
}
