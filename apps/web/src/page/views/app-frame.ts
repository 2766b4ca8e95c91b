import { effect } from "@preact/signals-core";
import { html, nothing, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import { warmUpMarkdown } from "../markdown/warm-up.ts";
import { badge } from "../parts/badge.ts";
import { icon } from "../parts/icons.ts";
import { registerServiceWorker } from "../parts/service-worker.ts";
import { refuseDrops } from "../parts/take-drops.ts";
import { applyTheme } from "../parts/theme.ts";
import { focusMain, keepFocus } from "../parts/keep-focus.ts";
import { View } from "../parts/view.ts";
import type { App } from "../stores/app.ts";
import { linkTo, type Route } from "../stores/route.ts";
import { shown, spoken } from "../text/shown.ts";
import "./chat-page.ts";
import { openPalette } from "./palette-dialog.ts";
import "./side-bar.ts";
import "./wide-grants.ts";

/** Pages that are loaded when somebody goes there. */
const LATER = {
  approvals: () => import("./approvals-page.ts"),
  tasks: () => import("./tasks-page.ts"),
  task: () => import("./task-page.ts"),
  workspace: () => import("./workspace-page.ts"),
  tools: () => import("./tools-page.ts"),
  usage: () => import("./usage-page.ts"),
  activity: () => import("./activity-page.ts"),
  memory: () => import("./memory-page.ts"),
  settings: () => import("./settings-page.ts"),
  archive: () => import("./archive-page.ts"),
} as const;

/** `<app-frame>`: what stands around every page: the list on the left, the bar of a phone, what is the matter. */
class AppFrame extends View {
  static override properties = { app: {}, isDrawerOpen: { state: true }, isOutdated: { state: true } };
  declare app: App;
  declare isDrawerOpen: boolean;
  declare isOutdated: boolean;
  readonly #loaded = new Set<string>();
  #place: string | undefined;

  constructor() {
    super();
    this.isDrawerOpen = false;
    this.isOutdated = false;
    applyTheme();
    registerServiceWorker();
  }

  protected override firstUpdated(): void {
    let known: ReadonlySet<string> | undefined;
    const stop = effect(() => {
      const approvals = this.app.lists.approvals.value;
      showCount(approvals?.length ?? 0);
      const [fresh] = approvals?.filter(({ id }) => known?.has(id) === false) ?? [];
      known = approvals === undefined ? known : new Set(approvals.map(({ id }) => id));
      if (fresh !== undefined)
        this.app.announce(`Deputy waits for you: ${spoken(fresh.card?.title ?? fresh.preview.title)}`);
    });
    // Going somewhere closes the drawer.
    const stopRoute = effect(() => {
      void this.app.router.route.value;
      this.isDrawerOpen = false;
    });
    this.life.addEventListener("abort", () => {
      stop();
      stopRoute();
    });
    document.addEventListener("keydown", (event) => this.#key(event), { signal: this.life });
    refuseDrops(this.life);
    void warmUpMarkdown(this.life);
  }

  protected override updated(): void {
    const route = this.app.router.route.peek();
    const place = "id" in route && route.id !== undefined ? `${route.page} ${route.id}` : route.page;
    const isElsewhere = this.#place !== undefined && this.#place !== place;
    this.#place = place;
    // The page itself is drawn in the same frame, but later.
    if (isElsewhere) requestAnimationFrame(() => keepFocus(null));
  }

  #key(event: KeyboardEvent): void {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
      event.preventDefault();
      openPalette(this.app, "search");
      return;
    }
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "?") openPalette(this.app, "keys");
    else if (event.key === "n") this.#go({ page: "new" });
    else if (event.key === "g") this.#go({ page: "approvals" });
    else return;
    event.preventDefault();
  }

  /** By a key: what is tabbed to next is on that page. */
  #go(route: Route): void {
    focusMain();
    this.app.router.go(route);
  }

  /** A page, once its code is here. */
  #later(name: keyof typeof LATER, show: () => TemplateResult) {
    if (this.#loaded.has(name)) return show();
    LATER[name]().then(
      () => {
        this.#loaded.add(name);
        this.requestUpdate();
      },
      () => (this.isOutdated = true),
    );
    return nothing;
  }

  #page(route: Route) {
    const { app } = this;
    switch (route.page) {
      case "new":
      case "conversation":
        return html`<chat-page .app=${app} .store=${app.conversation.value}></chat-page>`;
      case "approvals":
        return this.#later(
          "approvals",
          () => html`<approvals-page .app=${app} .at=${route.id}></approvals-page>`,
        );
      case "tasks":
        return this.#later("tasks", () => html`<tasks-page .app=${app} .isNew=${route.isNew}></tasks-page>`);
      case "task":
        return this.#later("task", () => html`<task-page .app=${app} .taskId=${route.id}></task-page>`);
      case "workspace":
        return this.#later("workspace", () => html`<workspace-page .app=${app}></workspace-page>`);
      case "tools":
        return this.#later(
          "tools",
          () => html`<tools-page .app=${app} .section=${route.section}></tools-page>`,
        );
      case "usage":
        return this.#later("usage", () => html`<usage-page .app=${app}></usage-page>`);
      case "activity":
        return this.#later(
          "activity",
          () => html`<activity-page .app=${app} .query=${route.query}></activity-page>`,
        );
      case "memory":
        return this.#later(
          "memory",
          () => html`<memory-page .app=${app} .section=${route.section} .path=${route.path}></memory-page>`,
        );
      case "settings":
        return this.#later(
          "settings",
          () => html`<settings-page .app=${app} .section=${route.section}></settings-page>`,
        );
      default:
        return this.#later("archive", () => html`<archive-page .app=${app}></archive-page>`);
    }
  }

  #bar(route: Route) {
    const waiting = this.app.lists.approvals.value?.length ?? 0;
    const isChat = route.page === "new" || route.page === "conversation";
    const isTasks = route.page === "tasks" || route.page === "task";
    const isElsewhere = !isChat && !isTasks && route.page !== "approvals";
    const current = (is: boolean) => (is ? "page" : nothing);
    return html`<nav class="bottom-bar" aria-label="Main">
      <a href=${linkTo({ page: "new" })} aria-current=${current(isChat)}>${icon("chat")}<span>Chat</span></a>
      <a href=${linkTo({ page: "approvals" })} aria-current=${current(route.page === "approvals")}>
        ${icon("approvals")}<span>Approvals</span>${badge(waiting)}
      </a>
      <a href=${linkTo({ page: "tasks", isNew: false })} aria-current=${current(isTasks)}>
        ${icon("tasks")}<span>Tasks</span>
      </a>
      <button
        type="button"
        class=${isElsewhere ? "here" : ""}
        aria-expanded=${this.isDrawerOpen}
        @click=${() => (this.isDrawerOpen = !this.isDrawerOpen)}
      >
        ${icon("menu")}<span>More</span>
      </button>
    </nav>`;
  }

  #trouble() {
    const state = this.app.connection.state.value;
    // One that is back at once is not worth a word.
    if (state.kind === "lost" && state.failures > 0)
      return html`<p class="line trouble-line">
        ${icon("alert")}
        <span
          >The connection to Deputy is lost. It comes back by itself<span class="not-phone"
            >, and nothing you do here gets lost</span
          >.${state.failures > 2 ? html` Check that <code>deputy serve</code> is running.` : nothing}</span
        >
        <button type="button" class="small" @click=${() => this.app.connection.retryNow()}>Try now</button>
      </p>`;
    if (this.isOutdated)
      return html`<p class="line trouble-line">
        ${icon("alert")} <span>A part of the page could not be loaded. Deputy may have been updated.</span>
        <button type="button" class="small" @click=${() => location.reload()}>Reload the page</button>
      </p>`;
    const problem = this.app.lists.health.value?.problem;
    if (problem === undefined) return nothing;
    return html`<p class="line trouble-line">
      ${icon("alert")}
      <span
        >Deputy cannot save anything new:
        ${shown([problem.title, problem.hint].filter(Boolean).join(". "))}</span
      >
    </p>`;
  }

  #told() {
    const told = this.app.told.value;
    if (told === undefined) return nothing;
    return html`<aside class="told" aria-label="What was done">
      <span>${shown(told.text)}</span>
      ${
        told.undo === undefined
          ? nothing
          : html`<button
              type="button"
              class="small"
              @click=${() => {
                told.undo?.();
                this.app.tell("Undone.");
              }}
            >
              ${icon("undo")} Undo
            </button>`
      }
    </aside>`;
  }

  /** Whoever reads an answer should know that no model has written it. */
  #rehearsal(route: Route) {
    const model = this.app.lists.model.value;
    if (route.page !== "conversation" || model?.isRehearsal !== true) return nothing;
    return html`<aside class="line rehearsal-line" aria-label="Rehearsal">
      ${icon("alert")}
      <span>The rehearsal answers<span class="not-phone">: a script, not a model</span>.</span>
      <a class="button small" href=${linkTo({ page: "settings", section: "model" })}>Connect a model</a>
    </aside>`;
  }

  protected override render() {
    const route = this.app.router.route.value;
    return html`<div class="frame ${this.isDrawerOpen ? "drawer-open" : ""}">
      <a class="skip" href="#main" @click=${skipToMain}>Skip to the page</a>
      <side-bar
        .app=${this.app}
        @close-drawer=${() => (this.isDrawerOpen = false)}
        @open-palette=${() => openPalette(this.app, "search")}
        @open-keys=${() => openPalette(this.app, "keys")}
      ></side-bar>
      <div class="scrim" @click=${() => (this.isDrawerOpen = false)}></div>
      <div class="middle">
        <div role="status">${this.#trouble()}</div>
        <wide-grants .app=${this.app}></wide-grants>
        ${this.#rehearsal(route)}
        <main id="main" tabindex="-1">${this.#page(route)}</main>
        ${this.#bar(route)}
      </div>
      ${this.#told()}
      <p class="for-screen-readers" role="status" aria-live="polite">
        ${keyed(this.app.announced.value, html`<span>${shown(this.app.announced.value.text)}</span>`)}
      </p>
    </div>`;
  }
}
customElements.define("app-frame", AppFrame);

/** Without a step in the address. */
function skipToMain(event: Event): void {
  event.preventDefault();
  focusMain();
}

function isTyping({ target }: KeyboardEvent): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName) ||
      target.closest("dialog") !== null)
  );
}

/** Questions that wait, in the title and the icon of the tab. */
function showCount(waiting: number): void {
  document.title = waiting === 0 ? "Deputy" : `(${waiting}) waits for you – Deputy`;
  const link = document.querySelector<HTMLLinkElement>("link[rel=icon]");
  if (link !== null) link.href = waiting === 0 ? "/icon.svg" : "/icon-waiting.svg";
}
