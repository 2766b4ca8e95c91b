import type { ListedSession } from "@deputy/protocol/rpc";
import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import "../parts/action-menu.ts";
import { badge } from "../parts/badge.ts";
import { icon, type IconName, logo } from "../parts/icons.ts";
import { applySideFold, foldSide, isSideFolded, SIDE_FOLDED } from "../parts/side-fold.ts";
import { View } from "../parts/view.ts";
import type { App } from "../stores/app.ts";
import { linkTo, type Route } from "../stores/route.ts";
import { shown } from "../text/shown.ts";
import { dayGroup } from "../text/times.ts";
import { conversationMenu, titleOf } from "./conversation-menu.ts";

/** `<side-bar>`: where one can go, and every conversation, those that wait for the reader first. */
class SideBar extends View {
  static override properties = { app: {}, isFolded: { state: true } };
  declare app: App;
  declare isFolded: boolean;

  override connectedCallback(): void {
    super.connectedCallback();
    const read = (): void => void (this.isFolded = isSideFolded());
    document.addEventListener(SIDE_FOLDED, read, { signal: this.life });
    applySideFold();
  }

  #link(route: Route, name: IconName, label: string, more: unknown = nothing) {
    const isHere = this.app.router.route.value.page === route.page;
    return html`<a
      class="place"
      href=${linkTo(route)}
      title=${this.#title(label)}
      aria-current=${isHere ? "page" : nothing}
    >
      ${icon(name)}<span>${label}</span>${more}
    </a>`;
  }

  /** What an icon means that stands alone. */
  #title(label: string) {
    return this.isFolded ? label : nothing;
  }

  #tell(event: string): void {
    this.dispatchEvent(new CustomEvent(event));
  }

  #item(session: ListedSession, isWaiting: boolean) {
    const { app } = this;
    const route = app.router.route.value;
    const isHere = route.page === "conversation" && route.id === session.id;
    const title = titleOf(session);
    const state = isWaiting ? "waits for you" : session.isRunning ? "running" : undefined;
    return html`<li class="conversation">
      <a
        href=${linkTo({ page: "conversation", id: session.id })}
        aria-current=${isHere ? "page" : nothing}
        title=${title}
      >
        <span class="title" dir="auto">${shown(title)}</span>
        ${
          session.channel === "web" || session.channel === "ws"
            ? nothing
            : html`<span class="channel">${shown(session.channel)}</span>`
        }
        ${
          state === undefined
            ? nothing
            : html`<span class="dot ${isWaiting ? "waiting" : "running"}"></span
                ><span class="for-screen-readers">${state}</span>`
        }
      </a>
      <action-menu
        .label=${`What to do with ${title}`}
        .items=${conversationMenu(app, session)}
      ></action-menu>
    </li>`;
  }

  #conversations() {
    const { lists, nowMs } = this.app;
    const all = lists.sessions.value;
    if (all === undefined) return html`<p class="hint empty">Loading…</p>`;
    const sessions = all.filter(
      ({ isTask, isArchived, turns, isRunning }) => !isTask && !isArchived && (turns > 0 || isRunning),
    );
    const asking = new Set((lists.approvals.value ?? []).map(({ stream }) => stream as string));
    const groups = Map.groupBy(sessions, (session) =>
      asking.has(session.id) ? "Waits for you" : dayGroup(session.lastAt, nowMs.value),
    );
    if (sessions.length === 0)
      return html`<p class="hint empty">
        Your conversations will be here: those on this page, in the terminal and in editors.
      </p>`;
    const order = ["Waits for you", "Today", "Yesterday", "Last week", "Last month", "Earlier"];
    return order.flatMap((name) => {
      const group = groups.get(name);
      if (group === undefined) return [];
      return [
        html`<section class="day">
          <h2>${name}</h2>
          <ul>
            ${repeat(
              group,
              ({ id }) => id,
              (session) => this.#item(session, name === "Waits for you"),
            )}
          </ul>
        </section>`,
      ];
    });
  }

  protected override render() {
    const waiting = this.app.lists.approvals.value?.length ?? 0;
    return html`<div class="side">
      <header>
        <a class="home" href=${linkTo({ page: "new" })}>${logo()}<span>Deputy</span></a>
        <button
          type="button"
          class="quiet icon-only no-phone"
          aria-expanded=${!this.isFolded}
          aria-label="Side bar"
          title=${this.isFolded ? "Unfold the side bar" : "Fold the side bar"}
          @click=${() => foldSide(!this.isFolded)}
        >
          ${icon("side")}
        </button>
        <button
          type="button"
          class="quiet icon-only only-phone"
          aria-label="Close the menu"
          @click=${() => this.#tell("close-drawer")}
        >
          ${icon("close")}
        </button>
      </header>
      <nav aria-label="Places">
        ${this.#link({ page: "new" }, "new", "New conversation")}
        <button
          type="button"
          class="place"
          title=${this.#title("Search")}
          @click=${() => this.#tell("open-palette")}
        >
          ${icon("search")}<span>Search</span><kbd>Ctrl K</kbd>
        </button>
        ${this.#link({ page: "approvals" }, "approvals", "Approvals", badge(waiting))}
        ${this.#link({ page: "tasks", isNew: false }, "tasks", "Tasks")}
        ${this.#link({ page: "workspace" }, "workspace", "Workspace")}
        ${this.#link({ page: "tools" }, "tools", "Tools")}
        ${this.app.lists.hasMemory.value ? this.#link({ page: "memory" }, "memory", "Memory") : nothing}
        ${this.#link({ page: "usage" }, "usage", "Usage")}
        ${this.#link({ page: "activity", query: "" }, "activity", "Activity")}
        ${this.#link({ page: "settings" }, "settings", "Settings")}
      </nav>
      <nav class="conversations" aria-label="Conversations">${this.#conversations()}</nav>
      <footer>
        <button
          type="button"
          class="quiet small"
          title=${this.#title("Keys")}
          @click=${() => this.#tell("open-keys")}
        >
          ${icon("keys")} <span>Keys</span>
        </button>
        <a class="quiet small" href=${linkTo({ page: "archive" })} title=${this.#title("Archive")}>
          ${icon("archive")} <span>Archive</span>
        </a>
      </footer>
    </div>`;
  }
}
customElements.define("side-bar", SideBar);
