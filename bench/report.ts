/** One line of a benchmark: what, how much, and the ratio to a named limit or peer. */
export function reportLimit(what: string, value: number, unit: string, limit: number): void {
  const ratio = (value / limit).toFixed(2);
  console.log(
    `${what.padEnd(48)} ${format(value)} ${unit}  limit ${format(limit)} ${unit}  ratio ${ratio} (target ≤ 1.00)`,
  );
}

/** The same against a peer: both medians, and the median of the rounds' ratios. */
export function reportPeer(
  what: string,
  unit: string,
  ours: readonly number[],
  peer: { readonly name: string; readonly rounds: readonly number[] },
): void {
  const ratio = median(ours.map((value, round) => value / (peer.rounds[round] ?? Number.NaN)));
  const [own, theirs] = [format(median(ours)), format(median(peer.rounds))];
  console.log(
    `${what.padEnd(48)} ${own} ${unit}  ${peer.name} ${theirs} ${unit}  ratio ${ratio.toFixed(2)} (no target)`,
  );
}

/** Against a peer and its limit: the median of the rounds' ratios, and how far they lie apart. */
export function reportRatio(
  what: string,
  unit: string,
  rounds: readonly { readonly ours: number; readonly raw: number }[],
  limit: number,
): void {
  const ratios = rounds.map(({ ours, raw }) => ours / raw);
  const [own, theirs] = [median(rounds.map(({ ours }) => ours)), median(rounds.map(({ raw }) => raw))];
  const spread = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
  console.log(
    `${what.padEnd(48)} ${format(own)} ${unit}  raw ${format(theirs)} ${unit}  ratio ${median(ratios).toFixed(2)} (${spread}; target ≤ ${limit.toFixed(2)})`,
  );
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function format(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(2);
}
