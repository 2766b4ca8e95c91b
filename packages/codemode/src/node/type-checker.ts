import { type Clock, throwIfAborted } from "@deputy/kit";
import type { TypeChecker } from "../type-checker.ts";
import { createBackgroundClock } from "./background-clock.ts";
import type { CheckLimits } from "./check-pool.ts";

export interface NodeTypeCheckerOptions extends Partial<CheckLimits> {
  /** Processes at most; each is started when a check finds no other free. */
  readonly maxProcesses?: number;
  /** For every wait; its sleeps should not keep an idle process alive. */
  readonly clock?: Clock;
}

const DEFAULT_MAX_PROCESSES = 2;
const DEFAULT_LIMITS: CheckLimits = {
  timeoutMs: 10_000,
  maxMemoryBytes: 768 * 1024 * 1024,
  maxCatalogues: 4,
  idleMs: 120_000,
};

/**
 * TypeScript 7 out of process: a few processes for all sessions, kept warm while there is work. Even the
 * client code is loaded with the first check.
 */
export function createNodeTypeChecker(options: NodeTypeCheckerOptions = {}): TypeChecker {
  const { maxProcesses = DEFAULT_MAX_PROCESSES, clock = createBackgroundClock(), ...limits } = options;
  const closing = new AbortController();
  let opened: ReturnType<typeof open> | undefined;

  const open = async () => {
    const { createCheckPool } = await import("./check-pool.ts");
    return createCheckPool({ clock, maxProcesses, limits: { ...DEFAULT_LIMITS, ...limits } });
  };

  return {
    async check(source, caller) {
      const signal = AbortSignal.any([caller, closing.signal]);
      throwIfAborted(signal);
      const pool = await (opened ??= open());
      const { wrapped, found, notLooked } = await pool.check(source, signal);
      if (found.length === 0) return [];
      const { explainDiagnostics } = await import("../checker/explain-diagnostics.ts");
      return explainDiagnostics(source.code, wrapped, found, notLooked);
    },
    async [Symbol.asyncDispose]() {
      closing.abort(new DOMException("The type checker was closed", "AbortError"));
      await (await opened)?.end();
    },
  };
}
