import type { BridgeCall, CellFailure, CellSpec, Settlement } from "../sandbox.ts";

/** What a worker needs to run a cell; everything here can be posted. */
export type GuestSpec = Omit<CellSpec, "onCall">;

/** One stretch of computing, from an input until the code waits or ends. */
export interface Slice {
  /** Calls the code made, in order; none when it ended, so that a call nobody waits for never happens. */
  readonly calls: readonly BridgeCall[];
  /** Computing time of the cell so far. */
  readonly usedMs: number;
  /** Lines written since the last slice. */
  readonly logs: readonly string[];
  /** Present when the cell is over. */
  readonly end?: CellEnd;
}

export type CellEnd =
  | { readonly kind: "completed"; readonly resultJson: string | undefined }
  | { readonly kind: "failed"; readonly failure: CellFailure };

/** `cell` numbers the cells a worker has run, so that a late message is never taken for another cell's. */
export type ToGuest =
  | {
      readonly kind: "start";
      readonly cell: number;
      readonly module: WebAssembly.Module;
      readonly spec: GuestSpec;
    }
  | {
      readonly kind: "settle";
      readonly cell: number;
      readonly id: number;
      readonly settlement: Settlement;
    };

/** The worker says `ready` once, and answers every message to a cell that has not ended with one slice. */
export type FromGuest =
  | { readonly kind: "ready" }
  | { readonly kind: "slice"; readonly cell: number; readonly slice: Slice };
