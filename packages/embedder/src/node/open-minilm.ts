import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { abortReason, type Clock, createIdleTimer } from "@deputy/kit";
import type { Embedder } from "../embedder.ts";
import { EmbedderError, type EmbedderErrorCode, embedderErrorCodes } from "../embedder-error.ts";
import type { EmbedAnswer, EmbedRequest } from "./minilm-messages.ts";
import { LEAST_RELATED, MODEL, modelFolder } from "./model-files.ts";

export { MODEL_FILES } from "./model-files.ts";

/** A process that nobody needs is ended: with the model, it takes about 290 MB. */
const IDLE_MS = 60_000;
/** Without these, it takes 60 MB more, and is no faster. */
const SMALL_YOUNG_SPACE = "--max-semi-space-size=2";
const SMALL_MALLOC = { MALLOC_ARENA_MAX: "2", MALLOC_TRIM_THRESHOLD_: "131072" };

/**
 * The model that comes with Deputy, in a process that is started by the first request and ended when it has had none
 * for a while: what a thread has used stays with this process in part, what a process has used is all given back. It
 * ends with this one, however this one ends. After a crash, the next request starts another.
 */
export function openMiniLm(deps: {
  readonly clock: Clock;
  /** The folder with the files of the model; by default the one that was installed. */
  readonly folder?: string;
}): Embedder & AsyncDisposable {
  const { clock, folder } = deps;
  const waiting = new Map<number, PromiseWithResolvers<readonly Float32Array[]>>();
  let child: ChildProcess | undefined;
  let nextId = 1;

  const fail = (cause: unknown): void => {
    for (const { reject } of waiting.values())
      reject(new EmbedderError("embedder_failed", "The model for memory has stopped", { cause }));
    waiting.clear();
  };
  const end = async (): Promise<void> => {
    idle.stop();
    const ending = child;
    child = undefined;
    if (ending === undefined || hasEnded(ending)) return;
    keepAlive(ending, "held");
    const ended = once(ending, "exit");
    ending.kill("SIGKILL");
    await ended;
  };
  const idle = createIdleTimer({ clock, idleMs: IDLE_MS, onIdle: () => void end() });
  const settle = (answer: EmbedAnswer): void => {
    const request = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (waiting.size === 0 && child !== undefined) {
      keepAlive(child, "free");
      idle.restart();
    }
    if ("vectors" in answer) request?.resolve(answer.vectors.map((vector) => Float32Array.from(vector)));
    else request?.reject(errorOf(answer));
  };
  const start = (): ChildProcess => {
    const started = startModel(folder ?? modelFolder());
    const gone = (cause: unknown): void => {
      if (child === started) child = undefined;
      if (child === undefined) fail(cause);
    };
    started.on("message", settle);
    started.on("error", gone);
    started.on("exit", () => gone(undefined));
    return started;
  };

  return {
    model: MODEL,
    leastRelated: LEAST_RELATED,
    async embed(texts, signal, role) {
      if (signal.aborted) throw abortReason(signal);
      if (texts.length === 0) return [];
      idle.stop();
      child ??= start();
      keepAlive(child, "held");
      const id = nextId++;
      const request = Promise.withResolvers<readonly Float32Array[]>();
      waiting.set(id, request);
      const stop = (): void => request.reject(abortReason(signal));
      signal.addEventListener("abort", stop, { once: true });
      // If it cannot be sent, the end of the process says so.
      child.send({ id, texts, isQuestion: role === "question" } satisfies EmbedRequest, () => undefined);
      try {
        return await request.promise;
      } finally {
        signal.removeEventListener("abort", stop);
      }
    },
    async [Symbol.asyncDispose]() {
      await end();
      fail(undefined);
    },
  };
}

function errorOf(answer: Extract<EmbedAnswer, { code: string }>): EmbedderError {
  const code =
    embedderErrorCodes.find((each) => each === answer.code) ??
    ("embedder_failed" satisfies EmbedderErrorCode);
  return new EmbedderError(code, answer.message, answer.hint === undefined ? {} : { hint: answer.hint });
}

/** Signals that a terminal sends to all of us do not reach it. It ends when the channel to this process is closed. */
function startModel(folder: string): ChildProcess {
  const cache = getCompileCacheDir(); // With the version of Node, which Node appends.
  return fork(programFile(), [folder], {
    // Of this process's environment only the directory with its compiled sources, so that it starts sooner.
    env: { ...SMALL_MALLOC, ...(cache !== undefined && { NODE_COMPILE_CACHE: dirname(cache) }) },
    execArgv: [SMALL_YOUNG_SPACE],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    detached: true,
  });
}

function hasEnded({ exitCode, signalCode, pid }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null || pid === undefined;
}

/** `free`: it does not keep this process alive. */
function keepAlive(child: ChildProcess, how: "held" | "free"): void {
  const change = how === "held" ? "ref" : "unref";
  child[change]();
  child.channel?.[change]();
}

/** A flat bundle has the program beside it, under the same name. */
function programFile(): string {
  const name = import.meta.url.endsWith(".ts") ? "./minilm-process.ts" : "./minilm-process.js";
  return fileURLToPath(new URL(name, import.meta.url));
}
