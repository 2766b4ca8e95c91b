import { readToolPattern, TOOL_PATTERN as ONE_PATTERN } from "@deputy/policy/patterns";

/** Some of all tools, chosen by their paths. */
export interface ToolSet {
  has(path: string): boolean;
  /** The patterns that choose none of these paths: they were probably meant otherwise. */
  idle(paths: readonly string[]): readonly string[];
}

/** A pattern of the policy's, or with `!` before it one that leaves out. */
export const TOOL_PATTERN = new RegExp(`^!?${ONE_PATTERN.source.slice(1)}`);

/**
 * Reads patterns such as `github.issues.*`, `mail` (all that lies at or under it) and `!**.delete`. The
 * last one that fits a path decides; where the first one leaves out, all others are in.
 */
export function createToolSet(patterns: readonly string[]): ToolSet {
  const rules = patterns.map((pattern) => {
    const isOut = pattern.startsWith("!");
    return { pattern, isOut, fits: readToolPattern(isOut ? pattern.slice(1) : pattern).fits };
  });
  return {
    has(path) {
      const rule = rules.findLast(({ fits }) => fits(path));
      return rule === undefined ? (rules[0]?.isOut ?? false) : !rule.isOut;
    },
    idle(paths) {
      return rules.filter(({ fits }) => !paths.some((path) => fits(path))).map(({ pattern }) => pattern);
    },
  };
}
