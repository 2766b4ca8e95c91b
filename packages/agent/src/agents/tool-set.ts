/** Some of all tools, chosen by their paths. */
export interface ToolSet {
  has(path: string): boolean;
  /** The patterns that choose none of these paths: they were probably meant otherwise. */
  idle(paths: readonly string[]): readonly string[];
}

/** `!` leaves out; `*` stands for any part of a name, `**` for any number of names. */
export const TOOL_PATTERN = /^!?(?:\*\*|[\w$*-]+)(?:\.(?:\*\*|[\w$*-]+))*$/;

/**
 * Reads patterns such as `github.issues.*`, `mail` (all that lies at or under it) and `!**.delete`. The
 * last one that fits a path decides; where the first one leaves out, all others are in.
 */
export function createToolSet(patterns: readonly string[]): ToolSet {
  const rules = patterns.map((pattern) => {
    const isOut = pattern.startsWith("!");
    const names = (isOut ? pattern.slice(1) : pattern).split(".");
    // Without a star, a namespace means everything in it.
    const all = pattern.includes("*") ? names : [...names, "**"];
    return { pattern, isOut, names: all.filter((name, at) => name !== "**" || all[at - 1] !== "**") };
  });
  return {
    has(path) {
      const names = path.split(".");
      const rule = rules.findLast((one) => fits(one.names, names));
      return rule === undefined ? (rules[0]?.isOut ?? false) : !rule.isOut;
    },
    idle(paths) {
      const split = paths.map((path) => path.split("."));
      return rules
        .filter((rule) => !split.some((names) => fits(rule.names, names)))
        .map((rule) => rule.pattern);
    },
  };
}

function fits(pattern: readonly string[], names: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return names.length === 0;
  if (first === "**") return names.some((_, from) => fits(rest, names.slice(from))) || fits(rest, []);
  const [name, ...further] = names;
  return name !== undefined && fitsName(first, name) && fits(rest, further);
}

/** Stars by hand rather than as a regular expression, which many of them can keep busy. */
function fitsName(pattern: string, name: string): boolean {
  const parts = pattern.split("*");
  if (parts.length === 1) return pattern === name;
  const [start = "", ...others] = parts;
  const end = others.pop() ?? "";
  if (name.length < start.length + end.length || !name.startsWith(start) || !name.endsWith(end)) return false;
  let at = start.length;
  const last = name.length - end.length;
  for (const part of others) {
    const found = name.indexOf(part, at);
    if (found === -1 || found + part.length > last) return false;
    at = found + part.length;
  }
  return true;
}
