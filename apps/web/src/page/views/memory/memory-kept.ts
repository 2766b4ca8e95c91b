import type { RpcResult } from "@deputy/protocol/rpc";
import { html, nothing } from "lit";
import { icon } from "../../parts/icons.ts";
import { View } from "../../parts/view.ts";
import type { App } from "../../stores/app.ts";
import { linkTo } from "../../stores/route.ts";
import { shown, shownProse, spoken } from "../../text/shown.ts";
import { count, failureText } from "../../text/words.ts";
import { conversationLink, KINDS, nameOf, whoseWords } from "./memory-words.ts";

type Found = RpcResult<"memory.search">;
type Hit = Found["hits"][number];
type Document = RpcResult<"memory.list">["documents"][number];

const MOST_LISTED = 100;

/** Of what is found; the rest is folded. */
const LINES_AT_FIRST = 5;

/** `<memory-kept>`: what is kept, found by words and meaning, and listed by kind. */
class MemoryKept extends View {
  static override properties = {
    app: {},
    agent: { state: true },
    status: { state: true },
    documents: { state: true },
    found: { state: true },
    message: { state: true },
    isSearching: { state: true },
  };
  declare app: App;
  /** Absent: the default one. */
  declare agent: string | undefined;
  declare status: RpcResult<"memory.status"> | undefined;
  declare documents: readonly Document[] | undefined;
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
    this.app.connection.onOpen(() => void this.#load(), this.life);
  }

