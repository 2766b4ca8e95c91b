import type { PolicyTool } from "../policy.ts";
import type { PolicySettings } from "./policy-rule.ts";
import { patternNames, readToolPattern } from "./tool-pattern.ts";

/** A rule that can never decide, because others always come first. */
export interface ShadowedRule {
  readonly place: string;
  readonly tool: string;
  /** The places of what comes first: one where one is enough, else all it takes together. */
  readonly by: readonly string[];
}

const EFFECTS: readonly PolicyTool["effect"][] = ["read", "write", "egress", "destructive"];

/** Rules that no call can reach, whatever tools there are. Never throws; misses some of absurd patterns. */
export function findShadowedRules({
  deny,
  rules,
}: Pick<PolicySettings, "deny" | "rules">): readonly ShadowedRule[] {
  const entries = [
    ...deny.map((tool, at) => ({ tool, effects: EFFECTS, place: `policy.deny[${at}]` })),
    ...rules.map(({ tool, effect }, at) => ({
      tool,
      effects: effect === undefined ? EFFECTS : [effect],
      place: `policy.rules[${at}]`,
    })),
  ];
  return entries.flatMap(({ tool, effects, place }, at) => {
    const shadows = (before: typeof entries): boolean =>
      effects.every((effect) =>
        isCovered(
          tool,
          before.filter((one) => one.effects.includes(effect)).map((one) => one.tool),
        ),
      );
    const before = entries.slice(0, at);
    const alone = before.find((one) => shadows([one]));
    if (alone !== undefined) return [{ place, tool, by: [alone.place] }];
    if (!shadows(before)) return [];
    // Leaves out rules that do not contribute, so that the user sees only the relevant ones.
    const needed = before.reduce((kept, one) => {
      const without = kept.filter((other) => other !== one);
      return shadows(without) ? without : kept;
    }, before);
    return [{ place, tool, by: needed.map((one) => one.place) }];
  });
}

/** Looking further costs more than a hint is worth. */
const MAX_STEPS = 1_000;
/** Stands for every character that no pattern names. */
const OTHER = "\0";

/**
 * One place in a pattern, walked character by character over paths whose every name has a dot before it:
 * a character, a star (any of a name), or a double star between names (`gap`) and inside one (`name`).
 */
type Place = { readonly kind: "char"; readonly char: string } | { readonly kind: "star" | "gap" | "name" };

/** Where one may be: the pattern's number and the place's, as text. */
type Positions = ReadonlySet<string>;

interface Walk {
  readonly inner: Positions;
  readonly outer: Positions;
  readonly last: "start" | "dot" | "name";
}

/**
 * True if every path that matches `pattern` matches one of `others`. Also false if the check would take too
 * long.
 */
export function isCovered(pattern: string, others: readonly string[]): boolean {
  const example = exampleOf(pattern);
  if (!others.some((other) => readToolPattern(other).fits(example))) return false;
  const inner = [placesOf(pattern)];
  const outer = others.map(placesOf);
  const named = new Set([pattern, ...others].join("").replaceAll(/[.*]/g, ""));
  const open: Walk[] = [{ inner: startOf(inner), outer: startOf(outer), last: "start" }];
  const seen = new Set<string>();
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    const walk = open.pop();
    if (walk === undefined) return true;
    if (walk.last === "name" && isAtEnd(inner, walk.inner) && !isAtEnd(outer, walk.outer)) return false;
    // Each name begins with its dot, and has at least one character.
    const chars = walk.last === "start" ? ["."] : [OTHER, ...named, ...(walk.last === "name" ? ["."] : [])];
    for (const char of chars) {
      const next: Walk = {
        inner: advance(inner, walk.inner, char),
        outer: advance(outer, walk.outer, char),
        last: char === "." ? "dot" : "name",
      };
      const key = `${[...next.inner].join()}|${[...next.outer].join()}|${next.last}`;
      if (next.inner.size === 0 || seen.has(key)) continue;
      seen.add(key);
      open.push(next);
    }
  }
  return false;
}

/** A path that fits, and little else does: a quick look that spares most walks. */
function exampleOf(pattern: string): string {
  return patternNames(pattern)
    .map((name) => name.replaceAll(/\*+/g, OTHER))
    .join(".");
}

function placesOf(pattern: string): readonly Place[] {
  return patternNames(pattern).flatMap((name): readonly Place[] => {
    if (name === "**") return [{ kind: "gap" }, { kind: "name" }];
    return Array.from(`.${name}`).map((char) => (char === "*" ? { kind: "star" } : { kind: "char", char }));
  });
}

function startOf(patterns: readonly (readonly Place[])[]): Positions {
  return settled(
    patterns,
    patterns.map((_, index) => [index, 0]),
  );
}

function advance(patterns: readonly (readonly Place[])[], from: Positions, char: string): Positions {
  const next: (readonly [number, number])[] = [];
  for (const [pattern, at] of read(from)) {
    const place = patterns[pattern]?.[at];
    if (place?.kind === "char" && place.char === char) next.push([pattern, at + 1]);
    if ((place?.kind === "star" || place?.kind === "name") && char !== ".") next.push([pattern, at]);
    if (place?.kind === "gap" && char === ".") next.push([pattern, at + 1]);
  }
  return settled(patterns, next);
}

/** With every place that is reached without a character; in an order of their own, so that equal sets are equal text. */
function settled(
  patterns: readonly (readonly Place[])[],
  from: readonly (readonly [number, number])[],
): Positions {
  const open = [...from];
  const found = new Set<string>();
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const [pattern, at] = one;
    const key = `${pattern}:${at}`;
    if (found.has(key)) continue;
    found.add(key);
    const kind = patterns[pattern]?.[at]?.kind;
    if (kind === "star") open.push([pattern, at + 1]);
    if (kind === "gap") open.push([pattern, at + 2]);
    if (kind === "name") open.push([pattern, at - 1]);
  }
  return new Set([...found].sort());
}

function isAtEnd(patterns: readonly (readonly Place[])[], positions: Positions): boolean {
  return read(positions).some(([pattern, at]) => at === patterns[pattern]?.length);
}

function read(positions: Positions): readonly (readonly [number, number])[] {
  return [...positions].map((key) => {
    const [pattern, at] = key.split(":");
    return [Number(pattern), Number(at)];
  });
}
