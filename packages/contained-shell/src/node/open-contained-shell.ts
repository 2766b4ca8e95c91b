import { readFile } from "node:fs/promises";
import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";
import type { BundledPrograms } from "@deputy/bundles";
import { abortReason, CodedError, throwIfAborted } from "@deputy/kit";
import { askHost, type ScriptFetch } from "./ask-host.ts";
import { prepareCoreUtils } from "@deputy/core-utils";
import type { Brought } from "../bundled-commands.ts";
import type { TreeChange } from "@deputy/workspace";
import type { FromBox, ToBox } from "../box-messages.ts";
import {
  type ContainedLimitName,
  type ContainedLimits,
  type ContainedResult,
  type ContainedRun,
  type ContainedShell,
  type ContainedStreams,
  defaultContainedLimits,
} from "../contained-shell.ts";

/** Threads that wait for the next script. */
const IDLE = 2;
/** How long they wait for it. */
const IDLE_MS = 60_000;
/** How often it is looked how much a thread has computed. */
const LOOK_MS = 200;
/** What a thread that was told to stop has left. */
const GRACE_MS = 1_000;
/** What a thread may keep in objects; files and memories of programs have limits of their own. */
const HEAP_MB = 512;

export interface ContainedShellOptions {
  /** Where the files of the workspace are now. */
  readonly folder: (signal: AbortSignal) => Promise<string | undefined>;
  /** What installed bundles bring. */
  readonly bundles?: BundledPrograms;
  /** The repository of the workspace; without one, what `git` does is gone with the script. */
  readonly repository?: ScriptRepository;
  /** The way to the network; without one, commands have none. Whom they may ask is decided there. */
  readonly fetch?: ScriptFetch;
}

/** Where the repository is kept. It is changed only by scripts that ended by themselves. */
export interface ScriptRepository {
  readonly folder: (signal: AbortSignal) => Promise<string | undefined>;
  readonly apply: (changes: readonly TreeChange[], signal: AbortSignal) => Promise<void>;
}

/** Scripts in threads of this process. Starts none before the first script; those that wait keep nothing alive. */
export function openContainedShell(options: ContainedShellOptions): ContainedShell {
  const idle: Thread[] = [];
  const all = new Set<Thread>();
  let prepared: Promise<WebAssembly.Module> | undefined;
  let closed = false;

  const start = async (): Promise<Thread> => {
    // Without it, programs could not wait for each other in a pipeline. A thread takes the flag as it is when it starts.
    setFlagsFromString("--experimental-wasm-jspi");
    prepared ??= readFile(moduleUrl()).then(async (bytes) => (await prepareCoreUtils(bytes)).module);
    const bring = async (sha256: string): Promise<Brought> => {
      try {
        if (options.bundles === undefined) throw new Error("There are no bundles");
        return { module: await options.bundles.module(sha256) };
      } catch (error) {
        if (!(error instanceof CodedError)) throw error;
        return { refused: error.message };
      }
    };
    const worker = new Worker(workerUrl(), {
      name: "deputy-shell",
      workerData: { module: await prepared },
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      env: {},
      execArgv: [],
    });
    const thread = createThread(worker, bring, options);
    all.add(thread);
    void thread.ended.then(() => all.delete(thread));
    return thread;
  };

  const take = async (): Promise<Thread> => {
    if (closed) throw new Error("The contained shell is closed");
    for (let thread = idle.pop(); thread !== undefined; thread = idle.pop())
      if (all.has(thread)) return thread;
    return await start();
  };

  const give = (thread: Thread): void => {
    if (closed || !all.has(thread) || idle.length >= IDLE) thread.end();
    else {
      idle.push(thread);
      setTimeout(() => retire(thread), IDLE_MS).unref();
    }
  };

  const retire = (thread: Thread): void => {
    const at = idle.indexOf(thread);
    if (at === -1) return;
    idle.splice(at, 1);
    thread.end();
  };

  const runIn = async (
    thread: Thread,
    session: "keep" | "fresh",
    run: ContainedRun,
    streams: ContainedStreams,
    signal: AbortSignal,
  ): Promise<ContainedResult> => {
    const { limits, ...order } = run;
    const folder = await options.folder(signal);
    const bundles = (await options.bundles?.read(signal)) ?? { commands: [], files: new Map() };
    const repository = await options.repository?.folder(signal);
    const bounds = { ...defaultContainedLimits, ...limits };
    return await thread.run(
      { kind: "run", run: order, limits: bounds, folder, repository, session, bundles },
      streams,
      signal,
    );
  };

  return {
    async run(run, streams, signal) {
      throwIfAborted(signal);
      const thread = await take();
      const result = await runIn(thread, "fresh", run, streams, signal);
      give(thread);
      return result;
    },
    open() {
      let thread: Promise<Thread> | undefined;
      return {
        async run(run, streams, signal) {
          throwIfAborted(signal);
          let mine = await (thread ??= take());
          if (!all.has(mine)) mine = await (thread = take());
          return await runIn(mine, "keep", run, streams, signal);
        },
        async [Symbol.asyncDispose]() {
          (await thread)?.end();
        },
      };
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      const ending = [...all].map((thread) => (thread.end(), thread.ended));
      await Promise.all(ending);
    },
  };
}

