import { abortReason, type Clock, createIdleTimer, throwIfAborted } from "@deputy/kit";
import { CodemodeError } from "../codemode-error.ts";
import type { CheckSource } from "../type-checker.ts";
import { type Findings, startTypeScript, type TypeScriptProcess } from "./typescript-process.ts";

/** A place for one process: started by the first check, replaced when it is lost, ended when idle. */
export interface CheckSlot {
  readonly isBusy: boolean;
  /** How many catalogues its process holds; undefined without one. */
  readonly catalogues: number | undefined;
  has(declarations: string): boolean;
  /**
   * Only while it is not busy. Rejects with `checker_timeout`, `checker_crashed` or the signal's reason,
   * and may stay busy for a little while afterwards; `onFree` tells when it is not.
   */
  run(source: CheckSource, signal: AbortSignal): Promise<Findings>;
  /** Resolves when its processes are gone; a running check rejects. */
  end(): Promise<void>;
}

export interface CheckLimits {
  /** A check that takes longer is given up, and its process with it: type bombs are real. */
  readonly timeoutMs: number;
  /** The same for one whose process grows beyond this, where the system tells. */
  readonly maxMemoryBytes: number;
  /** Catalogues a process holds at once. */
  readonly maxCatalogues: number;
  /** A process without work for so long is ended, and its memory given back. */
  readonly idleMs: number;
}

const MEMORY_WATCH_MS = 200;
/** Nearly all checks end sooner, and leave a process that is still good; one that does not is a bomb. */
const FINISH_MS = 500;
/** A process that has kept more than this part of its limit is replaced before it fails an innocent check. */
const WORN_PART = 0.5;

export function createCheckSlot(deps: {
  readonly clock: Clock;
  readonly limits: CheckLimits;
  readonly onFree: () => void;
}): CheckSlot {
  const { clock, limits } = deps;
  const dying = new Set<Promise<void>>();
  let current: TypeScriptProcess | undefined;
  let isBusy = false;

  const takeProcess = (): TypeScriptProcess => {
    if (current !== undefined) return current;
    const started = startTypeScript({ maxCatalogues: limits.maxCatalogues }, () => {
      if (current === started) current = undefined;
    });
    current = started;
    return started;
  };

  const kill = (killed: TypeScriptProcess): void => {
    if (current === killed) current = undefined;
    const gone = killed.kill().then(() => void dying.delete(gone));
    dying.add(gone);
  };

  const idle = createIdleTimer({
    clock,
    idleMs: limits.idleMs,
    onIdle: () => {
      if (current !== undefined) kill(current);
    },
  });

  const isWorn = (checker: TypeScriptProcess): boolean =>
    (checker.memoryBytes() ?? 0) > limits.maxMemoryBytes * WORN_PART;

  const setFree = (): void => {
    isBusy = false;
    current?.setBusy(false);
    if (current !== undefined && isWorn(current)) kill(current);
    if (current !== undefined) idle.restart();
    deps.onFree();
  };

  /** Resolves to the reason to give up, once there is one; never when the check ends first. */
  const watch = async (checker: TypeScriptProcess, ended: AbortSignal): Promise<CodemodeError> => {
    const startedMs = clock.monotonicMs();
    for (;;) {
      const leftMs = limits.timeoutMs - (clock.monotonicMs() - startedMs);
      if (leftMs <= 0) {
        return new CodemodeError("checker_timeout", `Typechecking took longer than ${limits.timeoutMs} ms`);
      }
      await clock.sleep(Math.min(leftMs, MEMORY_WATCH_MS), ended);
      if ((checker.memoryBytes() ?? 0) > limits.maxMemoryBytes) {
        return new CodemodeError("checker_crashed", "The type checker used too much memory and was stopped");
      }
    }
  };

  const finish = async (checker: TypeScriptProcess, ended: AbortSignal): Promise<void> => {
    await clock.sleep(FINISH_MS, ended);
    kill(checker);
  };

  return {
    get isBusy() {
      return isBusy;
    },
    get catalogues() {
      return current?.catalogues;
    },
    has: (declarations) => current?.has(declarations) ?? false,
    async run(source, signal) {
      throwIfAborted(signal);
      isBusy = true;
      idle.stop();
      const checker = takeProcess();
      checker.setBusy(true);
      const ended = new AbortController();
      const stopped = Promise.withResolvers<never>();
      const onAbort = (): void => {
        stopped.reject(abortReason(signal));
        finish(checker, ended.signal).catch(noop);
      };
      signal.addEventListener("abort", onAbort, { once: true });
      watch(checker, ended.signal).then((error) => {
        stopped.reject(error);
        kill(checker);
      }, noop);
      const work = checker.diagnose(source).catch((cause: unknown) => {
        kill(checker);
        throw new CodemodeError("checker_crashed", "The type checker's process failed", { cause });
      });
      work.catch(noop).finally(() => {
        signal.removeEventListener("abort", onAbort);
        ended.abort();
        setFree();
      });
      return await Promise.race([stopped.promise, work]);
    },
    async end() {
      idle.stop();
      if (current !== undefined) kill(current);
      await Promise.all(dying);
    },
  };
}

/** For a wait that was cut short: whoever cut it knows. */
function noop(): void {}
