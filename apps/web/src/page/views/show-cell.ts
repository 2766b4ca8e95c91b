import { html, nothing, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import { repeat } from "lit/directives/repeat.js";
import { icon } from "../parts/icons.ts";
import type { App } from "../stores/app.ts";
import type { Call, Cell } from "../stores/transcript-rows.ts";
import { shown } from "../text/shown.ts";
import { callStatus, cellFailure } from "../text/call-words.ts";
import { count } from "../text/words.ts";
import { annotateLines, withoutExcerpt } from "./annotate-lines.ts";
import "./attachment-list.ts";
import { highlightedLine } from "../markdown/highlight.ts";
import { differences, shortValue } from "../text/short-value.ts";
import { showDiff } from "./card-groups.ts";

/** A program with each call at its line, its log and its result. `current`: the call that the reader is at. */
export function showCell(cell: Cell, app: App, current?: string): TemplateResult {
  const { lines, others } = annotateLines(cell.code, cell.calls);
  const code = lines.map(({ text }) => text).join("\n");
  const failure = cellFailure(cell);
  return html`<section class="cell">
    ${
      cell.code === ""
        ? nothing
        : html`<ol class="program" tabindex="0" aria-label="Program">
            ${lines.map(
              ({ text, calls, line }) =>
                html`<li class=${calls.some(({ id }) => id === current) ? "current" : ""}>
                  <code>${guard([code], () => highlightedLine(code, line, text))}</code>
                  ${cell.diagnostics.filter((one) => one.line === line).map((one) => html`<p class="failure">${icon("failed")} <span>${shown(withoutExcerpt(one.message))}</span></p>`)}
                  ${showCalls(calls, app, cell, current)}
                </li>`,
            )}
          </ol>`
    }
    ${others.length === 0 ? nothing : html`<div class="others">${showCalls(others, app, cell, current)}</div>`}
    ${cell.logs.length === 0 ? nothing : html`<pre class="logs" tabindex="0" aria-label="Log">${shown(cell.logs.join("\n"))}</pre>`}
    ${failure === undefined ? nothing : html`<p class="failure">${icon("failed")} <span>${shown(failure)}</span></p>`}
    ${
      cell.result === undefined
        ? nothing
        : html`<details class="result">
            <summary>Result</summary>
            <pre tabindex="0">${shown(json(cell.result))}</pre>
          </details>`
    }
  </section>`;
}

/** More calls of a line are folded, but for the first of them and those that did not go well. */
const MOST_CALLS = 8;
const FIRST_CALLS = 3;

function showCalls(calls: readonly Call[], app: App, cell: Cell, current: string | undefined) {
  const isShown = ({ id, status }: Call, at: number): boolean =>
    calls.length <= MOST_CALLS || at < FIRST_CALLS || status !== "succeeded" || id === current;
  const folded = calls.filter((call, at) => !isShown(call, at));
  const tell = differences(calls.map(({ input }) => input));
  const draw = (some: readonly Call[]) =>
    repeat(
      some,
      ({ id }) => id,
      (call) => showCall(call, app, cell, current, shortValue(tell(call.input))),
    );
  return html`${draw(calls.filter(isShown))}
  ${
    folded.length === 0
      ? nothing
      : html`<details class="more-calls">
          <summary>${count(folded.length, "more call")}, all done</summary>
          ${draw(folded)}
        </details>`
  }`;
}

function showCall(call: Call, app: App, cell: Cell, current: string | undefined, told: string) {
  const { toolPath, input, status, why, preview, error, progress } = call;
  return html`<details class="call ${status === "decided" ? "due" : status}" ?open=${call.id === current}>
    <summary>
      ${icon(status === "succeeded" ? "done" : status === "running" || status === "decided" ? "clock" : "failed")}
      <code>${shown(toolPath)}</code>
      <span class="meta"> ${callStatus(call, cell)} </span>
      ${told === "" ? nothing : html`<span class="told-input">${shown(told)}</span>`}
      ${progress === undefined || status !== "running" ? nothing : html`<span class="meta">${shown(progress)}</span>`}
    </summary>
    ${why.length === 0 ? nothing : html`<p class="hint">${shown(why.join(" "))}</p>`}
    <h3>Input</h3>
    <pre tabindex="0">${shown(json(input))}</pre>
    ${
      preview === undefined && error === undefined
        ? nothing
        : html`<h3>${error === undefined ? "Result" : "Error"}</h3>
            <pre tabindex="0">${shown(error ?? preview ?? "")}</pre>`
    }
    ${(call.changes ?? []).map(
      ({ path, diff }) =>
        html`<h3>${shown(path)}</h3>
          <pre class="diff-text" tabindex="0">${showDiff(diff, shown)}</pre>`,
    )}
    <attachment-list .app=${app} .attachments=${call.attachments}></attachment-list>
  </details>`;
}

function json(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "nothing");
}
