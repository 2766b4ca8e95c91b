import { spawn } from "node:child_process";
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

/** Has strace do something to the process at a certain call of one system call. */
export function inject(name: string, what: string): RunOptions {
  return { strace: ["-o", "/dev/null", "-e", `trace=${name}`, "-e", `inject=${name}:${what}`] };
}

/** Runs the bundled `crash-child.ts` on a home until it ends, one way or the other. */
export async function runChild(
  child: string,
  home: string,
  seed: number,
  options: RunOptions,
): Promise<Said> {
  const script = [process.execPath, child, home, String(seed), String(options.steps ?? 30)];
  const [command = "", ...args] =
    options.strace === undefined ? script : ["strace", ...options.strace, ...script];
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
