import type { PendingApproval, StandingGrant } from "@deputy/protocol";
import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { icon } from "../parts/icons.ts";
import { timeText } from "../parts/time-text.ts";
import { View } from "../parts/view.ts";
import type { App } from "../stores/app.ts";
import { linkTo } from "../stores/route.ts";
import { shown, spoken } from "../text/shown.ts";
import { failureText, wordsOfScope } from "../text/words.ts";
import "./approval-card.ts";

/** `<approvals-page>`: every question from everywhere, the oldest first, and what is allowed for longer. */
class ApprovalsPage extends View {
  static override properties = { app: {}, message: { state: true } };
  declare app: App;
  declare message: string;
  /** Everything that was shown here. What is answered says so in its place, so that nothing moves under a pointer. */
  #seen: readonly PendingApproval[] = [];

  constructor() {
    super();
    this.message = "";
  }

  async #revoke(grant: StandingGrant): Promise<void> {
    try {
      await this.app.actions.revoke(grant.id);
    } catch (error) {
      this.message = failureText(error);
    }
  }

  #question(approval: PendingApproval, isOpen: boolean, place: string) {
    const session = this.app.lists.sessions.value?.find(({ id }) => id === approval.stream);
    if (!isOpen)
      return html`<p class="decided">
        ${icon("done")} <span>Answered: ${shown(approval.preview.title)}</span>
      </p>`;
    return html`<p class="meta">
        ${place} · asked ${timeText(approval.requestedAt, this.app.nowMs.value)}
        ${
          session === undefined
            ? nothing
            : html`·
                <a href=${linkTo({ page: "conversation", id: session.id })}
                  >${session.isTask ? "of a task" : `in ${shownChannel(session.channel)}`}</a
                >`
        }
      </p>
      <approval-card .app=${this.app} .approval=${approval}></approval-card>`;
  }

  #grants(grants: readonly StandingGrant[]) {
    return html`<section aria-labelledby="grants-title" class="granted">
      <h2 id="grants-title">What you allowed</h2>
      <p class="trouble" role="alert">${shown(this.message)}</p>
      ${
        grants.length === 0
          ? html`<p class="hint">
              Nothing is allowed beyond single calls. If you approve something for a conversation or a task,
              it is listed here, and one click takes it back.
            </p>`
          : html`<ul class="list">
              ${repeat(
                grants,
                ({ id }) => id,
                (grant) =>
                  html`<li>
                    <div>
                      <p class="title">${shown(grant.title)}</p>
                      <p class="meta">
                        ${wordsOfScope(
                          grant.scope,
                          grant.bindings.every(({ inputHash }) => inputHash !== undefined),
                        )}${grant.expiresAt === undefined ? nothing : html` until ${timeText(grant.expiresAt, this.app.nowMs.value)}`}
                        · since ${timeText(grant.createdAt, this.app.nowMs.value)}
                      </p>
                      ${
                        grant.lines.length === 0
                          ? nothing
                          : html`<ul class="lines">
                              ${grant.lines.map((line) => html`<li>${shown(line)}</li>`)}
                            </ul>`
                      }
                    </div>
                    <button
                      type="button"
                      class="small"
                      aria-label="Revoke ${spoken(grant.title)}"
                      @click=${() => void this.#revoke(grant)}
                    >
                      Revoke
                    </button>
                  </li>`,
              )}
            </ul>`
      }
    </section>`;
  }

  protected override render() {
    const pending = this.app.lists.approvals.value;
    const open = new Set((pending ?? []).map(({ id }) => id));
    this.#seen = [
      ...this.#seen,
      ...(pending ?? []).filter(({ id }) => !this.#seen.some((one) => one.id === id)),
    ];
    const waiting = this.#seen.filter(({ id }) => open.has(id));
    return html`<div class="page">
      <header class="page-head"><h1>Approvals</h1></header>
      <div class="page-body">
        ${pending === undefined ? html`<p class="hint">Loading…</p>` : nothing}
        ${
          pending !== undefined && waiting.length === 0
            ? html`<p class="empty">
                ${icon("done")} Nothing waits for you. When a program wants to change or send something that
                you did not clearly ask for, the question appears here, wherever it comes from.
              </p>`
            : nothing
        }
        ${waiting.length === 0 ? nothing : html`<h2 class="for-screen-readers">Waits for you</h2>`}
        ${repeat(
          this.#seen,
          ({ id }) => id,
          (approval) => {
            const at = waiting.findIndex(({ id }) => id === approval.id);
            return html`<div class="question">
              ${this.#question(approval, open.has(approval.id), `${at + 1} of ${waiting.length}`)}
            </div>`;
          },
        )}
        ${this.#grants(this.app.lists.grants.value ?? [])}
      </div>
    </div>`;
  }
}
customElements.define("approvals-page", ApprovalsPage);

function shownChannel(channel: string): string {
  return channel === "web" || channel === "ws" ? "a conversation" : `a conversation (${channel})`;
}
