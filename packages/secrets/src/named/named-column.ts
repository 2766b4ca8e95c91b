import { MORE, NONE, type Span, type Verdict, type View } from "../detector.ts";
import { isReference, isStandIn, isExample } from "../plausible.ts";
import { nameAt } from "./named-value.ts";
import words from "./secret-words.json" with { type: "json" };

/** With the line before it, no more than a detector may look back. */
const LONGEST_HEADER = 240;
const LONGEST_TABLE = 8_192;
const STAND_INS = new Set(words.standIns);
const RULE = /^[\s|:=+-]+$/;

/** The cells under a heading that names a secret: in a table, or in values with separators. */
export function judgeColumn(view: View, at: number, end: number): Verdict {
  const { text } = view;
  const before = text.slice(Math.max(0, at - LONGEST_HEADER), at);
  const lead = before.slice(before.lastIndexOf("\n") + 1);
  const lineStart = at - lead.length;
  if (lead.length >= LONGEST_HEADER || !/^[\w \t|,;"'-]*$/.test(lead)) return NONE;
  const known = text.slice(end, end + LONGEST_HEADER);
  const tail = known.indexOf("\n");
  if (tail < 0) {
    return !view.isFinal && known.length < LONGEST_HEADER && /^[\w \t|,;"'\r-]*$/.test(known) ? MORE : NONE;
  }
  const headerEnd = end + tail;
  const header = text.slice(lineStart, headerEnd);
  const separator = separatorOf(header);
  if (separator === undefined) return NONE;
  const heads = cellsOf(header, separator);
  if (heads.length < 2 || !heads.every(({ value }) => /^[A-Za-z][\w -]{0,40}$/.test(value))) return NONE;
  const column = heads.findIndex((cell) => lineStart + cell.start <= at && at < lineStart + cell.end);
  if (column < 0) return NONE;
  const { tells, start, end: nameEnd } = nameAt(text, at, end);
  const head = heads[column];
  const isSure =
    tells === "sure" || (tells === "likely" && heads.some(({ value }) => /user|login|mail/i.test(value)));
  if (!isSure || head === undefined || nameEnd !== lineStart + head.end || start < lineStart + head.start)
    return NONE;
  // A row of a table is no heading, whatever is in it.
  const previous =
    /([^\n]{1,240})\n$/.exec(text.slice(Math.max(0, lineStart - LONGEST_HEADER), lineStart))?.[1] ?? "";
  if (previous !== "" && cellsOf(previous, separator).length === heads.length) return NONE;
  return judgeRows(view, headerEnd + 1, separator, heads.length, column);
}

function judgeRows(view: View, from: number, separator: string, count: number, column: number): Verdict {
  const { text } = view;
  const table = text.slice(from, from + LONGEST_TABLE);
  const isCut = !view.isFinal && table.length < LONGEST_TABLE;
  const spans: Span[] = [];
  for (let at = 0; ;) {
    if (at >= table.length && !isCut) break;
    const end = table.indexOf("\n", at);
    if (end < 0 && isCut) return MORE;
    const line = table.slice(at, end < 0 ? table.length : end);
    const cells = cellsOf(line, separator);
    if (cells.length !== count) break;
    const cell = cells[column];
    if (cell !== undefined && !(separator === "|" && RULE.test(line)) && isCellSecret(cell.value))
      spans.push({ start: from + at + cell.start, end: from + at + cell.end });
    if (end < 0) break;
    at = end + 1;
  }
  return found(spans);
}

function found(spans: readonly Span[]): Verdict {
  return spans.length === 0 ? NONE : { kind: "secret", spans };
}

function isCellSecret(value: string): boolean {
  return (
    value.length >= 4 &&
    !/\s/.test(value) &&
    !/^\w+\([\d, ]*\)$/.test(value) &&
    !isReference(value) &&
    !isStandIn(value) &&
    !isExample(value) &&
    !STAND_INS.has(value.toLowerCase())
  );
}

function separatorOf(header: string): string | undefined {
  return ["|", "\t", ";", ","].find((separator) => header.includes(separator));
}

interface Cell {
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

/** The cells of a row without the blanks and quotes around them. */
function cellsOf(row: string, separator: string): readonly Cell[] {
  const cells: Cell[] = [];
  const outer = separator === "|" ? (/^\s*\|/.exec(row)?.[0].length ?? 0) : 0;
  const line = separator === "|" ? row.replace(/\|\s*$/, "") : row;
  for (let at = outer; at <= line.length;) {
    const quoted = separator === "|" ? undefined : /^"((?:[^"]|"")*)"/.exec(line.slice(at))?.[0];
    const from = line.indexOf(separator, at + (quoted?.length ?? 0));
    const end = from < 0 ? line.length : from;
    const raw = line.slice(at, end);
    const value = raw.trim().replace(/^(["'`])(.*)\1$/, "$2");
    const start = at + Math.max(0, raw.indexOf(value));
    cells.push({ start, end: start + value.length, value });
    at = end + 1;
  }
  return cells;
}
