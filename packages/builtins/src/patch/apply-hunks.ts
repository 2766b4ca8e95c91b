import { ToolsError } from "@deputy/tools";
import type { Hunk, PatchLine } from "./patch.ts";

/** How two lines are compared, from strict to lenient: models forget white space. */
const COMPARISONS: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim(),
];

/**
 * A text with hunks applied, in order. What stays is the text's own, white space included; line ends are those
 * that the text has. Throws `patch_conflict`, naming the first hunk that does not fit.
 */
export function applyHunks(path: string, text: string, hunks: readonly Hunk[]): string {
  const eol = /\r\n/.test(text) && !/(?<!\r)\n/.test(text) ? "\r\n" : "\n";
  const isBare = text !== "" && !text.endsWith("\n");
  const old = text === "" ? [] : text.split(eol);
  if (!isBare && text !== "") old.pop();

  const made: string[] = [];
  let cursor = 0;
  let shift = 0;
  for (const [index, hunk] of hunks.entries()) {
    const refuse = (why: string): ToolsError =>
      new ToolsError("patch_conflict", `Hunk ${index + 1} for ${path} does not fit: ${why}`, {
        hint: "Read the file again, and write the patch for what is in it now. Nothing was changed.",
      });
    const expected = hunk.lines.filter(({ mark }) => mark !== "+").map((line) => line.text);
    const start = place(old, hunk, expected, cursor, shift);
    if (start === undefined)
      throw refuse(expected[0] === undefined ? "its place is not there" : `“${expected[0].slice(0, 100)}” …`);
    made.push(
      ...old.slice(cursor, start),
      ...replaced(hunk.lines, old.slice(start, start + expected.length)),
    );
    cursor = start + expected.length;
    if (hunk.oldStart !== undefined) shift = start - (hunk.oldStart - (expected.length === 0 ? 0 : 1));
  }
  made.push(...old.slice(cursor));
  if (made.length === 0) return "";
  const last = hunks.at(-1);
  const touchesEnd = cursor === old.length && last !== undefined && last.lines.at(-1)?.mark !== undefined;
  const endsBare = touchesEnd && last.oldStart !== undefined ? last.endsBare : isBare;
  return made.join(eol) + (endsBare ? "" : eol);
}

/** The index at which the hunk's old lines begin; undefined when they do not occur. */
function place(
  old: readonly string[],
  hunk: Hunk,
  expected: readonly string[],
  cursor: number,
  shift: number,
): number | undefined {
  let from = cursor;
  for (const anchor of hunk.anchors) {
    const at = findFirst(old, [anchor], from, "first");
    if (at === undefined) return undefined;
    from = at + 1;
  }
  if (hunk.oldStart !== undefined) {
    const stated = hunk.oldStart - (expected.length === 0 ? 0 : 1) + shift;
    if (expected.length === 0) return stated >= from && stated <= old.length ? stated : undefined;
    return findNearest(old, expected, from, stated);
  }
  if (expected.length === 0) return hunk.anchors.length > 0 ? from : old.length;
  return findFirst(old, expected, from, hunk.isAtEnd ? "last" : "first");
}

function fits(
  old: readonly string[],
  expected: readonly string[],
  at: number,
  compare: (line: string) => string,
) {
  return expected.every((line, offset) => compare(old[at + offset] ?? "\0") === compare(line));
}

function findFirst(
  old: readonly string[],
  expected: readonly string[],
  from: number,
  which: "first" | "last",
): number | undefined {
  const last = old.length - expected.length;
  for (const compare of COMPARISONS) {
    if (which === "last" && last >= from && fits(old, expected, last, compare)) return last;
    for (let at = from; at <= last; at++) if (fits(old, expected, at, compare)) return at;
  }
  return undefined;
}

function findNearest(
  old: readonly string[],
  expected: readonly string[],
  from: number,
  stated: number,
): number | undefined {
  const last = old.length - expected.length;
  for (const compare of COMPARISONS) {
    for (let distance = 0; distance <= old.length; distance++) {
      for (const at of distance === 0 ? [stated] : [stated - distance, stated + distance])
        if (at >= from && at <= last && fits(old, expected, at, compare)) return at;
    }
  }
  return undefined;
}

/** The hunk's new lines, with the file's own where they stay. */
function replaced(lines: readonly PatchLine[], found: readonly string[]): readonly string[] {
  let at = 0;
  return lines.flatMap(({ mark, text }) => {
    if (mark === "+") return [text];
    const own = found[at++] ?? text;
    return mark === " " ? [own] : [];
  });
}
