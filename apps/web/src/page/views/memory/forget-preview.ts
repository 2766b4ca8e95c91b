import type { RpcParams, RpcResult } from "@deputy/protocol/rpc";
import { html, nothing, type PropertyValues } from "lit";
import { View } from "../../parts/view.ts";
import type { App } from "../../stores/app.ts";
import { shown, shownProse } from "../../text/shown.ts";
import { count, failureText } from "../../text/words.ts";
import { nameOf } from "./memory-words.ts";
import { readNote } from "./note-items.ts";

export type Wish = Omit<RpcParams<"memory.forget">, "dryRun" | "agent">;
type Report = RpcResult<"memory.forget">;

/**
 * `<forget-preview>`: what a wish would take away and what would stay; a button then forgets it for good. Tells with
 * `forgotten` that it did, and with `cancelled` that the reader does not want it.
 */
class ForgetPreview extends View {
  static override properties = {
    app: {},
    wish: {},
    isBesideIt: {},
    report: { state: true },
    isDone: { state: true },
    busy: { state: true },
    message: { state: true },
  };
  declare app: App;
  declare wish: Wish;
  /** The one line that would go stands above it. */
  declare isBesideIt: boolean;
  declare report: Report | undefined;
  declare isDone: boolean;
  declare busy: boolean;
  declare message: string;

  constructor() {
    super();
    this.isBesideIt = false;
    this.isDone = false;
    this.busy = false;
    this.message = "";
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("wish")) void this.#look();
  }

  async #look(): Promise<void> {
    const { wish } = this;
    this.report = undefined;
    this.isDone = false;
    this.message = "";
    try {
      const report = await this.app.connection.call("memory.forget", { ...wish, dryRun: true });
      if (wish !== this.wish) return;
      this.report = report;
      this.app.announce("What would be forgotten is shown. Nothing is removed yet.");
    } catch (error) {
      if (wish === this.wish) this.message = failureText(error);
    }
  }

  async #forget(): Promise<void> {
    const { wish } = this;
    if (this.busy) return;
    this.busy = true;
    try {
      const report = await this.app.connection.call("memory.forget", wish);
      if (wish !== this.wish) return;
      this.report = report;
      this.isDone = true;
      this.message = "";
      this.app.announce("Forgotten.");
      this.dispatchEvent(new CustomEvent("forgotten"));
    } catch (error) {
      this.message = failureText(error);
    } finally {
      this.busy = false;
    }
  }

  /** The words themselves, so that nobody forgets for good what they have not seen. */
  #lines({ shown: lines = [], removed }: Report) {
    if (lines.length === 0 || (this.isBesideIt && removed.lines === 1)) return nothing;
    const more = removed.lines - lines.length;
    return html`<ul class="lines-to-forget">
        ${lines.map(
          ({ path, text }) =>
            html`<li>
              <span dir="auto">${shownProse(wordsIn(text))}</span>
              <span class="meta">${shown(nameOf(this.app, path))}</span>
            </li>`,
        )}
      </ul>
      ${more > 0 ? html`<p class="hint">${count(more, "more line")}</p>` : nothing}`;
  }

  #stays({ kept }: Report) {
    if (kept.length === 0) return nothing;
    return html`<p class="title">${this.isDone ? "Stayed" : "Would stay"}</p>
      <ul>
        ${kept.map(
          ({ what, why, count: times }) =>
            html`<li>${shown(what)}${times > 1 ? ` (${times})` : nothing}: ${shown(why)}.</li>`,
        )}
      </ul>`;
  }

  protected override render() {
    const { report } = this;
    if (report === undefined)
      return html`<p class="trouble" role="alert">${shown(this.message)}</p>
        ${this.message === "" ? html`<p class="hint">Looking for what would go…</p>` : nothing}`;
    const goes = removedWords(report.removed);
    return html`<div class="card forget-card">
      ${
        goes.length === 0 && !this.isDone
          ? html`<p>Nothing fits: there is nothing to forget.</p>`
          : html`<p class="title">${this.isDone ? "Forgotten" : "Would go, for good"}</p>
              <ul>
                ${goes.length === 0 ? html`<li>nothing</li>` : goes.map((line) => html`<li>${line}</li>`)}
              </ul>
              ${this.#lines(report)}`
      }
      ${this.#stays(report)}
      <p class="trouble" role="alert">${shown(this.message)}</p>
      ${
        this.isDone
          ? nothing
          : html`<div class="buttons">
              ${
                goes.length === 0
                  ? nothing
                  : html`<button
                      type="button"
                      class="danger"
                      ?disabled=${this.busy}
                      @click=${() => void this.#forget()}
                    >
                      ${this.busy ? "Forgetting…" : "Forget for good"}
                    </button>`
              }
              <button type="button" @click=${() => this.dispatchEvent(new CustomEvent("cancelled"))}>
                Cancel
              </button>
            </div>`
      }
    </div>`;
  }
}
customElements.define("forget-preview", ForgetPreview);

/** Of a line of a note, without the marks around it. */
function wordsIn(line: string): string {
  return (
    readNote(line)
      .map(({ text }) => text)
      .join(" ") || line
  );
}

function removedWords(removed: Report["removed"]) {
  const { lines, files, events, recalled, attachments = 0, conversations, pieces } = removed;
  const where = conversations === 0 ? "" : `, in ${count(conversations, "conversation")}`;
  const copies = recalled === 0 ? "" : `; ${recalled.toLocaleString()} of them recalled text`;
  return [
    ...(lines === 0 ? [] : [`${count(lines, "line")} of notes`]),
    ...(files === 0 ? [] : [count(files, "whole note")]),
    ...(events === 0
      ? []
      : [`${count(events, "entry", "entries")} of the log (what was said and done)${where}${copies}`]),
    ...(attachments === 0 ? [] : [count(attachments, "attached file")]),
    ...(pieces === 0 ? [] : [`${count(pieces, "piece")} of the index`]),
  ];
}
