import { html, type PropertyValues } from "lit";
import { icon, type IconName } from "../parts/icons.ts";
import { timeText } from "../parts/time-text.ts";
import { View } from "../parts/view.ts";
import type { App } from "../stores/app.ts";
import type { ConversationStore } from "../stores/conversation.ts";
import { linkTo } from "../stores/route.ts";
import { type RunStep, stepOf } from "../stores/run-steps.ts";
import type { Cell } from "../stores/transcript-rows.ts";
import { cellFailure } from "../text/call-words.ts";
import { shown } from "../text/shown.ts";
import { showCell } from "./show-cell.ts";

const DECIDED = { allow: "was allowed", ask: "was put to you", deny: "was refused" } as const;
const ENDED = {
  decided: "was decided",
  running: "runs",
  succeeded: "was done",
  failed: "failed",
  denied: "was denied",
  unknown: "may or may not have taken effect",
} as const;

/** `<run-panel>`: one program beside its conversation, live or step by step. The step is in the address. */
class RunPanel extends View {
  static override properties = { app: {}, store: {}, run: {}, step: {} };
  declare app: App;
  declare store: ConversationStore;
  declare run: string;
  declare step: number | undefined;

  #find(): Cell | undefined {
    for (const row of this.store.state.value.rows.toReversed())
      if (row.kind === "activity") {
        const found = row.cells.find(({ id }) => id === this.run);
        if (found !== undefined) return found;
      }
    return undefined;
  }

  protected override updated(changed: PropertyValues): void {
    const { hasEarlier, isLoading } = this.store.state.peek();
    if (!isLoading && hasEarlier && this.#find() === undefined) void this.store.loadEarlier();
    // The step that the reader went to is in sight, however long the program is.
    if (!changed.has("step") || this.step === undefined) return;
    const line = this.querySelector(".stepped .current");
    (line?.querySelector(".call[open] > summary") ?? line)?.scrollIntoView({ block: "nearest" });
  }

  #go(step: number): void {
    this.app.router.replace({ page: "conversation", id: this.store.id, run: this.run, step });
  }

  #key(event: KeyboardEvent): void {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault();
    this.app.router.go({ page: "conversation", id: this.store.id });
  }

  #says({ number, moment, call, cell }: RunStep) {
    if (moment === undefined || call === undefined) {
      if (number === 0) return "The program was written, and nothing has run.";
      const failure = cellFailure(cell);
      if (failure === undefined) return "The program has ended.";
      return failure === cell.error ? "The program has failed." : failure;
    }
    const why = moment.what === "decided" && call.why.length > 0 ? `: ${call.why.join(" ")}` : ".";
    const decided = call.isGranted === true ? "was approved before" : DECIDED[call.decision ?? "allow"];
    const what = moment.what === "decided" ? decided : ENDED[call.status];
    return html`<code>${shown(call.toolPath)}</code> ${what}${shown(why)}
      <span class="hint">${timeText(moment.at, this.app.nowMs.value)}</span>`;
  }

  #steps(at: RunStep) {
    const { number, last } = at;
    const button = (to: number, label: string, name: IconName) =>
      html`<button
        type="button"
        class="small icon-only"
        aria-label=${label}
        ?disabled=${to < 0 || to > last || to === number}
        @click=${() => this.#go(to)}
      >
        ${icon(name)}
      </button>`;
    return html`<div class="steps">
        ${button(0, "To the beginning", "first")} ${button(number - 1, "Step back", "back")}
        <input
          type="range"
          aria-label="Step"
          aria-valuetext=${`${number} of ${last}`}
          min="0"
          max=${last}
          .value=${String(number)}
          @input=${({ target }: Event) => this.#go(Number((target as HTMLInputElement).value))}
        />
        ${button(number + 1, "Step forward", "open")} ${button(last, "To the end", "last")}
      </div>
      <p class="says" role="status">
        <strong
          >${this.step === undefined && at.cell.endedAt === undefined ? "Now" : `Step ${number} of ${last}`}</strong
        >
        ${this.#says(at)}
      </p>`;
  }

  protected override render() {
    const cell = this.#find();
    const { isLoading, hasEarlier } = this.store.state.value;
    const at = cell === undefined ? undefined : stepOf(cell, this.step);
    return html`<aside class="panel" aria-label="Run" @keydown=${(event: KeyboardEvent) => this.#key(event)}>
      <header>
        <h2>What the program did</h2>
        <a class="button quiet small" href=${linkTo({ page: "conversation", id: this.store.id })}
          >${icon("close")} Close</a
        >
      </header>
      ${
        at === undefined
          ? html`<p class="hint">
              ${isLoading || hasEarlier ? "Loading…" : "This program is not in the conversation."}
            </p>`
          : html`${this.#steps(at)}
              <div class="stepped">${showCell(at.cell, this.app, at.call?.id)}</div>`
      }
    </aside>`;
  }
}
customElements.define("run-panel", RunPanel);
