import type { ChunkOutline } from "../store/memory-store.ts";
import type { Fused, Fusion } from "./fuse.ts";
import type { AskedTime } from "./read-times.ts";

type Ranked = Fused & { readonly chunk: ChunkOutline };

/** What the right time is worth beside words and meaning, which are worth 1 together. */
const TIME_WORTH = 0.2;
const ISO_DATE = /\b\d{4}-\d{2}-\d{2}\b/;

/**
 * Pieces of the time that a question is about come earlier. The other formulas are published ones, and stay as they
 * are.
 */
export function preferTimes(
  ranked: readonly Ranked[],
  asked: AskedTime | undefined,
  fusion: Fusion,
): readonly Ranked[] {
  if (asked === undefined || fusion.kind !== "min-max") return ranked;
  return ranked
    .map((each) => (asked.covers(dateOf(each.chunk)) ? { ...each, score: each.score + TIME_WORTH } : each))
    .sort((a, b) => b.score - a.score || a.id - b.id);
}

/** A conversation has a heading for each day. */
function dateOf({ header, document }: ChunkOutline): string {
  return ISO_DATE.exec(header)?.[0] ?? document.date ?? "";
}