  async #load(): Promise<void> {
    const { agent } = this;
    try {
      const { documents } = await this.app.connection.call(
        "memory.list",
        agent === undefined ? {} : { agent },
      );
      if (agent === this.agent) this.documents = documents;
      this.status = await this.app.connection.call("memory.status", {});
      this.message = "";
    } catch (error) {
      this.message = failureText(error);
    }
  }

  async #search(event: Event): Promise<void> {
    event.preventDefault();
    const { agent } = this;
    const query = this.querySelector<HTMLInputElement>("input[type=search]")?.value.trim() ?? "";
    if (this.isSearching) return;
    if (query === "") {
      this.found = undefined;
      return;
    }
    this.isSearching = true;
    try {
      const asked = { query, limit: 30, ...(agent !== undefined && { agent }) };
      this.found = await this.app.connection.call("memory.search", asked);
      this.message = "";
      this.app.announce(count(this.found.hits.length, "thing") + " found.");
    } catch (error) {
      this.message = failureText(error);
    }
    this.isSearching = false;
  }

  #choose(agent: string): void {
    this.agent = agent;
    this.found = undefined;
    void this.#load();
  }

  #hit(hit: Hit) {
    const where =
      hit.source === "session"
        ? conversationLink(this.app, hit.path)
        : html`<a href=${linkTo({ page: "memory", path: hit.path })}>${shown(nameOf(this.app, hit.path))}</a>,
            lines ${shown(hit.lines)}`;
    const lines = hit.text.trim().split("\n");
    const isLong = lines.length > LINES_AT_FIRST + 2;
    const first = isLong ? lines.slice(0, LINES_AT_FIRST).join("\n") : hit.text;
    return html`<li class="memory">
      <p class="meta">${KINDS[hit.source].one} · ${where} · ${whoseWords(hit.foreign, "several")}</p>
      ${hit.about === "" || hit.source === "session" ? nothing : html`<p class="about" dir="auto">${shown(hit.about)}</p>`}
      <p class="text" dir="auto">${shownProse(first)}</p>
      ${
        isLong
          ? html`<details>
              <summary>${count(lines.length - LINES_AT_FIRST, "more line")}</summary>
              <p class="text" dir="auto">${shownProse(lines.slice(LINES_AT_FIRST).join("\n"))}</p>
            </details>`
          : nothing
      }
      <p class="hint">Found because: ${shown(hit.why)} · score ${hit.score.toFixed(2)}</p>
    </li>`;
  }

  #document({ source, path, stale, foreign = [] }: Document) {
    const old = stale ? html` · could not be read again: this may be old` : nothing;
    if (source === "session")
      return html`<li>
        <div>${conversationLink(this.app, path)} <span class="meta">${old}</span></div>
      </li>`;
    return html`<li>
      <a class="item" href=${linkTo({ page: "memory", path })}>
        <span class="title" dir="auto">${shown(nameOf(this.app, path))}</span>
        <span class="meta">${whoseWords(foreign, "several")}${old}</span>
      </a>
    </li>`;
  }

  #listed(documents: readonly Document[]) {
    const groups = Map.groupBy(documents, ({ source }) => source);
    if (documents.length === 0)
      return html`<p class="empty">
        ${icon("memory")} What agents note and what was said in conversations is kept here. Say “remember that
        …” in a conversation, or write a note into the agent’s folder.
      </p>`;
    return (Object.keys(KINDS) as (keyof typeof KINDS)[]).map((kind) => {
      // Days and conversations: the newest first.
      const some = groups.get(kind) ?? [];
      const ordered = kind === "daily" || kind === "session" ? some.toReversed() : some;
      if (ordered.length === 0) return nothing;
      const rows = html`<ul class="list">
          ${ordered.slice(0, MOST_LISTED).map((one) => this.#document(one))}
        </ul>
        ${ordered.length > MOST_LISTED ? html`<p class="hint">and ${ordered.length - MOST_LISTED} more: search finds them.</p>` : nothing}`;
      if (kind === "session")
        return html`<details class="kept-talks">
          <summary>${count(ordered.length, "conversation")}</summary>
          ${rows}
        </details>`;
      return html`<section aria-labelledby="kept-${kind}">
        <h2 id="kept-${kind}">${KINDS[kind].title}</h2>
        ${rows}
      </section>`;
    });
  }

  #known() {
    const { status } = this;
    if (status === undefined) return nothing;
    return html`<p class="hint">
        ${status.model === null ? "The search goes by words." : html`<span title=${spoken(status.model)}>The search goes by words and by meaning, on this machine.</span>`}
      </p>
      ${
        status.formerModel === null
          ? nothing
          : html`<p class="hint" role="status">
              The index is being made again: ${status.embedded} of ${status.pieces} pieces. Until most are
              there, ${shown(status.formerModel)} answers, and what it finds is marked as old.
            </p>`
      }
      ${status.problems.map(({ path, message }) => html`<p class="trouble">${shown(path)}: ${shown(message)}</p>`)}`;
  }

  protected override render() {
    const { found, documents } = this;
    const agents = this.app.lists.agents.value;
    return html`<form class="search-row" role="search" @submit=${(event: Event) => void this.#search(event)}>
        <input
          type="search"
          aria-label="Search the memory"
          placeholder="What do you look for?"
          maxlength="1000"
        />
        ${
          agents.length < 2
            ? nothing
            : html`<select
                aria-label="Agent"
                @change=${({ target }: Event) => this.#choose((target as HTMLSelectElement).value)}
              >
                ${agents.map(
                  ({ id, isDefault }) =>
                    html`<option
                      value=${id}
                      ?selected=${id === this.agent || (isDefault && this.agent === undefined)}
                    >
                      ${shown(id)}
                    </option>`,
                )}
              </select>`
        }
        <button class="primary" ?disabled=${this.isSearching}>${icon("search")} Search</button>
      </form>
      <p class="trouble" role="alert">${shown(this.message)}</p>
      ${
        found === undefined
          ? nothing
          : html`<section aria-labelledby="found-title">
              <div class="with-button head">
                <h2 id="found-title">Found</h2>
                <button type="button" class="small" @click=${() => (this.found = undefined)}>Show all</button>
              </div>
              ${
                found.hits.length === 0
                  ? html`<p class="empty">Nothing was found.</p>`
                  : html`<ol class="memories">
                      ${found.hits.map((hit) => this.#hit(hit))}
                    </ol>`
              }
              ${found.note === undefined ? nothing : html`<p class="hint">${shown(found.note)}</p>`}
            </section>`
      }
      ${found !== undefined ? nothing : documents === undefined ? (this.message === "" ? html`<p class="hint">Loading…</p>` : nothing) : this.#listed(documents)}
      ${this.#known()}`;
  }
}
customElements.define("memory-kept", MemoryKept);
