import { effect } from "@preact/signals-core";
import { html, nothing, type PropertyValues } from "lit";
import { guard } from "lit/directives/guard.js";
import { repeat } from "lit/directives/repeat.js";
import { icon } from "../parts/icons.ts";
import { View } from "../parts/view.ts";
import type { App } from "../stores/app.ts";
import type { ConversationStore } from "../stores/conversation.ts";
import type { Route } from "../stores/route.ts";
import type { Row } from "../stores/transcript-rows.ts";
import { shown } from "../text/shown.ts";
import { isBusy } from "./activity-fold.ts";
import { createDrawnRows } from "./drawn-rows.ts";
import { createScroller, type Scroller } from "./scroller.ts";
import { renderRow } from "./transcript-row.ts";

/** `<transcript-view>`: what was said and done, with the place that the reader looks at standing still. */
export class TranscriptView extends View {
  static override properties = { app: {}, store: {}, isFar: { state: true } };
  declare app: App;
  declare store: ConversationStore;
  /** The end is out of sight. */
  declare isFar: boolean;
  /** The last row as it was when the reader was at the end: any other is news. */
  #seenLast: Row | undefined;
  #scroller: Scroller | undefined;
  #shownFirst = false;
  #drawn = createDrawnRows();

  constructor() {
    super();
    this.isFar = false;
  }

  /** What is said next rises to the top. */
  anchorNext(): void {
    this.#scroller?.anchorNext(this.#goToLastSaid());
  }

  /** What is said next joins what is being written: both are shown. */
  showNext(): void {
    this.#scroller?.showNext(this.#goToLastSaid());
  }

