import { createMemoryBase, createMemoryFileSystem, type FileSystem } from "@deputy/vfs";
import type { ByteSink } from "../host/byte-stream.ts";
import { runProgram } from "../run/run-program.ts";
import { createSystemWasiClock } from "../run/system-clock.ts";
import type { JobChange, JobMessage, WasiJob } from "./job.ts";

/** What a worker's thread is reached by: `parentPort` in Node, the global object in a browser. */
export interface JobPort {
  post(message: JobMessage): void;
  onJob(run: (job: WasiJob) => void): void;
}

/** The whole of a worker: runs what it is sent, one job after the other. It is ended from outside. */
export function serveJobs(port: JobPort): void {
  port.onJob((job) => {
    runJob(job, port.post).catch((error: unknown) =>
      port.post({ kind: "failed", message: error instanceof Error ? error.message : String(error) }),
    );
  });
}

async function runJob(job: WasiJob, post: (message: JobMessage) => void): Promise<void> {
  const clock = createSystemWasiClock();
  const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));
  const fileSystem = createMemoryFileSystem({
    now: clock.realtime,
    random,
    mounts: [{ at: "/", base: createMemoryBase(job.files) }],
  });
  const sink = (stream: "stdout" | "stderr"): ByteSink => ({
    write(bytes) {
      post({ kind: "output", stream, bytes });
      return "taken";
    },
  });
  let left = job.stdin;
  const outcome = await runProgram(
    { module: job.module },
    {
      ...job,
      fileSystem,
      clock,
      random,
      stdin: {
        read(max: number) {
          const part = left.subarray(0, max);
          left = left.subarray(part.length);
          return part;
        },
      },
      stdout: sink("stdout"),
      stderr: sink("stderr"),
    },
    NEVER,
  );
  post({ kind: "ended", outcome, changes: changesOf(fileSystem) });
}

/** A job is ended with its worker. */
const NEVER = new AbortController().signal;

function changesOf(fileSystem: FileSystem): JobChange[] {
  return fileSystem.changes("/").map(({ path, change, kind }): JobChange => {
    if (change === "deleted") return { kind: "deleted", path };
    if (kind === "symlink") return { kind, path, target: fileSystem.readLink(`/${path}`) };
    const { mode } = fileSystem.stat(`/${path}`, "keep");
    return kind === "directory"
      ? { kind, path, mode }
      : { kind, path, mode, bytes: fileSystem.readFile(`/${path}`) };
  });
}
