import { abortReason, createKeyedLane } from "@deputy/kit";
import type { Diagnostic } from "@deputy/protocol";
import { CELL_PROJECT, cellProjectFiles } from "../checker/cell-project.ts";
import { explainDiagnostic } from "../checker/explain-diagnostic.ts";
import { CodemodeError } from "../codemode-error.ts";
import type { CheckSource, TypeChecker } from "../type-checker.ts";
import { startTypeScript, type TypeScriptProcess } from "./typescript-process.ts";

export interface NodeTypeCheckerOptions {
  /** A check that takes longer is given up, and its process with it: type bombs are real. */
  readonly timeoutMs?: number;
  /** The same for one whose process grows beyond this, where the system tells. */
  readonly maxMemoryBytes?: number;
}

const DEFAULT_TIMEOUT_MS = 10_000;
const DEFAULT_MAX_MEMORY_BYTES = 768 * 1024 * 1024;
const MEMORY_WATCH_MS = 200;
/** Checks that may wait for their turn; further ones are refused with `lane_full`. */
const MAX_WAITING = 100;
/** More of them would help nobody. */
const MAX_DIAGNOSTICS = 30;

/** TypeScript 7 out of process: started on first use, kept warm, one check at a time. */
export function createNodeTypeChecker(options: NodeTypeCheckerOptions = {}): TypeChecker {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, maxMemoryBytes = DEFAULT_MAX_MEMORY_BYTES } = options;
  const lane = createKeyedLane<"check">({ maxWaiting: MAX_WAITING });
  const closing = new AbortController();
  let current: Promise<TypeScriptProcess> | undefined;
  let failCheck: (error: Error) => void = noop;

  const takeProcess = (files: ReadonlyMap<string, string>): Promise<TypeScriptProcess> => {
    if (current !== undefined) return current;
    const started = startTypeScript(files, () => {
      if (current !== started) return;
      current = undefined;
      failCheck(new CodemodeError("checker_crashed", "The type checker's process died"));
    });
    current = started;
    return started;
  };

  /** Also stops one that is only just starting. */
  const killProcess = async (): Promise<void> => {
    const killed = current;
    current = undefined;
    await killed?.then((checker) => checker.kill(), noop);
  };

  const diagnose = async (source: CheckSource): Promise<readonly Diagnostic[]> => {
    const files = cellProjectFiles(source);
    const taken = takeProcess(files);
    let checker: TypeScriptProcess | undefined;
    try {
      checker = await taken;
      checker.setBusy(true);
      const found = await checker.diagnose(files);
      const wrapped = files.get(CELL_PROJECT.cell) ?? "";
      return found.slice(0, MAX_DIAGNOSTICS).map((one) => explainDiagnostic(source.code, wrapped, one));
    } catch (cause) {
      // One that was given up may fail long after its successor has begun.
      if (current === taken) void killProcess();
      throw new CodemodeError("checker_crashed", "The type checker failed", { cause });
    } finally {
      checker?.setBusy(false);
    }
  };

  const checkWithin = async (source: CheckSource, signal: AbortSignal): Promise<readonly Diagnostic[]> => {
    const stopped = Promise.withResolvers<never>();
    failCheck = stopped.reject;
    const giveUp = (error: Error): void => {
      stopped.reject(error);
      void killProcess();
    };
    const onAbort = (): void => giveUp(abortReason(signal));
    const timer = setTimeout(() => {
      giveUp(new CodemodeError("checker_timeout", `Typechecking took longer than ${timeoutMs} ms`));
    }, timeoutMs);
    const watch = setInterval(() => {
      void current?.then((checker) => {
        if ((checker.memoryBytes() ?? 0) < maxMemoryBytes) return;
        giveUp(new CodemodeError("checker_crashed", "The type checker used too much memory and was stopped"));
      }, noop);
    }, MEMORY_WATCH_MS);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      return await Promise.race([diagnose(source), stopped.promise]);
    } finally {
      clearTimeout(timer);
      clearInterval(watch);
      signal.removeEventListener("abort", onAbort);
    }
  };

  return {
    check(source, caller) {
      const signal = AbortSignal.any([caller, closing.signal]);
      return lane.run("check", signal, () => checkWithin(source, signal));
    },
    async [Symbol.asyncDispose]() {
      closing.abort(new DOMException("The type checker was closed", "AbortError"));
      await killProcess();
    },
  };
}

/** For a process that could not be started: whoever asked for it is told. */
function noop(): void {}
