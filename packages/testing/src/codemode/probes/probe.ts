import type { BridgeCall, CellFailureCode, CellLimits, Settlement } from "@deputy/codemode";

/** A hostile program, and the only ways it may end. */
export interface Probe {
  /** Begins with the ids of the rules it proves. */
  readonly title: string;
  readonly code: string;
  readonly ends: readonly Ending[];
  /** Exactly what reaches the host, each as `path input`; default: nothing. */
  readonly calls?: readonly string[];
  /** Default: not checked. */
  readonly logs?: readonly string[];
  /** Default: `a` and `b.c`. */
  readonly toolPaths?: readonly string[];
  readonly limits?: Partial<CellLimits>;
  /** Default: `{"echo": input}`. */
  readonly answer?: (call: BridgeCall) => Settlement | undefined;
}

/** How a cell may end: a failure's code, or the value it returns. */
export type Ending = CellFailureCode | { readonly returns: unknown };

/** Probes that try the same thing in different ways. */
export interface ProbeFamily {
  readonly name: string;
  readonly probes: readonly Probe[];
}

/** Stopped soon; for programs that would never end. */
export const SOON: Partial<CellLimits> = { cpuMs: 60 };

/** Little memory and much time; for programs that would take all memory. */
export const CRAMPED: Partial<CellLimits> = { memoryBytes: 4 * 1024 * 1024, cpuMs: 20_000 };
