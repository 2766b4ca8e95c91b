export const K: Record<string, number> = {
  sat: 2, maxRarity: 7, synonym: 0.75, pair: 0.9, beginning: 0.4, coverage: 0.75,
  named: 12, softNamed: 4, softCount: 20, same: 1.35, other: 0.75, unasked: 0.5, deeper: 0.94, alike: 0.86, twin: 0.7,
  brand: 0.3, verb: 0.9, question: 0.35, given: 0.4, aside: 0.7, precision: 0.5, single: 0.93, outdated: 0.8,
};
