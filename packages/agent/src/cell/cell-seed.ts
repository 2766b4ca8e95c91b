import type { CellId } from "@deputy/kit";
import type { Sha256 } from "@deputy/protocol";

/** Seeds a cell's randomness: the same in every process that runs it. */
export function seedOf(sha256: Sha256, cellId: CellId): number {
  return Number.parseInt(sha256(cellId).slice(0, 8), 16);
}
