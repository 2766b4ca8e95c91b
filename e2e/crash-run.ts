import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import type { CellId, EventId } from "@deputy/kit";
import type { StoredEvent } from "@deputy/protocol";

export type Acknowledged = Pick<StoredEvent, "id" | "stream" | "seq" | "payloadHash">;

/** What the child said; `killed` when it did not get to the end. */
export interface Said {
  readonly events: readonly Acknowledged[];
  readonly erased: readonly EventId[];
  readonly journalled: readonly CellId[];
  /** Everything in order: `ack`, or the code of a refusal. */
  readonly order: readonly string[];
  readonly end: "closed" | "killed";
}

export interface RunOptions {
  readonly strace?: readonly string[];
  /** Kills the process so long after it was started, or after it first said something. */
  readonly kill?: { readonly after: "start" | "output"; readonly ms: number };
  readonly steps?: number;
}

/**
 * The process is stopped at these system calls alone, not at all of them, which needs its threads to be traced, too.
 * A signal does not come through that way.
 */
const ONLY_THESE = ["--seccomp-bpf", "-f"];

/** Has strace do something to the process at a certain call of one system call. */
export function inject(name: string, what: string): RunOptions {
  const quick = what.startsWith("error=") ? ONLY_THESE : [];
  return { strace: ["-o", "/dev/null", ...quick, "-e", `trace=${name}`, "-e", `inject=${name}:${what}`] };
}

/** The cores that this process may use, as the system lists them: `0-1,4`. */
const CORES = (/^Cpus_allowed_list:\s+(?<list>\S+)/m.exec(readStatus())?.groups?.["list"] ?? "0")
  .split(",")
  .flatMap((part) => {
    const [first = 0, last = first] = part.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, n) => first + n);
  });
let straced = 0;

/**
 * Where strace stops the process on two cores, one has to wake the other each time, which takes longer than the call
 * itself. So both stay on one core, each run on the next.
 */
function strace(options: readonly string[]): readonly string[] {
  return ["taskset", "-c", String(CORES[straced++ % CORES.length]), "strace", ...options];
}

function readStatus(): string {
  return process.platform === "linux" ? readFileSync("/proc/self/status", "utf8") : "";
}

/** The child's sources in one file, and a snapshot of a process that has loaded them. */
export interface CrashChild {
  readonly script: string;
  readonly snapshot: string;
}

/** Runs the child on a home until it ends, one way or the other. */
export async function runChild(
  child: CrashChild,
  home: string,
  seed: number,
  options: RunOptions,
): Promise<Said> {
  const script = [
    process.execPath,
    "--snapshot-blob",
    child.snapshot,
    child.script,
    home,
    String(seed),
    String(options.steps ?? 30),
  ];
  const [command = "", ...args] =
    options.strace === undefined ? script : [...strace(options.strace), ...script];
  const started = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  const { kill } = options;
  let timer: NodeJS.Timeout | undefined;
  const arm = (when: "start" | "output"): void => {
    if (kill?.after === when) timer ??= setTimeout(() => started.kill("SIGKILL"), kill.ms);
  };
  arm("start");
  const output: Buffer[] = [];
  started.stdout.on("data", (bytes: Buffer) => {
    output.push(bytes);
    arm("output");
  });
  started.stderr.resume();
  await new Promise((resolve, reject) => started.on("close", resolve).on("error", reject));
  clearTimeout(timer);
  return parseSaid(Buffer.concat(output).toString());
}

function parseSaid(output: string): Said {
  const events: Acknowledged[] = [];
  const [erased, journalled, order]: [EventId[], CellId[], string[]] = [[], [], []];
  let end: Said["end"] = "killed";
  // The last line may have been cut off with its writer.
  for (const line of output.split("\n").slice(0, -1)) {
    const said = JSON.parse(line) as {
      readonly events?: readonly Acknowledged[];
      readonly erased?: EventId;
      readonly journalled?: CellId;
      readonly refused?: string;
      readonly closed?: true;
    };
    events.push(...(said.events ?? []));
    if (said.erased !== undefined) erased.push(said.erased);
    if (said.journalled !== undefined) journalled.push(said.journalled);
    if (said.closed === true) end = "closed";
    else if (said.refused !== "conflict") order.push(said.refused ?? "ack");
  }
  return { events, erased, journalled, order, end };
}

/** Small and repeatable. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
