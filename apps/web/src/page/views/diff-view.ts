import { html, type TemplateResult } from "lit";
import { shown, spoken } from "../text/shown.ts";
import { changedWords, type DiffRow, type Hunk, type Piece } from "./diff-lines.ts";

export type DiffLayout = "inline" | "side";

/** A diff of the daemon's, inline or side by side, with changed words marked. */
export function renderDiff(hunks: readonly Hunk[], path: string, layout: DiffLayout): TemplateResult {
  return html`<div
    class="diff-text ${layout === "side" ? "side-by-side" : "inline"}"
    tabindex="0"
    role="region"
    aria-label="Changes of ${spoken(path)}"
  >
    <table>
      ${layout === "side" ? SIDE_COLUMNS : INLINE_COLUMNS}
      <tbody>
        ${hunks.map(
          ({ title, rows }) =>
            html`<tr class="hunk">
                <td colspan="4">${shown(linesOf(title))}</td>
              </tr>
              ${layout === "side" ? rows.map(sideRow) : inlineRows(rows)}`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** The widths are theirs: the first row of the table is a title over all of them. */
const SIDE_COLUMNS = html`<colgroup>
  <col class="numbers" />
  <col />
  <col class="numbers" />
  <col />
</colgroup>`;
const INLINE_COLUMNS = html`<colgroup>
  <col class="numbers" />
  <col class="numbers" />
  <col class="signs" />
  <col />
</colgroup>`;

/** “Lines 3 to 9” of “@@ -3,5 +3,7 @@”; of what is gone altogether, where it was. */
function linesOf(title: string): string {
  const [, oldFrom = "", oldCount = "1", newFrom = "", newCount = "1"] =
    /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(title) ?? [];
  const [from, lines] =
    newCount === "0" ? [Number(oldFrom), Number(oldCount)] : [Number(newFrom), Number(newCount)];
  return lines > 1 ? `Lines ${from} to ${from + lines - 1}` : `Line ${from}`;
}

function sideRow(row: DiffRow) {
  const { before, after } = row;
  const [old, now] = piecesOf(row);
  const isChanged = row.kind === "changed";
  return html`<tr>
    <td class="number">${before?.number}</td>
    <td class=${cellClass(isChanged, before === undefined, "removed")}>${pieces(old)}</td>
    <td class="number">${after?.number}</td>
    <td class=${cellClass(isChanged, after === undefined, "added")}>${pieces(now)}</td>
  </tr>`;
}

const cellClass = (isChanged: boolean, isNone: boolean, kind: string): string =>
  isNone ? "none" : isChanged ? kind : "";

/** Of a run of changed lines, first those that are gone. */
function inlineRows(rows: readonly DiffRow[]) {
  const out: unknown[] = [];
  let added: unknown[] = [];
  for (const row of rows) {
    const { before, after } = row;
    const [old, now] = piecesOf(row);
    if (row.kind === "same") {
      out.push(...added, line("", before?.number, after?.number, " ", old));
      added = [];
      continue;
    }
    if (before !== undefined) out.push(line("removed", before.number, undefined, "−", old));
    if (after !== undefined) added.push(line("added", undefined, after.number, "+", now));
  }
  return [...out, ...added];
}

function line(
  kind: string,
  before: number | undefined,
  after: number | undefined,
  mark: string,
  of: readonly Piece[],
) {
  return html`<tr class=${kind}>
    <td class="number">${before}</td>
    <td class="number">${after}</td>
    <td class="sign">${mark}</td>
    <td class=${kind}>${pieces(of)}</td>
  </tr>`;
}

function piecesOf({ kind, before, after }: DiffRow): readonly [readonly Piece[], readonly Piece[]] {
  if (kind === "changed" && before !== undefined && after !== undefined)
    return changedWords(before.text, after.text);
  const whole = (text: string | undefined): readonly Piece[] =>
    text === undefined ? [] : [{ text, isChanged: false }];
  return [whole(before?.text), whole(after?.text)];
}

function pieces(of: readonly Piece[]) {
  return of.map(({ text, isChanged }) =>
    isChanged ? html`<span class="word">${shown(text)}</span>` : shown(text),
  );
}
