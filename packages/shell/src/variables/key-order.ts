import { encodeText } from "../text/bytes.ts";

/** As many lists as bash begins a table with; a table grows fourfold once it has twice as many keys as lists. */
const FIRST_LISTS = 1_024;

/** The keys of an associative array in the order in which bash gives them: by their hash, newer ones first. */
export function inBashOrder(keys: Iterable<string>): readonly string[] {
  const all = [...keys];
  if (all.length < 2) return all;
  let lists = FIRST_LISTS;
  while (all.length >= lists * 2) lists *= 4;
  return all
    .map((key, age) => ({ key, age, list: hash(key) & (lists - 1) }))
    .sort((a, b) => a.list - b.list || b.age - a.age)
    .map(({ key }) => key);
}

/** FNV-1 with 32 bits. */
function hash(key: string): number {
  let value = 0x811c9dc5;
  for (const byte of encodeText(key)) value = Math.imul(value, 0x01000193) ^ byte;
  return value;
}
