/** Which tools are meant, by their paths. */
export interface ToolPattern {
  readonly text: string;
  fits(path: string): boolean;
}

/** `*` stands for any part of a name, `**` for any number of names. */
export const TOOL_PATTERN = /^(?:\*\*|[\w$*-]+)(?:\.(?:\*\*|[\w$*-]+))*$/;

/**
 * Reads a pattern such as `github.issues.*`, `**.delete` or `mail`, which means everything at or under it.
 */
export function readToolPattern(text: string): ToolPattern {
  const names = patternNames(text);
  return { text, fits: (path) => fits(names, path.split(".")) };
}

/** A pattern name by name, with what it leaves unsaid. */
export function patternNames(text: string): readonly string[] {
  const names = text.split(".");
  // Without a star, a namespace means everything in it.
  const all = text.includes("*") ? names : [...names, "**"];
  return all.filter((name, at) => name !== "**" || all[at - 1] !== "**");
}

/** Keeps every place of the pattern it may be at, name by name: trying one after the other could take forever. */
function fits(pattern: readonly string[], names: readonly string[]): boolean {
  let places = reachable(pattern, [0]);
  for (const name of names) {
    const next = places.flatMap((at) => {
      const part = pattern[at];
      if (part === "**") return [at];
      return part !== undefined && fitsName(part, name) ? [at + 1] : [];
    });
    places = reachable(pattern, next);
  }
  return places.includes(pattern.length);
}

/** With the places after a `**`, which may stand for nothing. */
function reachable(pattern: readonly string[], places: readonly number[]): readonly number[] {
  return [...new Set(places.flatMap((at) => (pattern[at] === "**" ? [at, at + 1] : [at])))];
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
