import type { RpcParams, RpcResult } from "@deputy/protocol/rpc";
import { html, nothing } from "lit";
import { icon } from "../../parts/icons.ts";
import { View } from "../../parts/view.ts";
import type { App } from "../../stores/app.ts";
import { shown } from "../../text/shown.ts";
import { failureText } from "../../text/words.ts";
import { RequestFailed } from "../../wire/request-failed.ts";
import "./source-consent.ts";

type Look = RpcResult<"sources.look">;
type Kind = "mcp" | "command" | "openapi" | "plugin";

const KINDS: Readonly<Record<Kind, { readonly label: string; readonly says: string }>> = {
  mcp: { label: "MCP server at an address", says: "A service that offers tools for assistants" },
  openapi: { label: "OpenAPI document", says: "Any web service that describes itself" },
  command: { label: "MCP server on this machine", says: "A program that is started here" },
  plugin: { label: "Plugin", says: "A file or a package of your own" },
};

/** `<add-source>`: names a source, looks at what it offers, and asks. Tells the page with `added` and `cancelled`. */
class AddSource extends View {
  static override properties = {
    app: {},
    kind: { state: true },
    look: { state: true },
    busy: { state: true },
    message: { state: true },
  };
  declare app: App;
  declare kind: Kind;
  declare look: Look | undefined;
  declare busy: boolean;
  declare message: string;

  constructor() {
    super();
    this.kind = "mcp";
    this.busy = false;
    this.message = "";
  }

  #field(name: string): string {
    return this.querySelector<HTMLInputElement>(`[name=${name}]`)?.value.trim() ?? "";
  }

  #asked(): RpcParams<"sources.look"> {
    const [name, where, bearer] = [this.#field("name"), this.#field("where"), this.#field("bearer")];
    const oauth = this.querySelector<HTMLInputElement>("[name=oauth]")?.checked === true;
    if (this.kind === "plugin") return { kind: "plugin", where };
    if (this.kind === "command") return { kind: "mcp", name, command: splitWords(where) };
    return {
      kind: this.kind,
      where,
      ...(name !== "" && { name }),
      ...(bearer !== "" && { bearer }),
      ...(oauth && { oauth }),
    };
  }

  async #look(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (this.busy) return;
    this.busy = true;
    this.message = "";
    try {
      this.look = await this.#seeOrSignIn(this.#asked());
    } catch (error) {
      this.message = failureText(error);
    } finally {
      this.busy = false;
    }
  }

  /** A server that asks who the user is, and was told nothing, is signed in to. */
  async #seeOrSignIn(asked: RpcParams<"sources.look">): Promise<Look> {
    const { connection } = this.app;
    try {
      return await connection.call("sources.look", asked);
    } catch (error) {
      const wantsSignIn = error instanceof RequestFailed && error.code === "mcp_unauthorized";
      if (!wantsSignIn || this.kind !== "mcp" || "bearer" in asked || "oauth" in asked) throw error;
      return await connection.call("sources.look", { ...asked, oauth: true });
    }
  }

  #whereField() {
    switch (this.kind) {
      case "command":
        return html`<label for="source-where">Command</label>
          <input
            id="source-where"
            name="where"
            required
            maxlength="4000"
            autocomplete="off"
            spellcheck="false"
            placeholder="npx -y @modelcontextprotocol/server-everything"
            aria-describedby="source-where-says"
          />
          <p class="hint" id="source-where-says">
            It is started on this machine, as you, to see what it offers.
          </p>`;
      case "plugin":
        return html`<label for="source-where">File or package</label>
          <input
            id="source-where"
            name="where"
            required
            maxlength="2000"
            autocomplete="off"
            spellcheck="false"
            placeholder="/home/me/my-plugin.ts"
            aria-describedby="source-where-says"
          />
          <p class="hint" id="source-where-says">
            Its code runs on this machine, as you, already to see what it offers. A path that is not whole
            starts at Deputy’s home.
          </p>`;
      default:
        return html`<label for="source-where">Address</label>
          <input
            id="source-where"
            name="where"
            required
            maxlength="2000"
            autocomplete="off"
            spellcheck="false"
            inputmode="url"
            placeholder=${this.kind === "mcp" ? "e.g. https://mcp.example.org" : "e.g. https://example.org/openapi.json"}
          />`;
    }
  }

  #form() {
    const isRemote = this.kind === "mcp" || this.kind === "openapi";
    return html`<form
      class="card connect-form"
      aria-labelledby="add-title"
      ?hidden=${this.look !== undefined}
      @submit=${(event: SubmitEvent) => void this.#look(event)}
    >
      <h2 id="add-title">Connect tools</h2>
      <fieldset class="kinds">
        <legend class="for-screen-readers">What kind of source</legend>
        ${(Object.keys(KINDS) as Kind[]).map(
          (kind) =>
            html`<label class="kind">
              <input
                type="radio"
                name="kind"
                value=${kind}
                .checked=${kind === this.kind}
                @change=${() => {
                  this.kind = kind;
                  this.message = "";
                }}
              />
              <span
                ><span class="title">${KINDS[kind].label}</span
                ><span class="hint">${KINDS[kind].says}</span></span
              >
            </label>`,
        )}
      </fieldset>
      ${this.#whereField()}
      ${
        this.kind === "plugin"
          ? nothing
          : html`<label for="source-name"
                >Name${this.kind === "openapi" ? " (if you want another than its own)" : ""}</label
              >
              <input
                id="source-name"
                name="name"
                ?required=${this.kind !== "openapi"}
                maxlength="64"
                autocomplete="off"
                spellcheck="false"
                placeholder="github"
                aria-describedby="source-name-says"
              />
              <p class="hint" id="source-name-says">
                Its tools are found under this name: <code>github.issues</code>
              </p>`
      }
      ${
        isRemote
          ? html`<label for="source-bearer">Token (if it needs one)</label>
              <input
                id="source-bearer"
                name="bearer"
                type="password"
                autocomplete="off"
                maxlength="10000"
                aria-describedby="source-bearer-says"
              />
              <p class="hint" id="source-bearer-says">
                It is kept in a file that only you can read, and never shown again.
              </p>`
          : nothing
      }
      ${
        this.kind === "mcp"
          ? html`<label class="check"
              ><input type="checkbox" name="oauth" /> Sign in with the service (OAuth)</label
            >`
          : nothing
      }
      <p class="trouble" role="alert">${shown(this.message)}</p>
      <div class="buttons">
        <button class="primary" ?disabled=${this.busy}>
          ${this.busy ? html`${icon("busy")} Looking…` : "See what it offers"}
        </button>
        <button type="button" @click=${() => this.dispatchEvent(new CustomEvent("cancelled"))}>Cancel</button>
      </div>
      <p class="hint">Nothing is connected before you have seen its tools and agreed.</p>
    </form>`;
  }

  protected override render() {
    return html`${this.#form()}
    ${
      this.look === undefined
        ? nothing
        : html`<source-consent
            .app=${this.app}
            .look=${this.look}
            .isNew=${true}
            @kept=${({ detail }: CustomEvent) => this.dispatchEvent(new CustomEvent("added", { detail }))}
            @declined=${() => (this.look = undefined)}
          ></source-consent>`
    }`;
  }
}
customElements.define("add-source", AddSource);

/** As a shell would, with quotes and nothing else. */
function splitWords(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? "");
}
