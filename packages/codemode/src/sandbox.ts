/** Runs untrusted JavaScript that can do nothing but compute and ask for tool calls. */
export interface Sandbox extends AsyncDisposable {
  /**
   * Starts a cell. Never throws for anything the code does: that is in the outcome. When the signal
   * aborts, the code stops (native loops included) and the outcome is `failed` with `aborted`.
   */
  start(spec: CellSpec, signal: AbortSignal): RunningCell;
}

export interface CellSpec {
  /** JavaScript, types already stripped: the body of an async function (`await` and `return` allowed). */
  readonly code: string;
  /** Dotted paths; each becomes an async function in the frozen `tools` tree. */
  readonly toolPaths: readonly string[];
  readonly limits: CellLimits;
  /** Where the cell's logical clock starts; afterwards it advances only with settlements. */
  readonly startedAtMs: number;
  /** Seeds `Math.random`: the same seed and settlements give the same run. */
  readonly seed: number;
  /** Called once per tool call, in order of `id` (1, 2, …). Must not throw. */
  readonly onCall: (call: BridgeCall) => void;
  /**
   * Continues from here instead of starting the code: `onCall` gets the calls that were open, then new ones.
   * If this sandbox cannot use the image, the cell fails with `image_unusable`, and nothing runs.
   */
  readonly image?: CellImage | undefined;
}

/**
 * A waiting cell as bytes, including pending promises. Any process with the same engine can continue from it,
 * any number of times. It contains everything the code holds: keep it just as secret.
 */
export type CellImage = Uint8Array;

export interface CellLimits {
  readonly memoryBytes: number;
  /** Time the code itself may compute, in all; waiting for calls does not count. */
  readonly cpuMs: number;
  readonly stackBytes: number;
  readonly maxCalls: number;
  readonly maxInFlight: number;
  readonly maxInputBytes: number;
  readonly maxResultBytes: number;
  readonly maxLogBytes: number;
}

export const DEFAULT_CELL_LIMITS: CellLimits = {
  memoryBytes: 64 * 1024 * 1024,
  cpuMs: 5_000,
  stackBytes: 256 * 1024,
  maxCalls: 1_000,
  maxInFlight: 200,
  maxInputBytes: 1024 * 1024,
  maxResultBytes: 8 * 1024 * 1024,
  maxLogBytes: 64 * 1024,
};

export interface BridgeCall {
  readonly id: number;
  readonly path: string;
  /** The argument as JSON text, exactly as the guest produced it; `null` when there was none. */
  readonly inputJson: string;
}

/** How a call ended; errors cross as texts and numbers, never as an object of the host. */
export type Settlement =
  | { readonly kind: "ok"; readonly json: string; readonly atMs: number }
  | ErrorSettlement;

interface ErrorSettlement {
  readonly kind: "error";
  readonly code: string;
  readonly message: string;
  /** The HTTP status, where a server refused. */
  readonly status?: number | undefined;
  /** What was answered instead of a result, as JSON. */
  readonly bodyJson?: string | undefined;
  readonly atMs: number;
}

export interface RunningCell {
  /** Settles a call once; a second settlement, an unknown id, or one after the outcome is ignored. */
  settle(id: number, settlement: Settlement): void;
  /**
   * Puts the cell to sleep if it waits for calls: it then takes no worker and no memory but its image, until
   * the next settlement wakes it. Undefined if it computes or has ended. Never rejects.
   */
  hibernate(): Promise<CellImage | undefined>;
  /** Resolves once the code has nothing left to compute: every call it made so far is known. Never rejects. */
  quiet(): Promise<"waiting" | "ended">;
  /** Never rejects. */
  readonly outcome: Promise<CellOutcome>;
}

export type CellOutcome =
  /** `resultJson` is undefined when the code returned nothing. */
  | { readonly kind: "completed"; readonly resultJson: string | undefined; readonly logs: readonly string[] }
  | { readonly kind: "failed"; readonly failure: CellFailure; readonly logs: readonly string[] };

export interface CellFailure {
  readonly code: CellFailureCode;
  readonly message: string;
  /** 1-based line of the cell's code, when known. */
  readonly line?: number;
}

export const cellFailureCodes = [
  "threw",
  "syntax",
  "time_limit",
  "memory_limit",
  "stack_limit",
  "call_limit",
  "size_limit",
  "unawaited_calls",
  "stalled",
  "result_not_json",
  "aborted",
  "image_unusable",
  "diverged",
  "sandbox_crashed",
] as const;
export type CellFailureCode = (typeof cellFailureCodes)[number];

/** The last line of a log that had no room for what followed. */
export const LOG_FULL = "… the log is full; what followed was left out";
