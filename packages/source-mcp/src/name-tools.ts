/** Names that objects or promises give a meaning of their own, and those of Deputy's own tools for each server. */
const TAKEN = ["__proto__", "prototype", "constructor", "then", "resources", "prompts"];
const IDENTIFIER = /^[A-Za-z_$][\w$]{0,59}$/;
const MAX_CHARS = 56;

/**
 * An identifier for each name, the same for the same names in any order: the name itself where it is one, else
 * what is left of it. No two are the same, and none is in `taken`.
 */
export function nameTools(names: readonly string[], taken: Iterable<string>): ReadonlyMap<string, string> {
  const used = new Set([...TAKEN, ...taken]);
  const ids = new Map<string, string>();
  const isOwn = (name: string): boolean => IDENTIFIER.test(name);
  const sorted = [...new Set(names)].toSorted();
  // A name that needs no change keeps it, whatever others would become.
  for (const name of [...sorted.filter(isOwn), ...sorted.filter((one) => !isOwn(one))]) {
    const base = isOwn(name) ? name : toIdentifier(name);
    let id = base;
    for (let n = 2; used.has(id); n++) id = `${base}_${n}`;
    used.add(id);
    ids.set(name, id);
  }
  return ids;
}

function toIdentifier(name: string): string {
  const words = name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .split(/[^A-Za-z0-9_$]+/)
    .filter((word) => word !== "");
  const joined = words.join("_").slice(0, MAX_CHARS);
  if (joined === "") return "tool";
  return /^\d/.test(joined) ? `_${joined}` : joined;
}
