import type { BridgeCall } from "../sandbox.ts";
import type { SavedLog } from "./cell-log.ts";
import type { EngineLimits } from "./engine.ts";
import type { SavedRejections } from "./unhandled-rejections.ts";

/** The state of a waiting cell besides its VM's memory. */
export interface CellState {
  /** The limits of its VM. */
  readonly limits: EngineLimits;
  readonly calls: number;
  readonly open: readonly BridgeCall[];
  readonly logicalMs: number;
  readonly usedMs: number;
  readonly log: SavedLog;
  readonly rejections: SavedRejections;
}

/** How the platform compresses bytes. `unpack` reverses `pack`, and throws for anything else. */
export interface Packing {
  pack(bytes: Uint8Array): Uint8Array;
  unpack(bytes: Uint8Array): Uint8Array;
}

interface Head extends CellState {
  readonly fingerprint: string;
}

const LENGTH_BYTES = 4;

/** The bytes of a cell's image: its state, its memory's delta, and their engine and prelude. */
export function encodeImage(
  packing: Packing,
  fingerprint: string,
  state: CellState,
  delta: Uint8Array,
): Uint8Array {
  const head = new TextEncoder().encode(JSON.stringify({ fingerprint, ...state } satisfies Head));
  const bytes = new Uint8Array(LENGTH_BYTES + head.length + delta.length);
  new DataView(bytes.buffer).setUint32(0, head.length, true);
  bytes.set(head, LENGTH_BYTES);
  bytes.set(delta, LENGTH_BYTES + head.length);
  return packing.pack(bytes);
}

/** Throws for bytes that are not an image, or belong to another engine. */
export function decodeImage(
  packing: Packing,
  fingerprint: string,
  image: Uint8Array,
): { readonly state: CellState; readonly delta: Uint8Array } {
  const bytes = packing.unpack(image);
  const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true);
  const head = new TextDecoder().decode(bytes.subarray(LENGTH_BYTES, LENGTH_BYTES + length));
  const { fingerprint: of, ...state }: Head = JSON.parse(head);
  if (of !== fingerprint) throw new Error("The image is of another engine");
  return { state, delta: bytes.subarray(LENGTH_BYTES + length) };
}
