import type { AuditedEvent } from "@deputy/protocol";
import type { RpcResult } from "@deputy/protocol/rpc";
import { effect } from "@preact/signals-core";
import { html, nothing, type PropertyValues } from "lit";
import { guard } from "lit/directives/guard.js";
import { repeat } from "lit/directives/repeat.js";
import { icon } from "../parts/icons.ts";
import { View } from "../parts/view.ts";
import {
  type ActivityFeed,
  type ActivityFilter,
  activityQuery,
  auditFilterOf,
  openActivityFeed,
  readActivityFilter,
} from "../stores/activity.ts";
import type { App } from "../stores/app.ts";
import { linkTo } from "../stores/route.ts";
import { eventRows } from "../text/event-rows.ts";
import { aboutEvent, EVENT_KINDS, wordsOfEvent, wordsOfWho } from "../text/event-words.ts";
import { shown } from "../text/shown.ts";
import { clockTime, dayWords, exactTime, shortTime } from "../text/times.ts";
import { count, failureText } from "../text/words.ts";
import { pause } from "../wire/pause.ts";
import { titleOf } from "./conversation-menu.ts";

type Verification = RpcResult<"audit.verify">;

const POLL_MS = 400;
const TYPING_MS = 300;

/** `<activity-page>`: the log as a feed that people can read, with its proof. */
class ActivityPage extends View {
  static override properties = {
    app: {},
    query: {},
    feed: { state: true },
    unfolded: { state: true },
    raw: { state: true },
    verification: { state: true },
    message: { state: true },
    isExporting: { state: true },
    exported: { state: true },
  };
  declare app: App;
  declare query: string;
  declare feed: ActivityFeed | undefined;
  declare unfolded: string;
  declare raw: string;
  declare verification: Verification | undefined;
  declare message: string;
  declare isExporting: boolean;
  declare exported: number;
  #reading = new AbortController();
  #typing = new AbortController();

