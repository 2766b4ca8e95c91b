import { html, nothing, svg, type TemplateResult } from "lit";
import { shown } from "../text/shown.ts";

/** Bars made of parts, one for each row, with the table that says the same in numbers behind them. */
export interface Plot {
  readonly title: string;
  /** What the rows are. */
  readonly what: string;
  readonly parts: readonly string[];
  readonly rows: readonly PlotRow[];
  /** A line across: what no bar should reach beyond. */
  readonly limit?: { readonly value: number; readonly words: string } | undefined;
  /** How its numbers are written; default: 12,345, and 12K where there is little room. */
  readonly write?: (value: number) => string;
}

export interface PlotRow {
  readonly name: unknown;
  readonly label: string;
  readonly values: readonly number[];
  /** More columns of the table. */
  readonly more: readonly string[];
}

const WIDTH = 640;
const HEIGHT = 180;
const ROW = 26;
/** Room for the number above the largest column. */
const TOP = 20;
/** Room for the name of a column, also where a phone draws it half as large. */
const LABEL = 90;

export function plotOf(plot: Plot, more: readonly string[], how: "columns" | "rows"): TemplateResult {
  const most = Math.max(plot.limit === undefined ? 1 : plot.limit.value * 1.1, ...plot.rows.map(sum));
  const write = plot.write ?? ((value: number) => value.toLocaleString());
  return html`<section class="plot" aria-label=${plot.title}>
    <h2>${plot.title}</h2>
    ${how === "columns" ? columns(plot, most) : rowsOf(plot, most)}
    <p class="legend" aria-hidden="true" ?hidden=${how === "rows"}>
      ${plot.parts.map((part, at) => html`<span><span class="swatch part-${at}"></span>${part}</span>`)}
      ${plot.limit === undefined ? nothing : html`<span><span class="swatch limit"></span>${plot.limit.words}</span>`}
    </p>
    <details>
      <summary>Table</summary>
      <div class="table" tabindex="0" role="region" aria-label="${plot.title}, as a table">
        <table class="numbers">
          <thead>
            <tr>
              ${[plot.what, ...plot.parts, ...more].map((name) => html`<th scope="col">${name}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${plot.rows
              .filter((row) => sum(row) > 0)
              .map(
                (row) =>
                  html`<tr>
                    <th scope="row">${row.name}</th>
                    ${row.values.map((value) => html`<td>${write(value)}</td>`)}
                    ${row.more.map((text) => html`<td>${text}</td>`)}
                  </tr>`,
              )}
          </tbody>
        </table>
      </div>
    </details>
  </section>`;
}

/** One column for each row, as for days. */
function columns({ rows, limit, write = shortNumber }: Plot, most: number) {
  const limitY = limit === undefined ? 0 : HEIGHT - (limit.value / most) * (HEIGHT - TOP);
  const width = WIDTH / Math.max(rows.length, 7);
  // What is written at the right end of the plot ends there.
  const sideOf = (column: number): string => (column * width + LABEL > WIDTH ? "at-end" : "");
  const placeOf = (column: number): number =>
    sideOf(column) === ""
      ? column * width + 2
      : Math.min(column * width + 2 + Math.min(width - 4, 48), WIDTH);
  const largest = rows.toSorted((a, b) => sum(b) - sum(a))[0];
  return html`<svg
    class="columns"
    viewBox="0 0 ${WIDTH} ${HEIGHT + 24}"
    role="img"
    aria-label=${`Bars; the table below says the same${limit === undefined ? "" : `. ${limit.words}`}`}
  >
    ${rows.map((row, column) => {
      let top = HEIGHT;
      return svg`<g>${row.values.map((value, part) => {
        const height = (value / most) * (HEIGHT - TOP);
        top -= height;
        return svg`<rect class="part-${part}" x=${column * width + 2} y=${top} width=${Math.max(1, Math.min(width - 4, 48))} height=${height}><title>${row.label}: ${write === shortNumber ? value.toLocaleString() : write(value)}</title></rect>`;
      })}${
        (rows.length - 1 - column) % Math.ceil((1.5 * LABEL) / width) === 0
          ? svg`<text class=${sideOf(column)} x=${placeOf(column)} y=${HEIGHT + 18}>${row.label}</text>`
          : nothing
      }</g>`;
    })}
    <line x1="0" x2=${WIDTH} y1=${HEIGHT} y2=${HEIGHT}></line>
    ${largest === undefined || sum(largest) === 0 ? nothing : svg`<text class="amount ${sideOf(rows.indexOf(largest))}" x=${placeOf(rows.indexOf(largest))} y=${HEIGHT - 4 - (sum(largest) / most) * (HEIGHT - TOP)}>${write(sum(largest))}</text>`}
    ${limit === undefined ? nothing : svg`<line class="limit" x1="0" x2=${WIDTH} y1=${limitY} y2=${limitY}></line>`}
  </svg>`;
}

/** One bar beside each name, as for models. */
function rowsOf({ rows, write = shortNumber }: Plot, most: number) {
  return html`<ol class="bars">
    ${rows.slice(0, 8).map((row) => {
      let left = 0;
      return html`<li>
        <span class="name" dir="auto">${row.name}</span>
        <svg viewBox="0 0 ${WIDTH} ${ROW}" preserveAspectRatio="none" aria-hidden="true">
          ${row.values.map((value, part) => {
            const width = (value / most) * WIDTH;
            left += width;
            return svg`<rect class="part-${part}" x=${left - width} y="4" width=${width} height=${ROW - 8}></rect>`;
          })}
        </svg>
        <span class="amount">${write(sum(row))}</span>
      </li>`;
    })}
  </ol>`;
}

function sum({ values }: PlotRow): number {
  return values.reduce((all, value) => all + value, 0);
}

/** 12K instead of 12,345: beside a bar, the first digits are enough. */
function shortNumber(value: number): string {
  return value.toLocaleString(undefined, { notation: "compact", maximumFractionDigits: 1 });
}

export const nameOf = (text: string): unknown => shown(text);
