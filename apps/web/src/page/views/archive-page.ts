import { html } from "lit";
import { repeat } from "lit/directives/repeat.js";
import "../parts/action-menu.ts";
import { icon } from "../parts/icons.ts";
import { timeText } from "../parts/time-text.ts";
import { View } from "../parts/view.ts";
import type { App } from "../stores/app.ts";
import { linkTo } from "../stores/route.ts";
import { shown } from "../text/shown.ts";
import { conversationMenu, titleOf } from "./conversation-menu.ts";

/** `<archive-page>`: conversations that were put away. */
class ArchivePage extends View {
  static override properties = { app: {} };
  declare app: App;

  protected override render() {
    const archived = (this.app.lists.sessions.value ?? []).filter(({ isArchived }) => isArchived);
    return html`<div class="page">
      <header class="page-head"><h1>Archive</h1></header>
      <div class="page-body">
        ${
          archived.length === 0
            ? html`<p class="empty">
                ${icon("archive")} Conversations that you archive are here. They are still found by search,
                and come back when you go on with them.
              </p>`
            : html`<ul class="list">
                ${repeat(
                  archived,
                  ({ id }) => id,
                  (session) =>
                    html`<li>
                      <a class="item" href=${linkTo({ page: "conversation", id: session.id })}>
                        <span class="title" dir="auto">${shown(titleOf(session))}</span>
                        <span class="meta">${timeText(session.lastAt, this.app.nowMs.value)}</span>
                      </a>
                      <action-menu
                        .label=${`What to do with ${titleOf(session)}`}
                        .items=${conversationMenu(this.app, session)}
                      ></action-menu>
                    </li>`,
                )}
              </ul>`
        }
      </div>
    </div>`;
  }
}
customElements.define("archive-page", ArchivePage);
