import { html, nothing, svg, type TemplateResult } from "lit";
import { shown } from "../text/shown.ts";

/** Bars made of parts, one for each row, with the table that says the same in numbers behind them. */
export interface Plot {
  readonly title: string;
  /** What the rows are. */
  readonly what: string;
  readonly parts: readonly string[];
  readonly rows: readonly PlotRow[];
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

export function plotOf(plot: Plot, more: readonly string[], how: "columns" | "rows"): TemplateResult {
  const sum = ({ values }: PlotRow): number => values.reduce((all, value) => all + value, 0);
  const most = Math.max(1, ...plot.rows.map(sum));
  return html`<section class="plot" aria-label=${plot.title}>
    <h2>${plot.title}</h2>
    ${how === "columns" ? columns(plot, most) : rowsOf(plot, most)}
    <p class="legend" aria-hidden="true">
      ${plot.parts.map((part, at) => html`<span><span class="swatch part-${at}"></span>${part}</span>`)}
    </p>
    <details>
      <summary>Numbers</summary>
      <div class="table" tabindex="0" role="region" aria-label="${plot.title} in numbers">
        <table class="numbers">
          <thead>
            <tr>
              ${[plot.what, ...plot.parts, ...more].map((name) => html`<th scope="col">${name}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${plot.rows.map(
              (row) =>
                html`<tr>
                  <th scope="row">${row.name}</th>
                  ${row.values.map((value) => html`<td>${value.toLocaleString()}</td>`)}
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
function columns({ rows }: Plot, most: number) {
  const width = WIDTH / Math.max(rows.length, 7);
  return html`<svg
    class="columns"
    viewBox="0 0 ${WIDTH} ${HEIGHT + 24}"
    role="img"
    aria-label="Bars; the numbers are below"
  >
    ${rows.map((row, column) => {
      let top = HEIGHT;
      return svg`<g>${row.values.map((value, part) => {
        const height = (value / most) * (HEIGHT - 8);
        top -= height;
        return svg`<rect class="part-${part}" x=${column * width + 2} y=${top} width=${Math.max(1, Math.min(width - 4, 48))} height=${height}><title>${row.label}: ${value.toLocaleString()}</title></rect>`;
      })}${
        width >= 40 || column % Math.ceil(40 / width) === 0
          ? svg`<text x=${column * width + 2} y=${HEIGHT + 18}>${row.label}</text>`
          : nothing
      }</g>`;
    })}
    <line x1="0" x2=${WIDTH} y1=${HEIGHT} y2=${HEIGHT}></line>
  </svg>`;
}

/** One bar beside each name, as for models. */
function rowsOf({ rows }: Plot, most: number) {
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
      </li>`;
    })}
  </ol>`;
}

export const nameOf = (text: string): unknown => shown(text);
