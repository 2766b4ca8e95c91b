import type { FileSystem } from "@deputy/vfs";
import type { ByteSink, ByteSource } from "../host/byte-stream.ts";
import { createHost } from "../host/create-host.ts";
import { isOpenFile, type Preopen, type Stdio } from "../host/descriptor.ts";
import { type CommandCall, ProgramEnd, type WasiClock } from "../host/host-context.ts";
import type { PreparedModule } from "../module/prepare-module.ts";
import { spoolInput, spoolOutput } from "./spool.ts";
import { findJspi } from "./suspend.ts";

/** How a program ended. */
export type ProgramOutcome =
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "signalled"; readonly signal: "SIGPIPE" }
  /** It did what no program may: left its memory, divided by zero, called itself too deep. */
  | { readonly kind: "trapped"; readonly message: string }
  | { readonly kind: "limit"; readonly limit: "output" }
  | { readonly kind: "stopped" };

export interface ProgramRun extends Stdio {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The absolute path of the folder in which the program begins, for modules that ask; the default is the root. */
  readonly folder?: string;
  /** The permissions that new files and folders do not get; the default is 0o022. */
  readonly umask?: number;
  readonly fileSystem: FileSystem;
  readonly preopens: readonly Preopen[];
  readonly clock: WasiClock;
  readonly random: (length: number) => Uint8Array;
  readonly limits?: Partial<ProgramLimits>;
  /** What `/dev/fd/N` opens beneath a preopened root, where programs can wait. */
  readonly streams?: ReadonlyMap<number, ByteSource & ByteSink>;
  /** Runs what the program starts, where programs can wait. */
  readonly startCommand?: (call: CommandCall) => Promise<number>;
  /** "spool" does without suspending where it could; the default is "suspend", where that can be done. */
  readonly waiting?: "suspend" | "spool";
}

export interface ProgramLimits {
  /** Bytes written to streams, both together. Files have the limits of their file system. */
  readonly outputBytes: number;
  readonly descriptors: number;
  /** Input that is kept in memory where programs cannot wait for it. */
  readonly spoolBytes: number;
}

export const defaultProgramLimits: ProgramLimits = {
  outputBytes: 64 * 1024 * 1024,
  descriptors: 1024,
  spoolBytes: 64 * 1024 * 1024,
};

/** The calls that may take a while, if their streams or clocks do. */
const WAITING = new Set(["fd_read", "fd_write", "poll_oneoff", "command_run"]);

/**
 * Runs a program to its end, in this thread. Where programs can be suspended, streams are read and written as it goes;
 * elsewhere its input is read before and its output handed over afterwards.
 *
 * An abort ends it at its next call, as "stopped"; a program that makes no calls can only be ended with its thread.
 * Throws only what the streams throw, and what is a bug.
 */
export async function runProgram(
  prepared: PreparedModule,
  run: ProgramRun,
  signal: AbortSignal,
): Promise<ProgramOutcome> {
  if (signal.aborted) return { kind: "stopped" };
  const limits = { ...defaultProgramLimits, ...run.limits };
  const jspi = run.waiting === "spool" ? undefined : findJspi();
  const spools: ReturnType<typeof spoolOutput>[] = [];
  const spooled = (sink: Stdio["stdout"]): Stdio["stdout"] => {
    if (jspi !== undefined || isOpenFile(sink)) return sink;
    const spool = spoolOutput(sink);
    spools.push(spool);
    return spool.sink;
  };
  const stdin =
    jspi === undefined && !isOpenFile(run.stdin) ? await spoolInput(run.stdin, limits.spoolBytes) : run.stdin;
  let memory: WebAssembly.Memory | undefined;
  const host = createHost({
    ...run,
    folder: run.folder ?? "/",
    umask: run.umask ?? 0o022,
    streams: jspi === undefined ? new Map() : (run.streams ?? new Map()),
    startCommand: jspi === undefined ? undefined : run.startCommand,
    stdin,
    // The count stands before the spool: what is only kept for later is memory, too.
    ...limitOutput({ stdout: spooled(run.stdout), stderr: spooled(run.stderr) }, limits.outputBytes),
    env: Object.entries(run.env).map(([name, value]) => `${name}=${value}`),
    maxDescriptors: limits.descriptors,
    memory: () => memory ?? fault("A program called its host before it had a memory."),
    signal,
  });
  try {
    const instance = new WebAssembly.Instance(prepared.module, importsOf(host.imports, jspi));
    const { memory: exported, _start: start } = instance.exports;
    if (!(exported instanceof WebAssembly.Memory) || typeof start !== "function")
      return fault("A prepared module exports its memory and its start.");
    memory = exported;
    if (jspi === undefined) start();
    else await orAborted(jspi.promising(start)(), signal);
    return { kind: "exited", code: 0 };
  } catch (error) {
    return outcomeOf(error, signal);
  } finally {
    host.end();
    for (const spool of spools) await spool.flush();
  }
}

function importsOf(
  imports: ReturnType<typeof createHost>["imports"],
  jspi: ReturnType<typeof findJspi>,
): WebAssembly.Imports {
  if (jspi === undefined) return imports;
  return Object.fromEntries(
    Object.entries(imports).map(([module, calls]) => [
      module,
      Object.fromEntries(
        Object.entries(calls).map(([name, call]) => [
          name,
          WAITING.has(name) ? new jspi.Suspending(call) : call,
        ]),
      ),
    ]),
  );
}

/** A suspended program whose streams never answer is left behind: nothing reaches it any more. */
async function orAborted(running: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(new Stopped());
  signal.addEventListener("abort", stop, { once: true });
  running.catch(() => undefined);
  try {
    await Promise.race([running, promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

class Stopped extends Error {}
class OutputLimit extends Error {}

function outcomeOf(error: unknown, signal: AbortSignal): ProgramOutcome {
  if (error instanceof ProgramEnd) return error.how;
  if (error instanceof Stopped || (signal.aborted && error === signal.reason)) return { kind: "stopped" };
  if (error instanceof OutputLimit) return { kind: "limit", limit: "output" };
  if (error instanceof WebAssembly.RuntimeError) return { kind: "trapped", message: error.message };
  // What V8 throws when a program calls itself too deep.
  if (error instanceof RangeError) return { kind: "trapped", message: "call stack exhausted" };
  throw error;
}

/** Both streams with one count over them. */
function limitOutput(
  run: Pick<Stdio, "stdout" | "stderr">,
  maxBytes: number,
): Pick<Stdio, "stdout" | "stderr"> {
  let written = 0;
  const counted = (sink: Stdio["stdout"]): Stdio["stdout"] => {
    if (isOpenFile(sink)) return sink;
    const counting: ByteSink = {
      ...(sink.terminal === true && { terminal: true }),
      write(bytes) {
        written += bytes.length;
        if (written > maxBytes) throw new OutputLimit();
        return sink.write(bytes);
      },
    };
    return counting;
  };
  return { stdout: counted(run.stdout), stderr: counted(run.stderr) };
}

function fault(message: string): never {
  throw new Error(message);
}
