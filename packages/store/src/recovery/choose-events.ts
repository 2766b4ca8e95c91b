import { FIRST_PREV } from "@deputy/protocol";

/** One event as some source has it; its payload, if it has one, was checked elsewhere. */
export interface Candidate {
  readonly seq: number;
  /** Hash of its header. */
  readonly hash: string;
  readonly prev: string;
  /**
   * What proves it, apart from a successor: `head` is the stream's head or the witness; `line` is a valid
   * daily line that its neighbours do not contradict; `nobody` is no proof.
   */
  readonly vouchedBy: "head" | "line" | "nobody";
}

/**
 * Which of the candidates of one stream are its events. A candidate needs proof: a successor names it, or
 * something vouches for it. Where two contradict each other, the one with the better chain stays: one that
 * the head vouches for, then one that goes back to the first event, then the longer. Pure; sorted by `seq`,
 * gaps included.
 */
export function chooseEvents(candidates: readonly Candidate[]): ReadonlyMap<number, Candidate> {
  const bySeq = Map.groupBy(candidates, ({ seq }) => seq);
  const parentOf = ({ seq, prev }: Candidate): Candidate | undefined =>
    bySeq.get(seq - 1)?.find(({ hash }) => hash === prev);
  const named = new Set(candidates.map(parentOf));
  const ends = candidates.filter((one) => !named.has(one) && one.vouchedBy !== "nobody");
  // Nothing may prove the end of a chain, but the end still proves its predecessor by naming it.
  const unproven = candidates.filter((one) => !named.has(one) && one.vouchedBy === "nobody");
  const tops = new Set([...ends, ...unproven.flatMap((one) => parentOf(one) ?? [])]);

  const chosen = new Map<number, Candidate>();
  const fits = ({ seq, hash, prev }: Candidate): boolean => {
    const [before, same, after] = [chosen.get(seq - 1), chosen.get(seq), chosen.get(seq + 1)];
    if (same !== undefined) return false;
    if (seq === 1 && prev !== FIRST_PREV) return false;
    return (before?.hash ?? prev) === prev && (after?.prev ?? hash) === hash;
  };
  const chains = [...tops].map((top) => describeChain(top, parentOf)).sort(byFoundation);
  for (const { top } of chains) {
    for (let one: Candidate | undefined = top; one !== undefined; one = parentOf(one)) {
      // Below a candidate that is already chosen, the rest of the chain is chosen too.
      if (chosen.get(one.seq) === one) break;
      if (fits(one)) chosen.set(one.seq, one);
    }
  }
  return chosen;
}

interface Chain {
  readonly top: Candidate;
  readonly length: number;
  readonly isFromStart: boolean;
  readonly hasHead: boolean;
}

function describeChain(top: Candidate, parentOf: (one: Candidate) => Candidate | undefined): Chain {
  let length = 1;
  let root = top;
  let hasHead = top.vouchedBy === "head";
  for (let one = parentOf(top); one !== undefined; one = parentOf(one)) {
    length += 1;
    root = one;
    hasHead ||= one.vouchedBy === "head";
  }
  return { top, length, isFromStart: root.seq === 1 && root.prev === FIRST_PREV, hasHead };
}

function byFoundation(a: Chain, b: Chain): number {
  return (
    Number(b.hasHead) - Number(a.hasHead) ||
    Number(b.isFromStart) - Number(a.isFromStart) ||
    b.length - a.length ||
    b.top.seq - a.top.seq
  );
}
