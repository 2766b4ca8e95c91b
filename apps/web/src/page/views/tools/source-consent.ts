import type { RpcResult, SeenSource, SourceRow } from "@deputy/protocol/rpc";
import { html, nothing } from "lit";
import { icon } from "../../parts/icons.ts";
import { View } from "../../parts/view.ts";
import type { App } from "../../stores/app.ts";
import { shown } from "../../text/shown.ts";
import { count, failureText } from "../../text/words.ts";
import { APPROVALS, effectCounts, EFFECTS } from "./tool-words.ts";

type Look = RpcResult<"sources.look">;

const CHANGES: Readonly<Record<SeenSource["tools"][number]["change"], string>> = {
  new: "new",
  changed: "changed",
  gone: "gone",
  same: "",
};

/**
 * `<source-consent>`: what a source could do, before anybody uses it. What is approved is exactly what is shown. Tells
 * the page with `kept` and `declined`.
 */
class SourceConsent extends View {
  static override properties = {
    app: {},
    look: {},
    isNew: {},
    busy: { state: true },
    hasFailed: { state: true },
    message: { state: true },
  };
  declare app: App;
  declare look: Look;
  /** It is not connected yet. */
  declare isNew: boolean;
  declare busy: boolean;
  /** The sign-in there came to nothing: its page takes nobody any more. */
  declare hasFailed: boolean;
  declare message: string;

  constructor() {
    super();
    this.busy = false;
    this.hasFailed = false;
    this.message = "";
    this.isNew = false;
  }

  protected override firstUpdated(): void {
    if (this.look.state === "sign_in") void this.#awaitSignIn();
    this.querySelector<HTMLElement>("h2")?.focus();
  }

  async #awaitSignIn(): Promise<void> {
    try {
      this.look = await this.app.connection.call("sources.await", { look: this.look.look });
      this.app.announce("Signed in.");
    } catch (error) {
      this.message = failureText(error);
      this.hasFailed = true;
    }
  }

  async #answer(answer: "keep" | "decline"): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    const { look } = this.look;
    try {
      if (answer === "keep") {
        const { source } = await this.app.connection.call("sources.keep", { look });
        this.dispatchEvent(new CustomEvent<SourceRow>("kept", { detail: source }));
      } else {
        await this.app.connection.call("sources.decline", { look });
        this.dispatchEvent(new CustomEvent("declined"));
      }
    } catch (error) {
      this.message = failureText(error);
    } finally {
      this.busy = false;
    }
  }

  #signIn() {
    return html`<section class="card consent" aria-labelledby="consent-title">
      <h2 id="consent-title" tabindex="-1">Sign in there first</h2>
      <p>
        The service asks who you are. Its page opens in a new tab; come back here afterwards. Deputy keeps
        what it is given in a file that only you can read.
      </p>
      <p class="trouble" role="alert">${shown(this.message)}</p>
      <div class="buttons">
        ${
          this.hasFailed
            ? nothing
            : html`<a
                class="button primary"
                href=${this.look.url ?? "#"}
                target="_blank"
                rel="noopener noreferrer"
                >Open the sign-in page</a
              >`
        }
        <button type="button" @click=${() => this.dispatchEvent(new CustomEvent("declined"))}>
          ${this.hasFailed ? "Back" : "Cancel"}
        </button>
      </div>
      ${this.hasFailed ? nothing : html`<p class="hint">It leads to ${shown(hostOf(this.look.url))}.</p>`}
    </section>`;
  }

  #tool(tool: SeenSource["tools"][number]) {
    return html`<li>
      <div>
        <p>
          <code>${shown(tool.path)}</code>
          ${tool.change === "same" || this.isNew ? nothing : html`<span class="status ${tool.change}">${CHANGES[tool.change]}</span>`}
          <span class="meta"
            ><span class="effect ${tool.effect}">${EFFECTS[tool.effect] ?? tool.effect}</span> ·
            ${APPROVALS[tool.approval] ?? tool.approval}</span
          >
        </p>
        <p class="hint clamp">${shown(tool.description)}</p>
      </div>
    </li>`;
  }

  protected override render() {
    const { seen } = this.look;
    if (seen === undefined) return this.#signIn();
    const risky = ["destructive", "egress", "write", "read"];
    const tools = seen.tools.toSorted((a, b) => risky.indexOf(a.effect) - risky.indexOf(b.effect));
    return html`<section class="card consent" aria-labelledby="consent-title">
      <h2 id="consent-title" tabindex="-1">
        ${
          seen.isSame
            ? html`Nothing has changed at ${shown(seen.name)}`
            : html`${shown(seen.name)}:
              ${count(seen.tools.length, "tool")}${this.isNew ? "" : ", with changes"}`
        }
      </h2>
      ${
        seen.title === "" && seen.where === seen.name
          ? nothing
          : html`<p class="meta">
              ${seen.title === "" ? nothing : html`It calls itself “${shown(seen.title)}” · `}<code
                >${shown(seen.where)}</code
              >
            </p>`
      }
      <ul class="effects" aria-label="What its tools can do">
        ${effectCounts(seen.tools).map(({ effect, text }) => html`<li class="effect ${effect}">${text}</li>`)}
      </ul>
      ${seen.notes.map((note) => html`<p class="line note">${icon("alert")} <span>${shown(note)}</span></p>`)}
      <p class="hint">
        Each line says when the tool asks you; your rules can make that stricter. The descriptions are the
        source’s own claims.
      </p>
      <ul class="list consent-tools" tabindex="0" aria-label="Its tools">
        ${tools.map((tool) => this.#tool(tool))}
      </ul>
      ${
        seen.texts.length === 0
          ? nothing
          : html`<details ?open=${!this.isNew && !seen.isSame}>
              <summary>
                ${this.isNew || seen.isSame ? "Everything it says, word for word" : "What changed, word for word"}
              </summary>
              <pre tabindex="0">${shown(seen.texts.join("\n\n"))}</pre>
            </details>`
      }
      <p class="trouble" role="alert">${shown(this.message)}</p>
      <div class="buttons">
        <button
          type="button"
          class="primary"
          ?disabled=${this.busy}
          @click=${() => void this.#answer("keep")}
        >
          ${seen.isSame ? "Keep using it" : this.isNew ? `Use ${count(seen.tools.length, "tool")}` : "Approve the changes"}
        </button>
        <button type="button" ?disabled=${this.busy} @click=${() => void this.#answer("decline")}>
          ${this.isNew ? "Cancel" : "Leave it as it is"}
        </button>
      </div>
    </section>`;
  }
}
customElements.define("source-consent", SourceConsent);

function hostOf(url: string | undefined): string {
  return url === undefined ? "" : (URL.parse(url)?.host ?? "");
}
