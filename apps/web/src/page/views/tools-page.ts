import type { RpcResult } from "@deputy/protocol/rpc";
import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { icon } from "../parts/icons.ts";
import { View } from "../parts/view.ts";
import type { App } from "../stores/app.ts";
import { linkTo } from "../stores/route.ts";
import { shown } from "../text/shown.ts";
import { failureText } from "../text/words.ts";
import { pause } from "../wire/pause.ts";
import "../style/settings.css";
import "../style/tools.css";
import "./tools/source-list.ts";
import { APPROVALS, EFFECTS } from "./tools/tool-words.ts";

type Tool = RpcResult<"tools.search">["tools"][number];
type Described = RpcResult<"tools.describe">;

const TYPING_MS = 200;
const MOST_FOUND = 100;

/** `<tools-page>`: where tools come from, and what each can do; a tool can be tried, and given a rule. */
class ToolsPage extends View {
  static override properties = {
    app: {},
    section: {},
    tools: { state: true },
    message: { state: true },
    described: { state: true },
    isAddLoaded: { state: true },
    isSearching: { state: true },
  };
  declare app: App;
  declare section: string | undefined;
  declare tools: readonly Tool[] | undefined;
  declare message: string;
  declare described: ReadonlyMap<string, Described>;
  declare isAddLoaded: boolean;
  /** What is shown answers an earlier query: rows can still move. */
  declare isSearching: boolean;
  #query = "";
  #typing = new AbortController();

  constructor() {
    super();
    this.message = "";
    this.described = new Map();
    this.isAddLoaded = false;
    this.isSearching = false;
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
    this.isSearching = true;
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
    } finally {
      if (!signal.aborted) this.isSearching = false;
    }
  }

  async #describe(path: string): Promise<void> {
    if (this.described.has(path)) return;
    try {
      const [described] = await Promise.all([
        this.app.connection.call("tools.describe", { paths: [path] }),
        import("./tools/tool-trial.ts"),
        import("./tools/tool-rule.ts"),
      ]);
      this.described = new Map([...this.described, [path, described]]);
    } catch (error) {
      this.message = failureText(error);
    }
  }

  #tool({ path, description, effect, approval }: Tool) {
    const described = this.described.get(path);
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
        ${described === undefined ? html`<p class="hint">Loading…</p>` : this.#open(path, described)}
      </details>
    </li>`;
  }

  #open(path: string, { declarations, tools }: Described) {
    return html`<div class="tool-open">
      <tool-rule .app=${this.app} .path=${path}></tool-rule>
      <details>
        <summary>What a model is told about it</summary>
        <pre tabindex="0">${shown(declarations)}</pre>
      </details>
      <details>
        <summary>Try it</summary>
        <tool-trial .app=${this.app} .path=${path} .schema=${tools[0]?.inputSchema ?? {}}></tool-trial>
      </details>
    </div>`;
  }

  #add() {
    if (!this.isAddLoaded) {
      import("./tools/add-source.ts").then(
        () => (this.isAddLoaded = true),
        () => (this.message = "A part of the page could not be loaded. Reload the page."),
      );
      return html`<p class="hint">Loading…</p>`;
    }
    const back = () => this.app.router.go({ page: "tools" });
    return html`<add-source
      .app=${this.app}
      @cancelled=${back}
      @added=${() => {
        this.app.announce("Connected. Deputy has its tools from the next message on.");
        back();
        void this.#search(this.#query);
      }}
    ></add-source>`;
  }

  #found() {
    const { tools } = this;
    if (tools === undefined) return this.message === "" ? html`<p class="hint">Loading…</p>` : nothing;
    if (tools.length === 0)
      return html`<p class="empty">
        ${icon("tools")}
        <span
          >No tool matches. <a href=${linkTo({ page: "tools", section: "add" })}>Connect tools</a>: MCP
          servers, OpenAPI documents and plugins.</span
        >
      </p>`;
    return html`<ul class="list tools" aria-busy=${this.isSearching}>
      ${repeat(
        tools,
        ({ path }) => path,
        (tool) => this.#tool(tool),
      )}
    </ul>`;
  }

  protected override render() {
    return html`<div class="page">
      <header class="page-head"><h1>Tools</h1></header>
      <div class="page-body">
        ${
          this.section === "add"
            ? this.#add()
            : html`<source-list
                  .app=${this.app}
                  @changed=${() => void this.#search(this.#query)}
                ></source-list>
                <section class="finder" aria-labelledby="finder-title">
                  <h2 id="finder-title">What they can do</h2>
                  <label class="search-field">
                    ${icon("search")}<span class="for-screen-readers">Find a tool by what it does</span>
                    <input
                      type="search"
                      placeholder="Find a tool by what it does"
                      autocomplete="off"
                      .value=${this.#query}
                      @input=${({ target }: Event) => void this.#search((target as HTMLInputElement).value)}
                    />
                  </label>
                  ${this.#found()}
                </section>`
        }
        <p class="trouble" role="alert">${shown(this.message)}</p>
      </div>
    </div>`;
  }
}
customElements.define("tools-page", ToolsPage);
