import { html, nothing } from "lit";
import { isUnfolded, setUnfolded } from "../parts/folds.ts";
import { icon } from "../parts/icons.ts";
import { View } from "../parts/view.ts";
import type { App } from "../stores/app.ts";
import type { ActivityRow, Call, Cell } from "../stores/transcript-rows.ts";
import { linkTo } from "../stores/route.ts";
import { shown } from "../text/shown.ts";
import { duration } from "../text/times.ts";
import { count } from "../text/words.ts";
import { hasNoted } from "./noted-line.ts";
import { showCell } from "./show-cell.ts";

/** `<activity-fold>`: what Deputy did, as one quiet line; unfolded, its programs with each call at its line. */
class ActivityFold extends View {
  static override properties = { app: {}, row: {}, isOpen: { state: true } };
  declare app: App;
  declare row: ActivityRow;
  declare isOpen: boolean;

  override connectedCallback(): void {
    super.connectedCallback();
    this.isOpen = isUnfolded(this.row.key);
  }

  #toggle(): void {
    this.isOpen = !this.isOpen;
    setUnfolded(this.row.key, this.isOpen);
  }

  #runLink({ id: run }: Cell): string {
    const route = this.app.router.route.value;
    return linkTo({ page: "conversation", id: route.page === "conversation" ? route.id : "", run });
  }

  protected override render() {
    const { row, isOpen } = this;
    const calls = row.cells.flatMap((cell) => cell.calls);
    const failures = calls.filter(({ status }) => status === "failed" || status === "unknown");
    const noted = calls.filter(hasNoted);
    return html`<div class="activity ${isOpen ? "open" : ""}">
      <button type="button" class="summary" aria-expanded=${isOpen} @click=${() => this.#toggle()}>
        ${icon("open")}
        <span class="what">${describeActivity(row)}</span>
        ${isWaiting(row) ? icon("clock") : row.isOpen && isBusy(row) ? icon("busy") : nothing}
      </button>
      ${isOpen ? nothing : failures.map(showFailure)}
      ${noted.map((call) => html`<noted-line .app=${this.app} .call=${call}></noted-line>`)}
      ${
        isOpen
          ? html`<div class="details">
              ${row.thoughts.map((text) => html`<p class="thought" dir="auto">${shown(text)}</p>`)}
              ${row.cells.map(
                (cell) =>
                  html`${showCell(cell, this.app)}
                  ${cell.calls.length === 0 ? nothing : html`<p><a class="with-icon" href=${this.#runLink(cell)}>${icon("play")} Step through it</a></p>`}`,
              )}
            </div>`
          : nothing
      }
    </div>`;
  }
}
customElements.define("activity-fold", ActivityFold);

/** One of its programs is written or runs: the line itself says so. */
export function isBusy({ cells }: Pick<ActivityRow, "cells">): boolean {
  return cells.some(
    ({ endedAt, diagnostics, code, calls }) =>
      (endedAt === undefined && diagnostics.length === 0 && code !== "") ||
      calls.some(({ status }) => status === "running"),
  );
}

/** Nothing goes on in it before somebody has answered. */
function isWaiting({ cells, isOpen }: Pick<ActivityRow, "cells" | "isOpen">): boolean {
  return isOpen && cells.some(({ questions }) => questions.length > 0);
}

const SEARCHED = "deputy.searchTools";
const DESCRIBED = "deputy.describeTools";

/** “Searched tools · Ran a program: github.issues.list, github.issues.close × 3 · 1.4 s”. */
export function describeActivity(row: ActivityRow): string {
  const { cells, thoughts, isOpen } = row;
  const calls = cells.flatMap((cell) => cell.calls);
  const programs = cells.filter(
    ({ code, diagnostics, endedAt, calls: own }) =>
      // Looking for tools is not what a reader calls a program.
      (own.length === 0 || !own.every(isLooking)) &&
      code !== "" &&
      diagnostics.length === 0 &&
      (endedAt !== undefined || isOpen),
  );
  const wrong = cells.filter(({ diagnostics }) => diagnostics.length > 0).length;
  const parts: string[] = [];
  if (thoughts.length > 0) parts.push("Thought about it");
  if (calls.some(isLooking))
    parts.push(isOpen && cells.at(-1)?.code === "" ? "Searching tools…" : "Searched tools");
  if (wrong > 0) parts.push(`${count(wrong, "program")} did not typecheck, and did not run`);
  const used = usedTools(calls);
  if (programs.length > 0) {
    const isRunning = programs.some(({ endedAt }) => endedAt === undefined);
    const what = programs.length === 1 ? "a program" : `${programs.length} programs`;
    const goesOn = isWaiting(row) ? "Waiting for an answer in" : isRunning ? "Running" : "Ran";
    parts.push(`${goesOn} ${what}${used === "" ? "" : `: ${used}`}`);
  } else if (used !== "") parts.push(isWaiting(row) ? `Waiting for an answer: ${used}` : used);
  const took = tookMs(cells);
  if (took !== undefined && programs.length > 0) parts.push(duration(took));
  return parts.length === 0 ? "Worked" : parts.join(" · ");
}

function isLooking({ toolPath }: Call): boolean {
  return toolPath === SEARCHED || toolPath === DESCRIBED;
}

function usedTools(calls: readonly Call[]): string {
  const own = calls.filter((call) => !isLooking(call));
  const groups = [...Map.groupBy(own, ({ toolPath }) => toolPath)];
  const shownGroups = groups
    .slice(0, 4)
    .map(([path, some]) => (some.length === 1 ? path : `${path} × ${some.length}`));
  return groups.length > 4
    ? `${shownGroups.join(", ")} and ${groups.length - 4} more`
    : shownGroups.join(", ");
}

/** Without the time in which it waited for an answer. */
function tookMs(cells: readonly Cell[]): number | undefined {
  const ended = cells.filter(({ endedAt }) => endedAt !== undefined);
  if (ended.length === 0) return undefined;
  return ended.reduce((sum, { startedAt, endedAt = startedAt, calls, wasAsked }) => {
    if (!wasAsked) return sum + Date.parse(endedAt) - Date.parse(startedAt);
    return sum + calls.reduce((all, { durationMs = 0 }) => all + durationMs, 0);
  }, 0);
}

/** A failure never folds. */
function showFailure({ toolPath, status, error }: Call) {
  const what = status === "unknown" ? "it is unknown whether this took effect" : (error ?? "failed");
  return html`<p class="failure">
    ${icon("failed")} <span><code>${shown(toolPath)}</code> ${shown(what)}</span>
  </p>`;
}
