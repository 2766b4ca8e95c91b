import type { BridgeCall, CellFailure, CellSpec, Settlement } from "../sandbox.ts";

/** What a worker needs to run a cell; everything here can be posted. */
export type GuestSpec = Omit<CellSpec, "onCall" | "image">;

/** A compiled engine, with its identity. */
export interface EngineModule {
  readonly module: WebAssembly.Module;
  readonly fingerprint: string;
}

/** One stretch of computing, from an input until the code waits or ends. */
export interface Slice {
  /** The calls that the code made, in order; empty if it ended, so that a call without `await` never runs. */
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

/** `cell` numbers the cells of a worker, so that a late message is not mistaken for another cell's. */
export type ToGuest =
  | {
      readonly kind: "start";
      readonly cell: number;
      readonly engine: EngineModule;
      readonly spec: GuestSpec;
      /** Where to go on from. */
      readonly image: Uint8Array | undefined;
    }
  | {
      readonly kind: "settle";
      readonly cell: number;
      readonly id: number;
      readonly settlement: Settlement;
    }
  /** Only to a cell that waits. */
  | { readonly kind: "leave"; readonly cell: number };

/**
 * The worker sends `ready` once, and answers every message to a cell that has not ended: `leave` with `left`,
 * after which the cell is gone, anything else with one slice. `clockMs` is its clock at that time, by which
 * computing time is measured.
 */
export type FromGuest = { readonly clockMs: number } & (
  | { readonly kind: "ready" }
  | { readonly kind: "slice"; readonly cell: number; readonly slice: Slice }
  | { readonly kind: "left"; readonly cell: number; readonly image: Uint8Array }
);