interface Thread {
  run(
    order: Extract<ToBox, { kind: "run" }>,
    streams: ContainedStreams,
    signal: AbortSignal,
  ): Promise<ContainedResult>;
  end(): void;
  readonly ended: Promise<void>;
}

function createThread(
  worker: Worker,
  bring: (sha256: string) => Promise<Brought>,
  { fetch, repository }: Pick<ContainedShellOptions, "fetch" | "repository">,
): Thread {
  let died: { readonly limit: ContainedLimitName; readonly message: string } | undefined;
  const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  worker.on("error", (error: NodeJS.ErrnoException) => {
    died =
      error.code === "ERR_WORKER_OUT_OF_MEMORY"
        ? { limit: "memory_limit", message: `The script needed more than ${HEAP_MB} MB of memory.` }
        : { limit: "crashed", message: `The shell broke: ${error.message}` };
  });
  worker.unref();

  return {
    ended,
    end: () => void worker.terminate(),
    async run(order, streams, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<ContainedResult>();
      const nothing = { changes: [], leftOut: [], exited: false, cwd: "" };
      const stopAt = (limit: ContainedLimitName, message: string): void => {
        resolve({ end: { kind: "limit", limit, message }, ...nothing });
      };
      const tell = (message: ToBox): void => worker.postMessage(message);
      const reading = new AbortController();
      const give = async (): Promise<void> => {
        const bytes = await (streams.input?.(reading.signal) ?? new Uint8Array(0));
        tell({ kind: "input", bytes });
      };
      const fetchProgram = async (sha256: string): Promise<void> => {
        tell({ kind: "program", sha256, brought: await bring(sha256) });
      };
      const answer = async ({ id, request }: Extract<FromBox, { kind: "fetch" }>): Promise<void> => {
        tell({ kind: "fetched", id, answer: await askHost(fetch, request, reading.signal) });
      };
      const hear = (message: FromBox): void => {
        switch (message.kind) {
          case "output":
            return streams.output(message.stream, message.bytes);
          case "read":
            return void give().catch(reject);
          case "fetch":
            return void answer(message).catch(reject);
          case "program":
            return void fetchProgram(message.sha256).catch(reject);
          case "done": {
            const { exitCode, exited, cwd, changes, leftOut } = message;
            const done = { end: { kind: "exited", exitCode }, exited, cwd, changes, leftOut } as const;
            if (message.repository.length === 0 || repository === undefined) return resolve(done);
            return void repository.apply(message.repository, signal).then(() => resolve(done), reject);
          }
          case "limit":
            return stopAt(message.limit, message.message);
          case "failed":
            return reject(new Error(message.message));
          case "stopped":
            return reject(abortReason(signal));
          case "ready":
        }
      };
      const watch = watchLimits(worker, order.limits, stopAt);
      let grace: NodeJS.Timeout | undefined;
      const stop = (): void => {
        tell({ kind: "stop" });
        grace = setTimeout(() => reject(abortReason(signal)), GRACE_MS);
      };
      signal.addEventListener("abort", stop, { once: true });
      worker.on("message", hear);
      const gone = (): void => {
        stopAt(died?.limit ?? "crashed", died?.message ?? "The shell ended before the script.");
      };
      worker.once("exit", gone);
      worker.ref();
      tell(order);
      if (signal.aborted) stop();
      let kept = false;
      try {
        const result = await promise;
        kept = result.end.kind === "exited";
        return result;
      } finally {
        watch.stop();
        clearTimeout(grace);
        reading.abort();
        signal.removeEventListener("abort", stop);
        worker.off("message", hear);
        worker.off("exit", gone);
        worker.unref();
        // What reached a limit may still compute, and what was stopped may still write.
        if (!kept) await worker.terminate();
      }
    },
  };
}

/** The thread cannot watch itself: a program that makes no calls hears nothing. */
function watchLimits(
  worker: Worker,
  limits: ContainedLimits,
  stopAt: (limit: ContainedLimitName, message: string) => void,
): { stop(): void } {
  const wall = setTimeout(() => {
    stopAt("wall_limit", `The script ran longer than ${limits.wallMs} ms.`);
  }, limits.wallMs);
  let begun: number | undefined;
  const look = async (): Promise<void> => {
    const { user, system } = await worker.cpuUsage();
    const used = (user + system) / 1_000;
    begun ??= used;
    if (used - begun > limits.cpuMs) {
      stopAt("cpu_limit", `The script computed for more than ${limits.cpuMs} ms.`);
    }
  };
  const looking = setInterval(() => void look().catch(() => undefined), LOOK_MS);
  return {
    stop() {
      clearTimeout(wall);
      clearInterval(looking);
    },
  };
}

const FROM_SOURCES = import.meta.url.endsWith(".ts");

function workerUrl(): URL {
  return new URL(FROM_SOURCES ? "./shell-worker.ts" : "./shell-worker.js", import.meta.url);
}

/** A bundle has it beside it. */
function moduleUrl(): URL {
  return FROM_SOURCES
    ? new URL(import.meta.resolve("@deputy/core-utils/core-utils.wasm"))
    : new URL("./core-utils.wasm", import.meta.url);
}
