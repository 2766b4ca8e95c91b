import { countTokens } from "./fake-wire.ts";

export interface CacheUse {
  readonly total: number;
  readonly read: number;
  readonly written: number;
}

/** A provider's prompt cache: byte-for-byte prefixes of parts in order. */
export interface PrefixCache {
  /** Reads the longest prefix known, up to a breakpoint; each breakpoint's prefix is known from then on. */
  use(parts: readonly CachePart[]): CacheUse;
}

export interface CachePart {
  readonly text: string;
  readonly isBreakpoint: boolean;
}

/** How many parts before a breakpoint are looked at for a known prefix. */
const LOOKBACK = 20;

export function createPrefixCache(): PrefixCache {
  const known = new Set<string>();
  return {
    use(parts) {
      const prefixes = parts.map((_part, at) => parts.slice(0, at + 1).map(({ text }) => text));
      const keys = prefixes.map((prefix) => JSON.stringify(prefix));
      const sizes = prefixes.map((prefix) => prefix.reduce((sum, text) => sum + countTokens(text), 0));
      const marks = parts.flatMap(({ isBreakpoint }, at) => (isBreakpoint ? [at] : []));
      const readable = marks.flatMap((mark) =>
        keys.slice(Math.max(0, mark + 1 - LOOKBACK), mark + 1).flatMap((key, offset) => {
          const at = Math.max(0, mark + 1 - LOOKBACK) + offset;
          return known.has(key) ? [sizes[at] ?? 0] : [];
        }),
      );
      const read = Math.max(0, ...readable);
      const marked = sizes[marks.at(-1) ?? -1] ?? 0;
      for (const mark of marks) known.add(keys[mark] ?? "");
      return { total: sizes.at(-1) ?? 0, read, written: Math.max(0, marked - read) };
    },
  };
}
