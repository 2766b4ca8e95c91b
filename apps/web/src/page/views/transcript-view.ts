import { html, nothing, type PropertyValues } from "lit";
import { guard } from "lit/directives/guard.js";
import { repeat } from "lit/directives/repeat.js";
import { icon } from "../parts/icons.ts";
import { View } from "../parts/view.ts";
import type { App } from "../stores/app.ts";
import type { ConversationStore } from "../stores/conversation.ts";
import { shown } from "../text/shown.ts";
import { createScroller, type Scroller } from "./scroller.ts";
import { renderRow } from "./transcript-row.ts";

/** `<transcript-view>`: what was said and done, with the place that the reader looks at standing still. */
export class TranscriptView extends View {
  static override properties = { app: {}, store: {}, hasNews: { state: true } };
  declare app: App;
  declare store: ConversationStore;
  declare hasNews: boolean;
  #scroller: Scroller | undefined;
  #shownFirst = false;

  constructor() {
    super();
    this.hasNews = false;
  }

  /** What was just said rises to the top. */
  anchorNext(): void {
    this.#scroller?.anchorNext();
  }

  protected override firstUpdated(): void {
    const scroll = this.querySelector<HTMLElement>(".scroll");
    const rows = this.querySelector<HTMLElement>(".rows");
    const spacer = this.querySelector<HTMLElement>(".spacer");
    if (scroll === null || rows === null || spacer === null) throw new Error("The transcript has no rows");
    this.#scroller = createScroller({
      scroll,
      rows,
      spacer,
      onTop: () => void this.#loadEarlier(),
      onNews: (hasNews) => (this.hasNews = hasNews),
      signal: this.life,
    });
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("store")) this.#shownFirst = false;
    this.#scroller?.beforeChange();
  }

  protected override updated(): void {
    const { isLoading, rows } = this.store.state.peek();
    if (!this.#shownFirst && !isLoading) {
      this.#shownFirst = true;
      const route = this.app.router.route.peek();
      const seq = route.page === "conversation" ? route.seq : undefined;
      const key = seq === undefined ? undefined : rows.find((row) => (row.seq ?? 0) >= seq)?.key;
      this.#scroller?.begin(key);
      void this.#fill();
      return;
    }
    this.#scroller?.afterChange();
    if (this.#scroller?.isRiding() === true) this.store.forgetEarlier();
  }

  /** Short turns do not fill the screen: earlier ones come along. */
  async #fill(): Promise<void> {
    const { store } = this;
    while (store === this.store && store.state.peek().hasEarlier && this.#scroller?.isShort() === true) {
      const before = store.state.peek().rows.length;
      await store.loadEarlier();
      await new Promise((done) => setTimeout(done, 50));
      await this.updateComplete;
      if (store.state.peek().rows.length === before) return;
    }
  }

  async #loadEarlier(): Promise<void> {
    if (this.store.state.peek().hasEarlier) await this.store.loadEarlier();
  }

  #working(rows: ConversationStore["state"]["value"]["rows"]) {
    const last = rows.at(-1);
    const isBusyElsewhere =
      (last?.kind === "answer" && last.isStreaming) ||
      last?.kind === "activity" ||
      (last?.kind === "question" && last.answer === undefined);
    if (isBusyElsewhere) return nothing;
    return html`<p class="working">${icon("busy")} Thinking…</p>`;
  }

  protected override render() {
    const { rows, isLoading, hasEarlier, trouble, openTurn } = this.store.state.value;
    const pending = this.app.lists.approvals.value;
    return html`<div class="scroll" role="log" aria-live="off" aria-label="Conversation" tabindex="0">
        <div class="column">
          ${
            hasEarlier
              ? html`<p class="earlier">
                  <button type="button" class="small" @click=${() => void this.#loadEarlier()}>
                    Show earlier messages
                  </button>
                </p>`
              : nothing
          }
          ${isLoading ? html`<p class="working">${icon("busy")} Loading…</p>` : nothing}
          ${trouble === undefined ? nothing : html`<p class="line trouble-line">${icon("alert")} ${shown(trouble)}</p>`}
          <div class="rows">
            ${repeat(
              rows,
              ({ key }) => key,
              (row) =>
                guard(
                  row.kind === "question" ? [row, pending] : [row],
                  () =>
                    html`<article class="row row-${row.kind}" data-key=${row.key}>
                      ${renderRow(row, this.app, this.store)}
                    </article>`,
                ),
            )}
            ${openTurn === undefined ? nothing : this.#working(rows)}
          </div>
          <div class="spacer"></div>
        </div>
      </div>
      ${
        this.hasNews
          ? html`<button type="button" class="news" @click=${() => this.#scroller?.toEnd()}>
              ${icon("down")} new
            </button>`
          : nothing
      }`;
  }
}
customElements.define("transcript-view", TranscriptView);
declare global {
  interface HTMLElementTagNameMap {
    "transcript-view": TranscriptView;
  }
}
