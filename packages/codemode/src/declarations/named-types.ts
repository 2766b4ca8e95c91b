import { pascalCase } from "./literal.ts";

/** The type aliases of one set of declarations: unique names, and no alias that is circular without end. */
export interface NamedTypes {
  /** A new name made of both parts. The underscore keeps it apart from every name of the standard library. */
  reserve(prefix: string, name: string): string;
  /**
   * Notes that the body of `from` is `to`, or a union or intersection with it; false (and not noted)
   * when `to` already leads back to `from` that way, which TypeScript refuses, or leads too far to tell.
   */
  link(from: string, to: string): boolean;
}

/** Aliases that are followed to find a circle; real ones lead to a handful. */
const MAX_FOLLOWED = 200;

export function createNamedTypes(): NamedTypes {
  const used = new Set<string>();
  const links = new Map<string, Set<string>>();

  const mayLeadTo = (from: string, to: string): boolean => {
    const seen = new Set([from]);
    for (const name of seen) {
      if (name === to || seen.size > MAX_FOLLOWED) return true;
      for (const next of links.get(name) ?? []) seen.add(next);
    }
    return false;
  };

  return {
    reserve(prefix, name) {
      const base = `${prefix}_${pascalCase(name)}`;
      let free = base;
      for (let n = 2; used.has(free); n++) free = `${base}_${n}`;
      used.add(free);
      return free;
    },
    link(from, to) {
      if (mayLeadTo(to, from)) return false;
      const targets = links.get(from) ?? new Set();
      links.set(from, targets.add(to));
      return true;
    },
  };
}
