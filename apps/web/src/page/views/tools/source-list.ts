import type { RpcResult, SourceRow } from "@deputy/protocol/rpc";
import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { ask } from "../../parts/ask.ts";
import { icon } from "../../parts/icons.ts";
import { timeText } from "../../parts/time-text.ts";
import { View } from "../../parts/view.ts";
import type { App } from "../../stores/app.ts";
import { linkTo } from "../../stores/route.ts";
import { shown, spoken } from "../../text/shown.ts";
import { count, failureText } from "../../text/words.ts";
import "./source-consent.ts";

type Look = RpcResult<"sources.look">;

const KINDS: Readonly<Record<SourceRow["kind"], string>> = {
  own: "built in",
  demo: "invented",
  plugin: "plugin",
  mcp: "MCP server",
  openapi: "OpenAPI document",
};

/** `<source-list>`: where tools come from: when each answered last, or what it said instead. */
class SourceList extends View {
  static override properties = {
    app: {},
    sources: { state: true },
    busy: { state: true },
    look: { state: true },
    message: { state: true },
  };
  declare app: App;
  declare sources: readonly SourceRow[] | undefined;
  /** The source that is being asked. */
  declare busy: string;
  declare look: Look | undefined;
  declare message: string;

  constructor() {
    super();
    this.busy = "";
    this.message = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.app.connection.onOpen(() => void this.load(), this.life);
  }

  async load(): Promise<void> {
    try {
      this.sources = (await this.app.connection.call("sources.list", {})).sources;
      this.message = "";
    } catch (error) {
      this.message = failureText(error);
    }
  }

  async #work(name: string, work: () => Promise<void>): Promise<void> {
    if (this.busy !== "") return;
    this.busy = name;
    this.message = "";
    try {
      await work();
    } catch (error) {
      this.message = failureText(error);
    } finally {
      this.busy = "";
    }
  }

  #check(name: string): Promise<void> {
    return this.#work(name, async () => {
      const { source } = await this.app.connection.call("sources.check", { name });
      this.sources = this.sources?.map((one) => (one.name === name ? source : one));
      this.app.announce(`${name}: ${source.asked?.message ?? ""}`);
    });
  }

  #review(name: string): Promise<void> {
    return this.#work(name, async () => {
      this.look = await this.app.connection.call("sources.review", { name });
    });
  }

  async #remove(name: string): Promise<void> {
    const sure = await ask({
      title: `Disconnect ${name}?`,
      text: "Its tools are gone from the next message on. Files and documents stay where they are.",
      button: "Disconnect",
      isDanger: true,
    });
    if (sure === undefined) return;
    await this.#work(name, async () => {
      await this.app.connection.call("sources.remove", { name });
      await this.load();
      this.#changed();
    });
  }

  #changed(): void {
    this.dispatchEvent(new CustomEvent("changed"));
  }

  #state(source: SourceRow) {
    const { asked, approvedAt, message, standing } = source;
    const now = this.app.nowMs.value;
    if (asked !== undefined && !asked.answered)
      return html`<p class="trouble">
        ${icon("failed")} ${shown(asked.message)} <span class="meta">${timeText(asked.at, now)}</span>
      </p>`;
    if (standing === "broken") return html`<p class="trouble">${icon("failed")} ${shown(message)}</p>`;
    if (standing === "waits") return html`<p class="warn">${icon("alert")} ${shown(message)}</p>`;
    if (asked !== undefined)
      return html`<p class="good">
        ${icon("done")} ${shown(asked.message)} <span class="meta">${timeText(asked.at, now)}</span>
      </p>`;
    if (approvedAt !== undefined)
      return html`<p class="meta">as you approved it, ${timeText(approvedAt, now)}</p>`;
    return nothing;
  }

  #buttons({ name, signsIn, isReviewed, standing, asked }: SourceRow) {
    const isBusy = this.busy === name;
    const isFailing = standing === "broken" || asked?.answered === false;
    const check = isFailing ? "Try again" : "Check";
    const label = (what: string) => `${what}: ${spoken(name)}`;
    return html`<div class="buttons">
      ${
        isReviewed && standing === "waits"
          ? html`<button
              type="button"
              class="small primary"
              aria-label=${label("Review")}
              ?disabled=${isBusy}
              @click=${() => void this.#review(name)}
            >
              Review
            </button>`
          : nothing
      }
      <button
        type="button"
        class="small"
        aria-label=${label(check)}
        ?disabled=${isBusy}
        @click=${() => void this.#check(name)}
      >
        ${icon(isBusy ? "busy" : "again")} ${check}
      </button>
      ${
        isReviewed && standing !== "waits"
          ? html`<button
              type="button"
              class="small"
              aria-label=${label(signsIn ? "Sign in or review" : "Review")}
              ?disabled=${isBusy}
              @click=${() => void this.#review(name)}
            >
              ${signsIn ? "Sign in or review" : "Review"}
            </button>`
          : nothing
      }
      <button
        type="button"
        class="small quiet"
        aria-label=${label("Disconnect")}
        ?disabled=${isBusy}
        @click=${() => void this.#remove(name)}
      >
        ${icon("trash")} Disconnect
      </button>
    </div>`;
  }

  #source(source: SourceRow) {
    const { name, kind, where, tools, isRemovable } = source;
    return html`<li class="source">
      <div>
        <p>
          <strong>${shown(shortName(name))}</strong>
          <span class="meta">${KINDS[kind]}${tools > 0 ? ` · ${count(tools, "tool")}` : ""}</span>
        </p>
        ${where === shortName(name) ? nothing : html`<p class="hint"><span class=${isRemovable ? "where" : nothing}>${shown(where)}</span></p>`}
        ${this.#state(source)}
      </div>
      ${isRemovable ? this.#buttons(source) : nothing}
    </li>`;
  }

  protected override render() {
    return html`<div class="with-button head">
        <h2>Where tools come from</h2>
        <a class="button small" href=${linkTo({ page: "tools", section: "add" })}
          >${icon("plus")} Connect tools</a
        >
      </div>
      <p class="trouble" role="alert">${shown(this.message)}</p>
      ${
        this.look === undefined
          ? nothing
          : html`<source-consent
              .app=${this.app}
              .look=${this.look}
              @kept=${() => {
                this.look = undefined;
                void this.load();
                this.#changed();
              }}
              @declined=${() => {
                this.look = undefined;
                void this.load();
              }}
            ></source-consent>`
      }
      ${
        this.sources === undefined
          ? this.message === ""
            ? html`<p class="hint">Loading…</p>`
            : html`<button type="button" @click=${() => void this.load()}>Try again</button>`
          : html`<ul class="list">
              ${repeat(
                this.sources,
                ({ name }) => name,
                (source) => this.#source(source),
              )}
            </ul>`
      }`;
  }
}
customElements.define("source-list", SourceList);

/** A plugin's name is its path: the file says which one it is, the folder stands below. */
function shortName(name: string): string {
  return /^(?:\/|\.\.?\/|[A-Za-z]:\\)/.test(name) ? (name.split(/[/\\]/).at(-1) ?? name) : name;
}
