import { html, nothing, type PropertyValues } from "lit";
import "../parts/action-menu.ts";
import { icon } from "../parts/icons.ts";
import { View } from "../parts/view.ts";
import type { App } from "../stores/app.ts";
import type { ConversationStore } from "../stores/conversation.ts";
import type { Answerer } from "../stores/outbox.ts";
import { shown } from "../text/shown.ts";
import { count, failureText } from "../text/words.ts";
import "./chat-composer.ts";
import { conversationMenu, titleOf } from "./conversation-menu.ts";
import "./transcript-view.ts";
import "./welcome-view.ts";

/** `<chat-page>`: one conversation, or the beginning of one. */
class ChatPage extends View {
  static override properties = { app: {}, store: {}, hasPanel: { state: true } };
  declare hasPanel: boolean;
  declare app: App;
  declare store: ConversationStore | undefined;
  #wasRunning = false;

  protected override updated(changed: PropertyValues): void {
    if (changed.has("store")) this.#wasRunning = this.store?.state.peek().openTurn !== undefined;
    this.#announce();
  }

  /** Screen readers hear that it began and that it ended, and then the answer once, whole. */
  #announce(): void {
    const state = this.store?.state.peek();
    if (state === undefined || state.isLoading) return;
    const isRunning = state.openTurn !== undefined;
    if (isRunning === this.#wasRunning) return;
    this.#wasRunning = isRunning;
    if (isRunning) {
      this.app.announce("Deputy has started.");
      return;
    }
    const last = state.rows.at(-1);
    if (last?.kind === "answer") this.app.announce(`Done. ${last.text}`);
    else if (last?.kind === "end")
      this.app.announce(last.how === "failed" ? `Failed. ${last.text}` : last.text);
  }

  /** What is looked at beside the conversation. Its code is loaded with the first one. */
  #panel() {
    const route = this.app.router.route.value;
    const { store } = this;
    if (store === undefined || route.page !== "conversation" || route.run === undefined) return nothing;
    if (!this.hasPanel) {
      void import("./run-panel.ts").then(() => (this.hasPanel = true));
      return nothing;
    }
    return html`<run-panel
      .app=${this.app}
      .store=${store}
      .run=${route.run}
      .step=${route.step}
    ></run-panel>`;
  }

  #send(text: string, attachments: readonly never[], who: Answerer): void {
    const { app, store } = this;
    if (store !== undefined) {
      const transcript = this.querySelector("transcript-view");
      if (store.state.peek().openTurn === undefined) transcript?.anchorNext();
      else transcript?.showNext();
      app.outbox.send(store.id, text, attachments);
      return;
    }
    app.actions.begin(text, attachments, who);
  }

  #head(store: ConversationStore) {
    const session = this.app.lists.sessions.value?.find(({ id }) => id === store.id);
    const { usage } = store.state.value;
    const { model } = session ?? {};
    return html`<header class="page-head">
      <h1 dir="auto">${shown(titleOf(session))}</h1>
      ${
        session === undefined
          ? nothing
          : html`<span class="meta">
                ${this.app.lists.agents.value.length < 2 ? nothing : html`<span>${shown(session.agentId)}</span>`}
                ${model === undefined ? nothing : html`<span class="model">${shown(model)}</span>`}
                ${usage === undefined || usage.tokens === 0 ? nothing : html`<span title="What models took in this conversation">${count(usage.tokens, "token")}${usage.cost === undefined ? nothing : ` · ${usage.cost}`}</span>`}
              </span>
              <action-menu
                .label=${`What to do with ${titleOf(session)}`}
                .items=${conversationMenu(this.app, session)}
              ></action-menu>`
      }
    </header>`;
  }

  protected override render() {
    const { app, store } = this;
    const session =
      store === undefined ? undefined : app.lists.sessions.value?.find(({ id }) => id === store.id);
    return html`<div class="chat-and-panel">
      <div class="chat ${store === undefined ? "is-new" : ""}">
        ${
          store === undefined
            ? html`<welcome-view
                .app=${app}
                @use-prompt=${({ detail }: CustomEvent<string>) => this.querySelector("chat-composer")?.use(detail)}
              ></welcome-view>`
            : html`${this.#head(store)}<transcript-view .app=${app} .store=${store}></transcript-view>`
        }
        ${
          session?.isTask === true
            ? html`<div class="composer-place">
                <p class="line">
                  <span>This is what a task did.</span>
                  <button type="button" class="small" @click=${() => void app.actions.fork(session.id)}>
                    ${icon("fork")} Continue in a copy
                  </button>
                </p>
              </div>`
            : html`<chat-composer
                .app=${app}
                .conversation=${store?.id}
                .isRunning=${store?.state.value.openTurn !== undefined}
                @send=${({ detail }: CustomEvent) => this.#send(detail.text, detail.attachments, detail.who)}
                @stop=${() => void store?.stop().catch((error: unknown) => app.tell(failureText(error)))}
              ></chat-composer>`
        }
      </div>
      ${this.#panel()}
    </div>`;
  }
}
customElements.define("chat-page", ChatPage);
