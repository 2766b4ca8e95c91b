import { abortReason, type Clock, throwIfAborted, createIdleTimer } from "@deputy/kit";
import { CodemodeError } from "../codemode-error.ts";
import type { CheckSource } from "../type-checker.ts";
import { type Findings, startTypeScript, type TypeScriptProcess } from "./typescript-process.ts";

/** Shares a few processes among all sessions. A check is sent to a process only when that one is free. */
export interface CheckPool {
  /** Rejects with `checker_busy` when too many wait, otherwise as `CheckSlot.run` does. */
  check(source: CheckSource, signal: AbortSignal): Promise<Findings>;
  /** Resolves when all processes are gone. */
  end(): Promise<void>;
}

/** Checks that may wait for their turn. */
const MAX_WAITING = 100;

/**
 * How long a check waits for a busy process that has its catalogue, before it uses another. Longer than a process
 * takes to start: programs that come together while the first is started share it, and a second would not be sooner.
 */
const PATIENCE_MS = 400;

interface Waiting {
  readonly source: CheckSource;
  isPatient: boolean;
  readonly go: (slot: CheckSlot) => void;
}

export function createCheckPool(deps: {
  readonly clock: Clock;
  readonly limits: CheckLimits;
  readonly maxProcesses: number;
}): CheckPool {
  const { clock, limits } = deps;
  const waiting = new Set<Waiting>();
  const slots = Array.from({ length: deps.maxProcesses }, () =>
    createCheckSlot({ clock, limits, onFree: () => dispatch() }),
  );

  const dispatch = (): void => {
    for (const one of waiting) {
      const { declarations } = one.source;
      const slot = chooseSlot(slots, { declarations, isPatient: one.isPatient }, limits.maxCatalogues);
      if (slot === undefined) continue;
      waiting.delete(one);
      one.go(slot);
    }
  };

  /** Calls `run` on a slot in the same turn in which it was found free. */
  const onSlot = (source: CheckSource, signal: AbortSignal): Promise<Findings> =>
    new Promise((resolve, reject) => {
      const patience = new AbortController();
      const leave = (): void => {
        waiting.delete(one);
        patience.abort();
        reject(abortReason(signal));
      };
      const one: Waiting = {
        source,
        isPatient: true,
        go(slot) {
          signal.removeEventListener("abort", leave);
          patience.abort();
          resolve(slot.run(source, signal));
        },
      };
      waiting.add(one);
      dispatch();
      if (!waiting.has(one)) return;
      signal.addEventListener("abort", leave, { once: true });
      clock.sleep(PATIENCE_MS, patience.signal).then(() => {
        one.isPatient = false;
        dispatch();
      }, noop);
    });

  return {
    async check(source, signal) {
      throwIfAborted(signal);
      if (waiting.size >= MAX_WAITING)
        throw new CodemodeError("checker_busy", "Too many programs wait to be checked");
      return await onSlot(source, signal);
    },
    async end() {
      await Promise.all(slots.map((slot) => slot.end()));
    },
  };
}

/** For a wait that was ended early: the code that ended it handles the rest. */
function noop(): void {}

/** What the choice depends on. */
export type SlotState = Pick<CheckSlot, "isBusy" | "catalogues" | "has">;

/**
 * Where a check goes now, if anywhere. First choice is a free process that has its catalogue. While a busy
 * one has it, a patient check waits. Then the free process with the fewest catalogues, and a new one before
 * one that must drop a catalogue.
 */
export function chooseSlot<Slot extends SlotState>(
  slots: readonly Slot[],
  check: { readonly declarations: string; readonly isPatient: boolean },
  maxCatalogues: number,
): Slot | undefined {
  const free = slots.filter((slot) => !slot.isBusy);
  const loaded = free.find((slot) => slot.has(check.declarations));
  if (loaded !== undefined) return loaded;
  if (check.isPatient && slots.some((slot) => slot.isBusy && slot.has(check.declarations))) return undefined;
  const cost = ({ catalogues }: Slot): number => catalogues ?? maxCatalogues - 0.5;
  return free.toSorted((a, b) => cost(a) - cost(b))[0];
}

/** A place for one process: started by the first check, replaced when it is lost, ended when idle. */
interface CheckSlot {
  readonly isBusy: boolean;
  /** How many catalogues its process holds; undefined without one. */
  readonly catalogues: number | undefined;
  has(declarations: string): boolean;
  /**
   * Only while it is not busy. Rejects with `checker_timeout`, `checker_crashed` or the signal's reason, and
   * may stay busy for a little while afterwards; `onFree` is called when it is free.
   */
  run(source: CheckSource, signal: AbortSignal): Promise<Findings>;
  /** Resolves when its processes are gone; a running check rejects. */
  end(): Promise<void>;
}

export interface CheckLimits {
  /**
   * A check that computes for longer is given up together with its process: type bombs are real. Where the system does
   * not tell how long a process has computed, waiting counts, too.
   */
  readonly timeoutMs: number;
  /** A check whose process grows beyond this is given up, too, where the system tells how large it is. */
  readonly maxMemoryBytes: number;
  /** Catalogues a process holds at once. */
  readonly maxCatalogues: number;
  /** A process idle for this long is ended, which frees its memory. */
  readonly idleMs: number;
}

const WATCH_MS = 200;
/** So many times its limit may a check take by the clock, on a machine that is busy with other things. */
const MOST_WAITING = 6;
/** Nearly all checks end sooner, and leave their process usable; one that does not is a bomb. */
const FINISH_MS = 500;
/** A process that keeps more than this share of its limit is replaced before it fails an innocent check. */
const WORN_PART = 0.5;

function createCheckSlot(deps: {
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
    const { timeoutMs } = limits;
    const startedMs = clock.monotonicMs();
    const computedBefore = checker.cpuMs() ?? 0;
    for (;;) {
      const tookMs = clock.monotonicMs() - startedMs;
      const computed = checker.cpuMs();
      const leftMs = computed === undefined ? timeoutMs - tookMs : timeoutMs - (computed - computedBefore);
      if (leftMs <= 0 || tookMs >= timeoutMs * MOST_WAITING) {
        return new CodemodeError("checker_timeout", `Typechecking took longer than ${timeoutMs} ms`);
      }
      await clock.sleep(Math.min(leftMs, WATCH_MS), ended);
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

/** For a wait that was ended early: the code that ended it handles the rest. */
