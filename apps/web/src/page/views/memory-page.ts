import { html, nothing } from "lit";
import { View } from "../parts/view.ts";
import type { App } from "../stores/app.ts";
import { linkTo, type Route } from "../stores/route.ts";
import "../style/memory.css";
import "../style/settings.css";
import "./memory/memory-changes.ts";
import "./memory/memory-document.ts";
import "./memory/memory-forget.ts";
import "./memory/memory-kept.ts";

type Section = Extract<Route, { page: "memory" }>["section"];

const SECTIONS: readonly { readonly id: Section; readonly label: string }[] = [
  { id: undefined, label: "Kept" },
  { id: "changes", label: "Changes" },
  { id: "forget", label: "Forget" },
];

/** `<memory-page>`: what is kept and where it comes from, what was written, and forgetting. */
class MemoryPage extends View {
  static override properties = { app: {}, section: {}, path: {} };
  declare app: App;
  declare section: Section;
  /** The document that is looked at. */
  declare path: string | undefined;

  #shown() {
    const { app } = this;
    if (this.section === "changes") return html`<memory-changes .app=${app}></memory-changes>`;
    if (this.section === "forget") return html`<memory-forget .app=${app}></memory-forget>`;
    if (this.path === undefined) return html`<memory-kept .app=${app}></memory-kept>`;
    return html`<memory-document .app=${app} .path=${this.path}></memory-document>`;
  }

  protected override render() {
    return html`<div class="page">
      <header class="page-head"><h1>Memory</h1></header>
      <nav class="sections" aria-label="Memory">
        ${SECTIONS.map(
          ({ id, label }) =>
            html`<a
              href=${linkTo({ page: "memory", ...(id !== undefined && { section: id }) })}
              aria-current=${id === this.section ? "page" : nothing}
              >${label}</a
            >`,
        )}
      </nav>
      <div class="page-body">${this.#shown()}</div>
    </div>`;
  }
}
customElements.define("memory-page", MemoryPage);
