import type { AuditedEvent, PendingApproval, StandingGrant } from "@deputy/protocol";
import { effect } from "@preact/signals-core";
import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { icon } from "../parts/icons.ts";
import { focusMain } from "../parts/keep-focus.ts";
import { timeText } from "../parts/time-text.ts";
import { View } from "../parts/view.ts";
import type { App } from "../stores/app.ts";
import { linkTo } from "../stores/route.ts";
import { shown, spoken } from "../text/shown.ts";
import { clockTime } from "../text/times.ts";
import { failureText, wordsOfScope } from "../text/words.ts";
import "./approval-card.ts";
import { titleOf } from "./conversation-menu.ts";

/** Conversations whose answers get their titles. */
const MOST_STREAMS = 8;

/** `<approvals-page>`: every question from everywhere, the oldest first, and what is allowed for longer. */
class ApprovalsPage extends View {
  static override properties = {
    app: {},
    at: {},
    message: { state: true },
    answers: { state: true },
    decided: { state: true },
    told: { state: true },
  };
  declare app: App;
  /** The question that the address names. */
  declare at: string | undefined;
  /** How each question that was shown here was answered. */
  declare answers: ReadonlyMap<string, string>;
  declare decided: readonly AuditedEvent[];
  /** What each of them was about, by its event's id. */
  declare told: ReadonlyMap<string, { readonly title: string; readonly words: string }>;
  #shownAt: string | undefined;
  declare message: string;
  /** Everything that was shown here. What is answered says so in its place, so that nothing moves under a pointer. */
  #seen: readonly PendingApproval[] = [];

  constructor() {
    super();
    this.message = "";
    this.answers = new Map();
    this.decided = [];
    this.told = new Map();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    let before: ReadonlySet<string> = new Set();
    const stop = effect(() => {
      const pending = this.app.lists.approvals.value;
      if (pending === undefined || this.app.connection.state.value.kind !== "open") return;
      const now = new Set(pending.map(({ id }) => id as string));
      const gone = [...before].filter((id) => !now.has(id));
      before = now;
      void this.#loadDecided();
      for (const id of gone) void this.#loadAnswer(id);
    });
    this.life.addEventListener("abort", stop, { once: true });
  }

  protected override updated(): void {
    this.#showNamed();
  }

  /** Brings the named question into view, once. It does not take the focus: a key pressed now would answer it. */
  #showNamed(): void {
    if (this.at === undefined || this.#shownAt === this.at) return;
    const card = this.querySelector(`[data-question="${this.at}"]`);
    if (card === null) return;
    this.#shownAt = this.at;
    card.scrollIntoView({ block: "start" });
  }

  async #loadDecided(): Promise<void> {
    try {
      const asked = { types: ["approval.resolved"], limit: 20 };
      this.decided = (await this.app.connection.call("audit.list", asked)).events;
      const last = new Map(this.decided.toReversed().map(({ stream, seq }) => [stream, seq]));
      await Promise.all(
        [...last].slice(0, MOST_STREAMS).map(([stream, seq]) => this.#loadTitles(stream, seq)),
      );
    } catch {
      // Those that were read are shown, without their titles.
    }
  }

