import { readFile } from "node:fs/promises";
import type { BundledPrograms } from "@deputy/bundles";
import { abortReason, CodedError, throwIfAborted } from "@deputy/kit";
import { askHost, type ScriptFetch } from "./ask-host.ts";
import { prepareCoreUtils } from "@deputy/core-utils";
import type { Box } from "./box.ts";
import { openProcessBox, type OuterShell } from "./process-box.ts";
import { openThreadBox, toolsUrl } from "./thread-box.ts";
import type { SandboxMount } from "@deputy/tools";
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
  exitCodeOf,
} from "../contained-shell.ts";

/** Threads that wait for the next script. */
const IDLE = 2;
/** How long they wait for it. */
const IDLE_MS = 60_000;
/** How often it is looked how much a thread has computed. */
const LOOK_MS = 200;
/** What a thread that was told to stop has left. */
const GRACE_MS = 1_000;
/** The names inside of what a process in a sandbox sees. */
const INSIDE = { workspace: "/workspace", repository: "/repository" };

export interface ContainedShellOptions {
  /** Where the files of the workspace are now. */
  readonly folder: (signal: AbortSignal) => Promise<string | undefined>;
  /** What installed bundles bring. */
  readonly bundles?: BundledPrograms;
  /** The repository of the workspace; without one, what `git` does is gone with the script. */
  readonly repository?: ScriptRepository;
  /** The way to the network; without one, commands have none. Whom they may ask is decided there. */
  readonly fetch?: ScriptFetch;
  /** Scripts run in processes in that sandbox; without one, in threads of this process. */
  readonly outer?: (() => Promise<OuterShell>) | undefined;
}

/** Where the repository is kept. It is changed only by scripts that ended by themselves. */
export interface ScriptRepository {
  readonly folder: (signal: AbortSignal) => Promise<string | undefined>;
  readonly apply: (changes: readonly TreeChange[], signal: AbortSignal) => Promise<void>;
}

/** Where files are that a script sees, on this machine. */
interface Places {
  readonly folder: string | undefined;
  readonly repository: string | undefined;
}

/**
 * Scripts in threads of this process, or in processes in a sandbox. Starts none before the first script; those that wait
 * keep nothing alive.
 */
