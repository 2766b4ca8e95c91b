import type { Random } from "../typed/random.ts";

/** So that nothing with many forms crowds out the rest. */
const MOST = 12;

/** At most a dozen, which lie side by side from a random place on. */
export function someOf<Item>(items: readonly Item[], random: Random, most = MOST): readonly Item[] {
  if (items.length <= most) return items;
  const from = random.below(items.length);
  return [...items.slice(from), ...items.slice(0, from)].slice(0, most);
}