  async #loadTitles(stream: AuditedEvent["stream"], seq: number): Promise<void> {
    const { events } = await this.app.connection.call("events.page", { stream, before: seq + 1, limit: 200 });
    const titles = new Map(
      events.flatMap(({ type, data }) => {
        if (type !== "approval.requested") return [];
        const { approvalId, preview } = data as Pick<PendingApproval, "preview"> & { approvalId: string };
        return [[approvalId, preview.title] as const];
      }),
    );
    const told = events.flatMap(({ id, type, data }) => {
      if (type !== "approval.resolved" || data === null) return [];
      const resolved = data as Resolved;
      const title = titles.get(resolved.approvalId);
      return title === undefined ? [] : [[id, { title, words: decisionWords(resolved) }] as const];
    });
    this.told = new Map([...this.told, ...told]);
  }

  /** What became of a question that waits no more; the reader who answered it here goes on to the next one. */
  async #loadAnswer(id: string): Promise<void> {
    const asked = this.#seen.find((one) => one.id === id);
    if (asked === undefined) return;
    const card = this.querySelector(`[data-question="${id}"]`);
    if (card?.contains(document.activeElement)) this.#focusNext(id);
    try {
      const { events } = await this.app.connection.call("events.page", { stream: asked.stream, limit: 200 });
      const found = events.findLast(
        ({ type, data }) =>
          type === "approval.resolved" &&
          (data as { readonly approvalId?: string } | null)?.approvalId === id,
      );
      if (found !== undefined)
        this.answers = new Map([...this.answers, [id, answerWords(found.data as Resolved, found.at)]]);
    } catch {
      // It says that it was answered, and not how.
    }
  }

  #focusNext(answered: string): void {
    const at = this.#seen.findIndex(({ id }) => id === answered);
    const open = new Set((this.app.lists.approvals.peek() ?? []).map(({ id }) => id));
    const next = [...this.#seen.slice(at + 1), ...this.#seen.slice(0, at)].find(({ id }) => open.has(id));
    if (next === undefined) focusMain();
    else this.querySelector<HTMLElement>(`[data-question="${next.id}"] section.approval`)?.focus();
  }

  async #revoke(grant: StandingGrant): Promise<void> {
    try {
      await this.app.actions.revoke(grant.id);
    } catch (error) {
      this.message = failureText(error);
    }
  }

  async #revokeAll(grants: readonly StandingGrant[]): Promise<void> {
    for (const grant of grants) await this.#revoke(grant);
  }

  #question(approval: PendingApproval, isOpen: boolean, place: string) {
    const session = this.app.lists.sessions.value?.find(({ id }) => id === approval.stream);
    if (!isOpen)
      return html`<p class="decided">
        ${icon("done")}
        <span>${this.answers.get(approval.id) ?? "Answered"}: ${shown(approval.preview.title)}</span>
      </p>`;
    return html`<p class="meta">
        ${place} ${timeText(approval.requestedAt, this.app.nowMs.value)}
        ${
          session === undefined
            ? nothing
            : html`·
                <a href=${linkTo({ page: "conversation", id: session.id })}
                  >${session.isTask ? "in a task" : `in ${shownChannel(session.channel)}`}</a
                >`
        }
      </p>
      <approval-card .app=${this.app} .approval=${approval}></approval-card>`;
  }

  #uses({ uses, lastUsedAt }: StandingGrant) {
    if (uses === undefined) return nothing;
    if (lastUsedAt === undefined) return "· not used yet";
    return html`· used ${uses === 1 ? "once" : `${uses.toLocaleString()} times`}, last
    ${timeText(lastUsedAt, this.app.nowMs.value)}`;
  }

  /** The conversation or the task that it holds for. */
  #whereOf({ stream }: StandingGrant) {
    const session = this.app.lists.sessions.value?.find(({ id }) => id === stream);
    const title = session === undefined ? "where it was allowed" : titleOf(session);
    return html`<a class="where" href=${linkTo({ page: "conversation", id: stream })}>${shown(title)}</a>`;
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
                            new Set(grant.bindings.map(({ toolPath }) => toolPath)).size,
                          )}${grant.expiresAt === undefined ? nothing : html` until ${timeText(grant.expiresAt, this.app.nowMs.value)}`}
                          · ${this.#whereOf(grant)} · since ${timeText(grant.createdAt, this.app.nowMs.value)}
                          ${this.#uses(grant)}
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
              </ul>
              ${
                grants.length === 1
                  ? nothing
                  : html`<button type="button" class="small" @click=${() => void this.#revokeAll(grants)}>
                      Take back all ${grants.length}
                    </button>`
              }`
      }
    </section>`;
  }

  #notify() {
    const { notifier } = this.app;
    switch (notifier.permission.value) {
      case "default":
        return html`<button type="button" @click=${() => void notifier.ask()}>
          ${icon("bell")} <span>Notify me<span class="no-phone"> of questions</span></span>
        </button>`;
      case "granted":
        return html`<span class="meta">${icon("bell")} This browser notifies you</span>`;
      case "denied":
        return html`<span class="meta"
          >Notifications are blocked<span class="no-phone">
            in the browser’s settings for this page</span
          ></span
        >`;
      default:
        return html`<span class="meta"
          >No notifications<span class="no-phone">: this browser has them only with https</span></span
        >`;
    }
  }

  #decision({ id, at, who, summary, stream, seq }: AuditedEvent) {
    const told = this.told.get(id);
    return html`<li>
      <div>
        <p>${shown(told?.title ?? summary)}</p>
        <p class="meta">
          ${shown(told?.words ?? whoWords(who ?? ""))} · ${timeText(at, this.app.nowMs.value)} ·
          <a href=${linkTo({ page: "conversation", id: stream, seq })}>where it was asked</a>
        </p>
      </div>
    </li>`;
  }

  #history() {
    return html`<section aria-labelledby="decided-title" class="granted">
      <h2 id="decided-title">What was decided</h2>
      ${
        this.decided.length === 0
          ? html`<p class="hint">Each answer will be here, with when it was given and by whom.</p>`
          : html`<ul class="list">
                ${this.decided.map((event) => this.#decision(event))}
              </ul>
              <p class="below">
                <a href=${linkTo({ page: "activity", query: "kind=approvals" })}>All of them</a>
              </p>`
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
      <header class="page-head">
        <h1>Approvals</h1>
        ${this.#notify()}
      </header>
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
            return html`<div class="question" data-question=${approval.id}>
              ${this.#question(approval, open.has(approval.id), waiting.length === 1 ? "Asked" : `${at + 1} of ${waiting.length} · asked`)}
            </div>`;
          },
        )}
        ${this.#grants(this.app.lists.grants.value ?? [])} ${this.#history()}
      </div>
    </div>`;
  }
}
customElements.define("approvals-page", ApprovalsPage);

interface Resolved {
  readonly approvalId: string;
  readonly decision: "approved" | "denied";
  readonly by: string;
  readonly reason?: string;
  readonly isExpired?: boolean;
  readonly calls?: readonly string[];
}

const whoWords = (by: string): string => (by === "owner" ? "you" : by);

/** “You approved · 14:02”, “Approved in the terminal · 14:02”. */
function answerWords({ decision, by, isExpired, calls }: Resolved, at: string): string {
  const what = calls === undefined ? decision : `${decision} ${calls.length} of them`;
  if (isExpired === true) return `Nobody answered in time · ${clockTime(at)}`;
  if (by === "owner") return `You ${what} · ${clockTime(at)}`;
  const words = what.charAt(0).toUpperCase() + what.slice(1);
  return `${words} ${by === "terminal" ? "in the terminal" : `by ${by}`} · ${clockTime(at)}`;
}

/** “approved by you”, “denied in the terminal: too many”. */
function decisionWords({ decision, by, reason, isExpired, calls }: Resolved): string {
  if (isExpired === true) return "nobody answered in time";
  const what = calls === undefined ? decision : `${decision} ${calls.length} of them`;
  const words = `${what} ${by === "terminal" ? "in the terminal" : `by ${whoWords(by)}`}`;
  return reason === undefined || reason === "" ? words : `${words}: ${reason}`;
}

function shownChannel(channel: string): string {
  return channel === "web" || channel === "ws" ? "a conversation" : `a conversation (${channel})`;
}
