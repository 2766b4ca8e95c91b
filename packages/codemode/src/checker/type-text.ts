// Parses a type that TypeScript printed: brackets, strings and separators only.

/** The bracket that holds most of a type: in `Promise<…>`, `{ … }[]`, `(…) => …` the one worth cutting. */
export function outerGroup(
  type: string,
): Readonly<Record<"before" | "open" | "inside" | "close" | "after", string>> | undefined {
  let best: { start: number; end: number } | undefined;
  let start = -1;
  walkType(type, (index, depth, isOpen) => {
    if (isOpen && depth === 1) start = index;
    if (isOpen || depth !== 0 || start < 0) return;
    if (best === undefined || index - start > best.end - best.start) best = { start, end: index };
    start = -1;
  });
  if (best === undefined) return undefined;
  return {
    before: type.slice(0, best.start),
    open: type.charAt(best.start),
    inside: type.slice(best.start + 1, best.end).trim(),
    close: type.charAt(best.end),
    after: type.slice(best.end + 1),
  };
}

/** The parts between separators that are in no bracket and no string. */
export function splitTop(type: string, separator: string): readonly string[] {
  const cuts: number[] = [];
  walkType(type, (index, depth) => {
    if (depth === 0 && type.startsWith(separator, index)) cuts.push(index);
  });
  const starts = [0, ...cuts.map((at) => at + separator.length)];
  return starts.map((from, i) => type.slice(from, cuts[i] ?? type.length));
}

/** Visits every character outside of strings with its depth: an opening bracket is inside, a closing one outside. */
export function walkType(type: string, visit: (index: number, depth: number, isOpen: boolean) => void): void {
  let depth = 0;
  for (let i = 0; i < type.length; i++) {
    const char = type.charAt(i);
    if (char === '"' || char === "`") {
      visit(i, depth, false);
      i = endOfString(type, i);
      continue;
    }
    const isOpen = "{[(<".includes(char);
    const isClose = "}])".includes(char) || (char === ">" && type.charAt(i - 1) !== "=");
    if (isOpen) depth += 1;
    if (isClose) depth -= 1;
    visit(i, depth, isOpen);
  }
}

function endOfString(type: string, start: number): number {
  const quote = type.charAt(start);
  for (let i = start + 1; i < type.length; i++) {
    if (type.charAt(i) === "\\") i += 1;
    else if (type.charAt(i) === quote) return i;
  }
  return type.length;
}
