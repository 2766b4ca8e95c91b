import type { RpcResult } from "@deputy/protocol/rpc";
import { html, nothing } from "lit";
import { icon } from "../parts/icons.ts";
import { View } from "../parts/view.ts";
import type { App } from "../stores/app.ts";
import { linkTo } from "../stores/route.ts";
import { shown, shownProse } from "../text/shown.ts";
import { count, failureText } from "../text/words.ts";
import { titleOf } from "./conversation-menu.ts";

type Found = RpcResult<"memory.search">;
type Hit = Found["hits"][number];
type Status = RpcResult<"memory.status">;

const SOURCES = {
  memory: "long-term memory",
  notes: "notes",
  daily: "daily notes",
  extra: "your documents",
  session: "conversation",
} as const;

/** `<memory-page>`: finds what was written down and said before, with where it stands and why it was found. */
class MemoryPage extends View {
  static override properties = {
    app: {},
    status: { state: true },
    found: { state: true },
    message: { state: true },
    isSearching: { state: true },
  };
  declare app: App;
  declare status: Status | undefined;
  declare found: Found | undefined;
  declare message: string;
  declare isSearching: boolean;

  constructor() {
    super();
    this.message = "";
    this.isSearching = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.app.connection.onOpen(() => {
      this.app.connection.call("memory.status", {}).then(
        (status) => (this.status = status),
        (error: unknown) => (this.message = failureText(error)),
      );
    }, this.life);
  }

  async #search(event: Event): Promise<void> {
    event.preventDefault();
    const query = this.querySelector<HTMLInputElement>("input[type=search]")?.value.trim() ?? "";
    if (query === "" || this.isSearching) return;
    this.isSearching = true;
    try {
      this.found = await this.app.connection.call("memory.search", { query, limit: 30 });
      this.message = "";
      this.app.announce(count(this.found.hits.length, "thing") + " found.");
    } catch (error) {
      this.message = failureText(error);
    }
    this.isSearching = false;
  }

  #where({ source, path, lines }: Hit) {
    if (source !== "session") return html`<code>${shown(path)}</code>, lines ${shown(lines)}`;
    const session = this.app.lists.sessions.value?.find(({ id }) => id === path);
    return html`<a href=${linkTo({ page: "conversation", id: path })}>${shown(titleOf(session))}</a>`;
  }

  #hit(hit: Hit) {
    return html`<li class="memory">
      <p class="meta">
        ${SOURCES[hit.source]} · ${this.#where(hit)} · score ${hit.score.toFixed(2)}
        ${hit.foreign.length === 0 ? nothing : html`<span class="badge">not only yours</span>`}
      </p>
      ${hit.about === "" ? nothing : html`<p class="about" dir="auto">${shown(hit.about)}</p>`}
      <p class="text" dir="auto">${shownProse(hit.text)}</p>
      <p class="hint">
        Found because:
        ${shown(hit.why)}${hit.foreign.length === 0 ? nothing : html`. Others wrote parts of it: ${shown(hit.foreign.join(", "))}`}
      </p>
    </li>`;
  }

  #known() {
    const { status } = this;
    if (status === undefined) return nothing;
    const kinds = Object.entries(status.documents).map(
      ([kind, number]) => `${number.toLocaleString()} ${kind}`,
    );
    return html`<p class="hint">
        Indexed: ${kinds.length === 0 ? "nothing yet" : shown(kinds.join(", "))}.
        ${status.model === null ? "Words alone are compared." : html`Words and meaning are compared (${shown(status.model)}).`}
      </p>
      ${status.problems.map(({ path, message }) => html`<p class="trouble">${shown(path)}: ${shown(message)}</p>`)}`;
  }

  protected override render() {
    const { found } = this;
    return html`<div class="page">
      <header class="page-head"><h1>Memory</h1></header>
      <div class="page-body">
        <form class="search-row" role="search" @submit=${(event: Event) => void this.#search(event)}>
          <input
            type="search"
            aria-label="Search the memory"
            placeholder="What do you look for?"
            maxlength="1000"
          />
          <button class="primary" ?disabled=${this.isSearching}>${icon("search")} Search</button>
        </form>
        <p class="trouble" role="alert">${shown(this.message)}</p>
        ${
          found === undefined
            ? html`<p class="empty">
                ${icon("memory")} What agents wrote down and what was said before is found here, with where it
                stands and why it was found.
              </p>`
            : found.hits.length === 0
              ? html`<p class="empty">Nothing was found.</p>`
              : html`<ol class="list memories">
                  ${found.hits.map((hit) => this.#hit(hit))}
                </ol>`
        }
        ${found?.note === undefined ? nothing : html`<p class="hint">${shown(found.note)}</p>`}
        ${found?.stale === true ? html`<p class="hint">Some documents are newer than what was searched.</p>` : nothing}
        ${this.#known()}
      </div>
    </div>`;
  }
}
customElements.define("memory-page", MemoryPage);