  #goToLastSaid(): string | undefined {
    const { rows } = this.store.state.peek();
    this.#drawn.goToEnd(rows);
    return rows.findLast(({ kind }) => kind === "said")?.key;
  }

  protected override firstUpdated(): void {
    const scroll = this.querySelector<HTMLElement>(".scroll");
    const rows = this.querySelector<HTMLElement>(".rows");
    const spacer = this.querySelector<HTMLElement>(".spacer");
    if (scroll === null || rows === null || spacer === null) throw new Error("The transcript has no rows");
    // A hit in the conversation that is open already.
    const wanted = (route: Route): string =>
      route.page === "conversation" && route.seq !== undefined ? `${route.seq} ${route.words}` : "";
    let before = wanted(this.app.router.route.peek());
    const stop = effect(() => {
      const route = this.app.router.route.value;
      const isOther = wanted(route) !== before;
      before = wanted(route);
      if (isOther && route.page === "conversation" && route.id === this.store.id && route.seq !== undefined)
        void this.#find(route.seq, route.words);
    });
    this.life.addEventListener("abort", stop, { once: true });
    this.#scroller = createScroller({
      scroll,
      rows,
      spacer,
      onTop: () => void this.#goUp(),
      onBottom: () => {
        if (this.#drawn.goDown(this.store.state.peek().rows)) this.requestUpdate();
      },
      hasEnd: () => this.#drawn.hasEnd(),
      onNews: (isFar) => {
        // Whoever does not follow the end has not seen what came since, however near it is.
        if (this.#scroller?.isRiding() !== false || this.#seenLast === undefined)
          this.#seenLast = this.store.state.peek().rows.at(-1);
        this.isFar = isFar;
      },
      signal: this.life,
    });
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("store")) {
      this.#shownFirst = false;
      this.#seenLast = undefined;
      this.#drawn = createDrawnRows();
    }
    this.#scroller?.beforeChange();
  }

  protected override updated(): void {
    const { isLoading } = this.store.state.peek();
    if (!this.#shownFirst && !isLoading) {
      this.#shownFirst = true;
      const route = this.app.router.route.peek();
      this.#scroller?.begin();
      if (route.page === "conversation" && route.seq !== undefined) void this.#find(route.seq, route.words);
      else void this.#fill();
      return;
    }
    this.#scroller?.afterChange();
    if (this.#scroller?.isRiding() === true) this.store.forgetEarlier();
  }

  /** Goes to what was found, however far up it is, and marks its words. */
  async #find(seq: number, words: string | undefined): Promise<void> {
    const { store } = this;
    await store.reach(seq);
    await nextFrame();
    await this.updateComplete;
    if (store !== this.store) return;
    const { rows } = store.state.peek();
    const found = rows.findLast((row) => row.seq !== undefined && row.seq <= seq) ?? rows[0];
    if (found === undefined) return;
    this.#drawn.goTo(rows, found.key);
    this.requestUpdate();
    await this.updateComplete;
    this.#scroller?.begin(found.key, words);
  }

  /** Short turns do not fill the screen: earlier ones come along. */
  async #fill(): Promise<void> {
    const { store } = this;
    while (store === this.store && store.state.peek().hasEarlier && this.#scroller?.isShort() === true) {
      const before = store.state.peek().rows.length;
      await store.loadEarlier();
      await nextFrame();
      await this.updateComplete;
      if (store.state.peek().rows.length === before) return;
    }
  }

  async #goUp(): Promise<void> {
    const { rows } = this.store.state.peek();
    if (this.#drawn.goUp(rows)) this.requestUpdate();
    else await this.#loadEarlier();
  }

  async #goToEnd(): Promise<void> {
    this.#drawn.goToEnd(this.store.state.peek().rows);
    this.requestUpdate();
    await this.updateComplete;
    this.#scroller?.toEnd();
  }

  async #loadEarlier(): Promise<void> {
    if (this.store.state.peek().hasEarlier) await this.store.loadEarlier();
  }

  /** What goes on, where no row says it: the model thinks, or what was said last waits for what stands above it. */
  #working(rows: readonly Row[]) {
    const last = rows.at(-1);
    const isOnItsWay = last?.kind === "said" && last.seq === undefined;
    // Without a connection nobody knows, and what is on its way says so itself.
    if (isOnItsWay || this.app.connection.state.value.kind !== "open") return nothing;
    const before = rows.findLast((row) => isGoingOn(row) || endsTurn(row));
    if (before === undefined || endsTurn(before))
      return html`<p class="working">${icon("busy")} Thinking…</p>`;
    if (last === before) return nothing;
    return html`<p class="sending hint">${icon("clock")} ${WAITS[before.kind]}</p>`;
  }

  protected override render() {
    const { rows, isLoading, hasEarlier, trouble, openTurn } = this.store.state.value;
    const pending = this.app.lists.approvals.value;
    const isRiding = this.#scroller?.isRiding() ?? true;
    const drawn = this.#drawn.of(rows, isRiding ? rows.at(-1)?.key : this.#scroller?.seenKey());
    const isAllDrawn = drawn[0] === rows[0];
    return html`<div class="scroll" role="log" aria-live="off" aria-label="Conversation" tabindex="0">
        <div class="column">
          ${
            hasEarlier || !isAllDrawn
              ? html`<p class="earlier">
                  <button type="button" class="small" @click=${() => void this.#goUp()}>
                    Show earlier messages
                  </button>
                </p>`
              : nothing
          }
          ${isLoading ? html`<p class="working">${icon("busy")} Loading…</p>` : nothing}
          ${trouble === undefined ? nothing : html`<p class="line trouble-line">${icon("alert")} <span>${shown(trouble)}</span></p>`}
          <div class="rows">
            ${repeat(
              drawn,
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
            ${openTurn === undefined || !this.#drawn.hasEnd() ? nothing : this.#working(rows)}
          </div>
          <div class="spacer"></div>
        </div>
      </div>
      ${
        this.isFar
          ? html`<button type="button" class="news" @click=${() => void this.#goToEnd()}>
              ${icon("down")} ${rows.at(-1) === this.#seenLast ? "To the end" : "New"}
            </button>`
          : nothing
      }`;
  }
}

/** What is said meanwhile is read after it. */
const WAITS: Partial<Record<Row["kind"], string>> = {
  answer: "Deputy reads this after the answer above.",
  activity: "Deputy reads this after the program above.",
  question: "Deputy reads this once you have answered the question above.",
};

function isGoingOn(row: Row): boolean {
  return (
    (row.kind === "answer" && row.isStreaming) ||
    (row.kind === "activity" && row.isOpen && isBusy(row)) ||
    (row.kind === "question" && row.answer === undefined)
  );
}

function endsTurn(row: Row): boolean {
  return row.kind === "end" || (row.kind === "answer" && row.turnEndSeq !== undefined);
}

/** What stores changed is drawn by then. */
function nextFrame(): Promise<void> {
  return new Promise((done) => setTimeout(() => requestAnimationFrame(() => done()), 0));
}

customElements.define("transcript-view", TranscriptView);
declare global {
  interface HTMLElementTagNameMap {
    "transcript-view": TranscriptView;
  }
}