  constructor() {
    super();
    this.query = "";
    this.unfolded = "";
    this.raw = "";
    this.message = "";
    this.isExporting = false;
    this.exported = 0;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const stop = effect(() => {
      if (this.app.connection.state.value.kind !== "open") return;
      if (this.feed === undefined) this.#open();
      void this.#follow(false);
    });
    this.life.addEventListener("abort", stop, { once: true });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#reading.abort();
    this.feed = undefined;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("query") && this.feed !== undefined) this.#open();
  }

  get #filter(): ActivityFilter {
    return readActivityFilter(this.query);
  }

  #open(): void {
    this.#reading.abort();
    this.#reading = new AbortController();
    this.unfolded = "";
    const life = AbortSignal.any([this.#reading.signal, this.life]);
    this.feed = openActivityFeed(this.app.connection, this.#filter, life);
    void this.#more();
  }

  async #more(): Promise<void> {
    try {
      await this.feed?.more();
      this.message = "";
    } catch (error) {
      this.message = failureText(error);
    }
  }

  #set(change: ActivityFilter): void {
    this.app.router.replace({
      page: "activity",
      query: activityQuery({ ...this.#filter, ...change }),
    });
  }

  async #type(text: string): Promise<void> {
    this.#typing.abort();
    this.#typing = new AbortController();
    const { signal } = this.#typing;
    await pause(TYPING_MS, AbortSignal.any([signal, this.life]));
    if (!signal.aborted) this.#set({ text });
  }

  async #unfold({ id, stream, seq }: AuditedEvent): Promise<void> {
    this.unfolded = this.unfolded === id ? "" : id;
    this.raw = "";
    if (this.unfolded === "") return;
    try {
      const asked = { stream, before: seq + 1, limit: 1 };
      const { events } = await this.app.connection.call("events.page", asked);
      if (this.unfolded === id) this.raw = JSON.stringify(events[0] ?? null, null, 2);
    } catch (error) {
      this.message = failureText(error);
    }
  }

  /** Begins a verification, or looks how far the one is that runs. */
  async #follow(start: boolean): Promise<void> {
    try {
      for (let isFirst = true; !this.life.aborted; isFirst = false) {
        this.verification = await this.app.connection.call("audit.verify", { start: start && isFirst });
        if (this.verification.state !== "running") break;
        await pause(POLL_MS, this.life);
      }
      if (start && this.verification?.state === "done")
        this.app.announce(
          this.verification.problems.length === 0 ? "Every hash is right." : "Something is wrong.",
        );
    } catch (error) {
      if (!this.life.aborted) this.message = failureText(error);
    }
  }

  async #export(): Promise<void> {
    this.isExporting = true;
    this.exported = 0;
    this.message = "";
    try {
      const { types, ...filter } = auditFilterOf(this.#filter);
      const query = new URLSearchParams({
        ...(filter as Readonly<Record<string, string>>),
        ...(types !== undefined && { types: types.join(",") }),
      });
      const file = await this.app.fetchFile(`/api/audit/export?${query}`, (lines) => {
        this.exported = lines;
      });
      const link = document.createElement("a");
      link.href = URL.createObjectURL(file);
      link.download = `deputy-activity-${new Date().toISOString().slice(0, 10)}.jsonl`;
      link.click();
      URL.revokeObjectURL(link.href);
    } catch (error) {
      this.message = failureText(error);
    } finally {
      this.isExporting = false;
    }
  }

  #filters() {
    const { kind = "", of = "", day = "", text = "" } = this.#filter;
    const sessions = this.app.lists.sessions.value ?? [];
    const tasks = this.app.lists.tasks.value ?? [];
    const talks = sessions.filter(({ isTask }) => !isTask).slice(0, 100);
    const streams = new Set([
      ...talks.map(({ id }) => id as string),
      ...tasks.map(({ stream }) => stream as string),
    ]);
    const value = ({ target }: Event): string => (target as HTMLInputElement | HTMLSelectElement).value;
    return html`<form
      class="filters"
      role="search"
      aria-label="Filter"
      @submit=${(event: Event) => event.preventDefault()}
    >
      <label
        >Kind
        <select @change=${(event: Event) => this.#set({ kind: value(event) as never })}>
          <option value="" ?selected=${kind === ""}>Everything</option>
          ${Object.entries(EVENT_KINDS).map(([name, { label }]) => html`<option value=${name} ?selected=${name === kind}>${label}</option>`)}
        </select>
      </label>
      <label
        >Conversation or task
        <select @change=${(event: Event) => this.#set({ of: value(event) })}>
          <option value="" ?selected=${of === ""}>All</option>
          ${of === "" || streams.has(of) ? nothing : html`<option value=${of} selected>This one</option>`}
          <optgroup label="Conversations">
            ${talks.map((session) => html`<option value=${session.id} ?selected=${session.id === of}>${shown(titleOf(session).slice(0, 60))}</option>`)}
          </optgroup>
          <optgroup label="Tasks">
            ${tasks.slice(0, 100).map((task) => html`<option value=${task.stream} ?selected=${task.stream === of}>${shown(task.prompt.slice(0, 60))}</option>`)}
          </optgroup>
        </select>
      </label>
      <label
        >Day <input type="date" .value=${day} @change=${(event: Event) => this.#set({ day: value(event) })}
      /></label>
      <label class="wide"
        >Words
        <input
          type="search"
          autocomplete="off"
          .value=${text}
          @input=${(event: Event) => void this.#type(value(event))}
        />
      </label>
    </form>`;
  }

  #proof() {
    const state = this.verification;
    if (state === undefined || state.state === "none")
      return html`<p class="hint">
        Each event carries a hash of the one before it, so nothing can be changed unnoticed. Verify checks all
        of them.
      </p>`;
    if (state.state === "running")
      return html`<p class="hint">
        Verifying…
        ${count(state.events, "event")}${state.total === 0 ? nothing : ` of ${state.total.toLocaleString()}`}
        <progress max=${state.total || 1} .value=${state.events} aria-label="Verified events"></progress>
      </p>`;
    if (state.problems.length === 0)
      return html`<p class="good-line">
        ${icon("done")} Every hash is right: ${count(state.events, "event")},
        ${state.endedAt === undefined ? nothing : `verified ${shortTime(state.endedAt, this.app.nowMs.value)}`}.
      </p>`;
    return html`<div class="trouble" role="alert">
      <p>${icon("alert")} ${count(state.problems.length, "problem")}:</p>
      <ul>
        ${state.problems.map(({ message }) => html`<li>${shown(message)}</li>`)}
      </ul>
      <p>${shown(state.problems[0]?.todo ?? "")}</p>
    </div>`;
  }

  /** What it says, a thing a row; the event as it was recorded stands below. */
  #rows(raw: string) {
    const rows = eventRows((JSON.parse(raw) as { readonly data?: unknown } | null)?.data);
    if (rows.length === 0) return nothing;
    return html`<dl class="event-rows">
      ${rows.map(
        ({ name, text }) =>
          html`<div>
            <dt>${shown(name)}</dt>
            <dd dir="auto">${shown(text)}</dd>
          </div>`,
      )}
    </dl>`;
  }

  #row(event: AuditedEvent) {
    const { id, at, stream, seq, who, toolPath } = event;
    const isOpen = this.unfolded === id;
    return html`<li class="event ${isOpen ? "open" : ""}">
      <button type="button" class="line" aria-expanded=${isOpen} @click=${() => void this.#unfold(event)}>
        <time datetime=${at} title=${exactTime(at)}>${clockTime(at)}</time>
        <span class="what">${shown(wordsOfEvent(event))}</span>
        <span class="about" dir="auto"
          >${toolPath === undefined || toolPath === "plan" ? nothing : html`<code>${shown(toolPath)}</code> `}${shown(aboutEvent(event, this.app.nowMs.value))}</span
        >
        ${who === undefined ? nothing : html`<span class="who">${shown(wordsOfWho(who))}</span>`}
      </button>
      ${
        isOpen
          ? html`<div class="details">
              ${
                stream.startsWith("ses_")
                  ? html`<p>
                      <a href=${linkTo({ page: "conversation", id: stream, seq })}
                        >Show it in its conversation</a
                      >
                    </p>`
                  : nothing
              }
              ${
                this.raw === ""
                  ? html`<p class="hint">Loading…</p>`
                  : html`${this.#rows(this.raw)}
                      <pre tabindex="0" aria-label="The whole event">${shown(this.raw)}</pre>`
              }
            </div>`
          : nothing
      }
    </li>`;
  }

  #list(feed: ActivityFeed) {
    const events = feed.events.value;
    const { isLoading, hasMore, hasNewer, lookedTo } = feed.state.value;
    const now = this.app.nowMs.value;
    const days = Map.groupBy(events, ({ at }) => dayWords(at, now));
    const isFiltered = this.query !== "";
    return html`${
      hasNewer
        ? html`<p class="more">
            <button type="button" @click=${() => this.#open()}>Back to the newest</button>
          </p>`
        : nothing
    }${[...days].map(
      ([day, list]) =>
        html`<section>
          <h2>${day}</h2>
          <ol class="feed">
            ${repeat(
              list,
              ({ id }) => id,
              (event) =>
                guard([event, this.unfolded === event.id ? this.raw : undefined], () => this.#row(event)),
            )}
          </ol>
        </section>`,
    )}
    ${
      events.length === 0 && !isLoading && !hasMore
        ? html`<p class="empty">
            ${icon("activity")}
            ${isFiltered ? "Nothing in the log matches this." : "Everything that happens is here: what was said, what ran, what was decided, and by whom."}
          </p>`
        : nothing
    }
    ${
      isLoading
        ? html`<p class="hint" role="status">
            ${lookedTo === undefined ? "Loading…" : `Looking through ${shortTime(lookedTo, now)} and before…`}
          </p>`
        : hasMore
          ? html`<p class="more">
              <button type="button" @click=${() => void this.#more()}>Show earlier</button>
              ${lookedTo === undefined ? nothing : html`<span class="hint">Looked back to ${shortTime(lookedTo, now)}</span>`}
            </p>`
          : nothing
    }`;
  }

  protected override render() {
    const isVerifying = this.verification?.state === "running";
    return html`<div class="page">
      <header class="page-head">
        <h1>Activity</h1>
        <button type="button" ?disabled=${isVerifying} @click=${() => void this.#follow(true)}>
          ${icon("approvals")} Verify
        </button>
        <button type="button" ?disabled=${this.isExporting} @click=${() => void this.#export()}>
          ${icon("download")} Export
        </button>
      </header>
      <div class="page-body activity-feed">
        ${this.#proof()} ${this.#filters()}
        ${this.isExporting ? html`<p class="hint" role="status">Exporting… ${count(this.exported, "event")}</p>` : nothing}
        <p class="trouble" role="alert">${shown(this.message)}</p>
        ${this.feed === undefined ? html`<p class="hint">Loading…</p>` : this.#list(this.feed)}
      </div>
    </div>`;
  }
}
customElements.define("activity-page", ActivityPage);