export function openContainedShell(options: ContainedShellOptions): ContainedShell {
  const idle: Thread[] = [];
  const all = new Set<Thread>();
  let prepared: Promise<WebAssembly.Module> | undefined;
  let outer: OuterShell | undefined;
  let closed = false;

  const bundled = async <Found extends object>(
    find: (bundles: BundledPrograms) => Promise<Found>,
  ): Promise<Found | { readonly refused: string }> => {
    try {
      if (options.bundles === undefined) throw new Error("There are no bundles");
      return await find(options.bundles);
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      return { refused: error.message };
    }
  };
  const openBox = async (places: Places): Promise<Box> => {
    if (outer === undefined) {
      prepared ??= readFile(toolsUrl()).then(async (bytes) => (await prepareCoreUtils(bytes)).module);
      return openThreadBox(await prepared);
    }
    return openProcessBox(outer, mountsOf(places), {
      tools: await readFile(toolsUrl()),
      bring: (sha256) => bundled(async (bundles) => await bundles.bytes(sha256)),
    });
  };
  const start = async (places: Places): Promise<Thread> => {
    const bring = (sha256: string): Promise<Brought> =>
      bundled(async (bundles) => ({ module: await bundles.module(sha256) }));
    const thread = createThread(await openBox(places), placesKey(places), bring, options);
    all.add(thread);
    void thread.ended.then(() => all.delete(thread));
    return thread;
  };

  /** A thread looks where it is told to; a process sees only what was mounted when it was started. */
  const fits = (thread: Thread, places: Places): boolean =>
    outer === undefined || thread.places === placesKey(places);

  const take = async (places: Places): Promise<Thread> => {
    if (closed) throw new Error("The contained shell is closed");
    for (let thread = idle.pop(); thread !== undefined; thread = idle.pop()) {
      if (all.has(thread) && fits(thread, places)) return thread;
      thread.end();
    }
    return await start(places);
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

  const locate = async (signal: AbortSignal): Promise<Places> => {
    outer ??= await options.outer?.();
    const folder = await options.folder(signal);
    const repository = await options.repository?.folder(signal);
    for (const place of [folder, repository]) if (place !== undefined) await outer?.prepare(place, signal);
    return { folder, repository };
  };

  const runIn = async (
    thread: Thread,
    places: Places,
    session: "keep" | "fresh",
    run: ContainedRun,
    streams: ContainedStreams,
    signal: AbortSignal,
  ): Promise<ContainedResult> => {
    const { limits, ...order } = run;
    const bundles = (await options.bundles?.read(signal)) ?? { commands: [], files: new Map() };
    const bounds = { ...defaultContainedLimits, ...limits };
    const inside = (name: keyof typeof INSIDE, from: string | undefined): string | undefined =>
      from === undefined || outer === undefined ? from : outer.nameOf(from, INSIDE[name]);
    const folder = inside("workspace", places.folder);
    const repository = inside("repository", places.repository);
    const startedMs = performance.now();
    const note = (exitCode: number, denied: readonly string[]): void =>
      outer?.note({
        script: run.script,
        mounts: mountsOf(places),
        exitCode,
        durationMs: Math.round(performance.now() - startedMs),
        denied,
      });
    try {
      const done = await thread.run(
        { kind: "run", run: order, limits: bounds, folder, repository, session, bundles },
        streams,
        signal,
      );
      note(exitCodeOf(done), done.end.kind === "limit" ? [done.end.message] : []);
      return done;
    } catch (error) {
      note(137, []);
      throw error;
    }
  };

  return {
    async run(run, streams, signal) {
      throwIfAborted(signal);
      const places = await locate(signal);
      const thread = await take(places);
      const result = await runIn(thread, places, "fresh", run, streams, signal);
      give(thread);
      return result;
    },
    open() {
      let thread: Promise<Thread> | undefined;
      return {
        async run(run, streams, signal) {
          throwIfAborted(signal);
          const places = await locate(signal);
          let mine = await (thread ??= take(places));
          // After an import, what a process sees is elsewhere.
          if (!all.has(mine) || !fits(mine, places)) mine = await (thread = take(places));
          return await runIn(mine, places, "keep", run, streams, signal);
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

function mountsOf({ folder, repository }: Places): readonly SandboxMount[] {
  const mount = (from: string | undefined, at: string): readonly SandboxMount[] =>
    from === undefined ? [] : [{ from, at, access: "read" }];
  return [...mount(folder, INSIDE.workspace), ...mount(repository, INSIDE.repository)];
}

function placesKey({ folder, repository }: Places): string {
  return JSON.stringify([folder, repository]);
}

interface Thread {
  run(
    order: Extract<ToBox, { kind: "run" }>,
    streams: ContainedStreams,
    signal: AbortSignal,
  ): Promise<ContainedResult>;
  end(): void;
  readonly ended: Promise<unknown>;
  /** Where it was started for. */
  readonly places: string;
}

function createThread(
  box: Box,
  places: string,
  bring: (sha256: string) => Promise<Brought>,
  { fetch, repository }: Pick<ContainedShellOptions, "fetch" | "repository">,
): Thread {
  return {
    places,
    ended: box.ended,
    end: () => void box.end(),
    async run(order, streams, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<ContainedResult>();
      const nothing = { changes: [], leftOut: [], exited: false, cwd: "" };
      const stopAt = (limit: ContainedLimitName, message: string): void => {
        resolve({ end: { kind: "limit", limit, message }, ...nothing });
      };
      const tell = (message: ToBox): void => box.post(message);
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
      let kept = false;
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
            // A session goes on, as a shell does after Ctrl-C.
            kept = order.session === "keep";
            return reject(abortReason(signal));
          case "ready":
        }
      };
      const watch = watchLimits(box, order.limits, stopAt);
      let grace: NodeJS.Timeout | undefined;
      const stop = (): void => {
        tell({ kind: "stop" });
        grace = setTimeout(() => reject(abortReason(signal)), GRACE_MS);
      };
      signal.addEventListener("abort", stop, { once: true });
      const unlisten = box.listen(hear);
      void box.ended.then((died) =>
        stopAt(died?.limit ?? "crashed", died?.message ?? "The shell ended before the script."),
      );
      box.hold("runs");
      tell(order);
      if (signal.aborted) stop();
      try {
        const result = await promise;
        kept = result.end.kind === "exited";
        return result;
      } finally {
        watch.stop();
        clearTimeout(grace);
        reading.abort();
        signal.removeEventListener("abort", stop);
        unlisten();
        box.hold("waits");
        // What reached a limit, or did not hear that it should stop, may still compute.
        if (!kept) await box.end();
      }
    },
  };
}

/** The thread cannot watch itself: a program that makes no calls hears nothing. */
function watchLimits(
  box: Pick<Box, "cpuMs">,
  limits: ContainedLimits,
  stopAt: (limit: ContainedLimitName, message: string) => void,
): { stop(): void } {
  const wall = setTimeout(() => {
    stopAt("wall_limit", `The script ran longer than ${limits.wallMs} ms.`);
  }, limits.wallMs);
  let begun: number | undefined;
  const look = async (): Promise<void> => {
    const used = await box.cpuMs();
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
