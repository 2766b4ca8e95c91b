/** The tools that have a term, and how relevant it is to each. */
export interface Postings {
  readonly tools: Uint32Array;
  readonly amounts: Float32Array;
  /** How much of the tool's subject the term names: 0 to 255. */
  readonly shares: Uint8Array;
  /** How distinctive the term is. */
  readonly rarity: number;
}

/** The same while it is built; `core`: whether the term names the tool's subject. */
export interface Gathered {
  readonly tools: number[];
  readonly amounts: number[];
  readonly core: boolean[];
}

/** The adjacent tools of a namespace: from this one, up to but not including that one. */
export type Range = readonly [from: number, to: number];

/** How many tools the lists of one step have together, at least. */
const TOOLS_AT_ONCE = 30_000;

/** In steps. Empties `gathered`, so that both never take memory at once. */
export function* packPostings(
  gathered: Map<string, Gathered>,
  size: number,
  namespaces: readonly Range[],
): Generator<undefined, ReadonlyMap<string, Postings>> {
  const namespaceOf = new Uint16Array(size);
  namespaces.forEach(([from, to], at) => namespaceOf.fill(at, from, to));
  const masses = new Float32Array(size);
  let done = 0;
  for (const list of gathered.values()) {
    if (list.core.includes(true))
      eachCore(list, namespaces, namespaceOf, (at, rarity) => {
        masses[at] = (masses[at] ?? 0) + rarity;
      });
    done += list.tools.length;
    if (done < TOOLS_AT_ONCE) continue;
    done = 0;
    yield;
  }
  const packed = new Map<string, Postings>();
  for (const [term, list] of gathered) {
    const shares = new Uint8Array(list.tools.length);
    eachCore(list, namespaces, namespaceOf, (at, rarity, n) => {
      shares[n] = Math.round((255 * rarity) / (masses[at] ?? 1));
    });
    const having = list.tools.length;
    packed.set(term, {
      tools: Uint32Array.from(list.tools),
      amounts: Float32Array.from(list.amounts),
      shares,
      rarity: Math.log(1 + (size - having + 0.5) / (having + 0.5)),
    });
    gathered.delete(term);
    done += list.tools.length;
    if (done < TOOLS_AT_ONCE) continue;
    done = 0;
    yield;
  }
  return packed;
}

/**
 * Visits the tools whose subject includes the term, with its rarity in their namespace: `Accounts` may be in
 * every route.
 */
function eachCore(
  { tools, core }: Gathered,
  namespaces: readonly Range[],
  namespaceOf: Uint16Array,
  visit: (tool: number, rarity: number, n: number) => void,
): void {
  const counts = new Map<number, number>();
  for (const at of tools) {
    const namespace = namespaceOf[at] ?? 0;
    counts.set(namespace, (counts.get(namespace) ?? 0) + 1);
  }
  tools.forEach((at, n) => {
    if (core[n] !== true) return;
    const [from, to] = namespaces[namespaceOf[at] ?? 0] ?? [0, 0];
    visit(at, Math.log(1 + (to - from) / (counts.get(namespaceOf[at] ?? 0) ?? 1)), n);
  });
}
