import { html, nothing, type TemplateResult } from "lit";
import { View } from "../parts/view.ts";
import type { App } from "../stores/app.ts";
import { linkTo } from "../stores/route.ts";
import "../style/settings.css";

interface Section {
  readonly id: string;
  readonly label: string;
  load(): Promise<unknown>;
  show(app: App): TemplateResult;
}

const SECTIONS: readonly Section[] = [
  {
    id: "model",
    label: "Model",
    load: () => import("./settings/model-section.ts"),
    show: (app) => html`<model-section .app=${app}></model-section>`,
  },
  {
    id: "all",
    label: "All settings",
    load: () => import("./settings/settings-section.ts"),
    show: (app) => html`<settings-section .app=${app}></settings-section>`,
  },
  {
    id: "agents",
    label: "Agents",
    load: () => import("./settings/documents-section.ts"),
    show: (app) => html`<documents-section .app=${app}></documents-section>`,
  },
  {
    id: "channels",
    label: "Chat apps",
    load: () => import("./settings/channels-section.ts"),
    show: (app) => html`<channels-section .app=${app}></channels-section>`,
  },
  {
    id: "health",
    label: "Health",
    load: () => import("./settings/doctor-section.ts"),
    show: (app) => html`<doctor-section .app=${app}></doctor-section>`,
  },
  {
    id: "browser",
    label: "Browsers",
    load: () => import("./settings/browser-section.ts"),
    show: (app) => html`<browser-section .app=${app}></browser-section>`,
  },
];

/** `<settings-page>`: everything about Deputy that can be changed, in sections that are loaded when they are looked at. */
class SettingsPage extends View {
  static override properties = { app: {}, section: {}, failed: { state: true } };
  declare app: App;
  declare section: string | undefined;
  declare failed: boolean;
  readonly #loaded = new Set<string>();

  constructor() {
    super();
    this.failed = false;
  }

  #shown(section: Section) {
    if (this.#loaded.has(section.id)) return section.show(this.app);
    section.load().then(
      () => {
        this.#loaded.add(section.id);
        this.requestUpdate();
      },
      () => (this.failed = true),
    );
    if (this.failed)
      return html`<p class="trouble" role="alert">
        This part of the page could not be loaded. Reload the page.
      </p>`;
    return html`<p class="hint">Loading…</p>`;
  }

  /** On a phone there are more sections than fit. */
  protected override updated(): void {
    const current = this.querySelector<HTMLElement>(".sections [aria-current]");
    const strip = current?.parentElement;
    if (current === null || strip === null || strip === undefined) return;
    strip.scrollLeft = current.offsetLeft - (strip.clientWidth - current.offsetWidth) / 2;
  }

  protected override render() {
    const chosen = SECTIONS.find(({ id }) => id === this.section) ?? SECTIONS[0];
    if (chosen === undefined) return nothing;
    return html`<div class="page">
      <header class="page-head"><h1>Settings</h1></header>
      <nav class="sections" aria-label="Settings">
        ${SECTIONS.map(
          ({ id, label }) =>
            html`<a
              href=${linkTo({ page: "settings", section: id })}
              aria-current=${id === chosen.id ? "page" : nothing}
              >${label}</a
            >`,
        )}
      </nav>
      <div class="page-body">${this.#shown(chosen)}</div>
    </div>`;
  }
}
customElements.define("settings-page", SettingsPage);
