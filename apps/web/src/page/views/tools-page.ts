import type { RpcResult } from "@deputy/protocol/rpc";
import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { icon } from "../parts/icons.ts";
import { View } from "../parts/view.ts";
import type { App } from "../stores/app.ts";
import { shown } from "../text/shown.ts";
import { failureText } from "../text/words.ts";
import { pause } from "../wire/pause.ts";

type Tool = RpcResult<"tools.search">["tools"][number];

const TYPING_MS = 200;
const MOST_FOUND = 100;
const EFFECTS: Readonly<Record<string, string>> = {
  read: "reads",
  write: "changes",
  egress: "sends",
  destructive: "can destroy",
};
const APPROVALS: Readonly<Record<string, string>> = {
  auto: "asks when it must",
  ask: "asks each time",
  "ask-once": "asks once in a conversation",
  required: "asks each time",
  never: "never asks",
};

/** `<tools-page>`: finds a tool by what it does; shows what it can do, when it asks, and its declaration. */
class ToolsPage extends View {
  static override properties = {
    app: {},
    tools: { state: true },
    message: { state: true },
    declarations: { state: true },
  };
  declare app: App;
  declare tools: readonly Tool[] | undefined;
  declare message: string;
  declare declarations: ReadonlyMap<string, string>;
  #query = "";
  #typing = new AbortController();

  constructor() {
    super();
    this.message = "";
    this.declarations = new Map();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.app.connection.onOpen(() => void this.#search(this.#query), this.life);
  }

  async #search(query: string): Promise<void> {
    this.#query = query;
    this.#typing.abort();
    this.#typing = new AbortController();
    const { signal } = this.#typing;
    await pause(query === "" ? 0 : TYPING_MS, AbortSignal.any([signal, this.life]));
    if (signal.aborted) return;
    try {
      const wanted = query.trim() === "" ? "list get search send create" : query;
      const { tools } = await this.app.connection.call("tools.search", { query: wanted, limit: MOST_FOUND });
      if (signal.aborted) return;
      this.tools = tools;
      this.message = "";
    } catch (error) {
      if (!signal.aborted) this.message = failureText(error);
    }
  }

  async #describe(path: string): Promise<void> {
    if (this.declarations.has(path)) return;
    try {
      const { declarations } = await this.app.connection.call("tools.describe", { paths: [path] });
      this.declarations = new Map([...this.declarations, [path, declarations]]);
    } catch (error) {
      this.message = failureText(error);
    }
  }

  #tool({ path, description, effect, approval }: Tool) {
    const declaration = this.declarations.get(path);
    return html`<li>
      <details
        class="tool-item"
        @toggle=${({ target }: Event) => (target as HTMLDetailsElement).open && void this.#describe(path)}
      >
        <summary>
          <code>${shown(path)}</code>
          <span class="meta"
            ><span class="effect ${effect}">${EFFECTS[effect] ?? effect}</span> ·
            ${APPROVALS[approval] ?? approval}</span
          >
          <span class="text">${shown(description)}</span>
        </summary>
        ${declaration === undefined ? html`<p class="hint">Loading…</p>` : html`<pre tabindex="0">${shown(declaration)}</pre>`}
      </details>
    </li>`;
  }

  protected override render() {
    return html`<div class="page">
      <header class="page-head"><h1>Tools</h1></header>
      <div class="page-body">
        <label class="search-field">
          ${icon("search")}<span class="for-screen-readers">Find a tool by what it does</span>
          <input
            type="search"
            placeholder="Find a tool by what it does"
            autocomplete="off"
            @input=${({ target }: Event) => void this.#search((target as HTMLInputElement).value)}
          />
        </label>
        <p class="trouble" role="alert">${shown(this.message)}</p>
        ${
          this.tools === undefined
            ? this.message === ""
              ? html`<p class="hint">Loading…</p>`
              : nothing
            : this.tools.length === 0
              ? html`<p class="empty">
                  ${icon("tools")} No tool fits. <code>deputy tools add</code> connects MCP servers, OpenAPI
                  documents and plugins.
                </p>`
              : html`<ul class="list tools">
                  ${repeat(
                    this.tools,
                    ({ path }) => path,
                    (tool) => this.#tool(tool),
                  )}
                </ul>`
        }
      </div>
    </div>`;
  }
}
customElements.define("tools-page", ToolsPage);
