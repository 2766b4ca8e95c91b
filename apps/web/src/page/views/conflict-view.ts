import type { RpcResult } from "@deputy/protocol/rpc";
import { html, nothing } from "lit";
import { icon } from "../parts/icons.ts";
import { View } from "../parts/view.ts";
import type { App } from "../stores/app.ts";
import { shown } from "../text/shown.ts";
import { failureText } from "../text/words.ts";

type Sides = RpcResult<"workspace.sides">;

/** `<conflict-view>`: a file that changed on both sides. Tells the page with `resolve`. */
class ConflictView extends View {
  static override properties = {
    app: {},
    path: {},
    why: {},
    sides: { state: true },
    message: { state: true },
  };
  declare app: App;
  declare path: string;
  declare why: string;
  declare sides: Sides | undefined;
  declare message: string;

  constructor() {
    super();
    this.message = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.app.connection.call("workspace.sides", { path: this.path }).then(
      (sides) => (this.sides = sides),
      (error: unknown) => (this.message = failureText(error)),
    );
  }

  #resolve(take: "ours" | "theirs" | "text"): void {
    const { path } = this;
    const text = this.querySelector("textarea")?.value ?? "";
    const detail = take === "text" ? { path, take, text } : { path, take };
    this.dispatchEvent(new CustomEvent("resolve", { detail }));
  }

  #side(title: string, text: string | null | undefined, button: string, take: "ours" | "theirs") {
    return html`<section>
      <h3>${title}</h3>
      ${
        text === null
          ? html`<p class="hint">There is no such file.</p>`
          : text === undefined
            ? html`<p class="hint">It is not text, or too long to show.</p>`
            : html`<pre tabindex="0" aria-label=${title}>${shown(text)}</pre>`
      }
      <button type="button" @click=${() => this.#resolve(take)}>${button}</button>
    </section>`;
  }

  protected override render() {
    const { sides } = this;
    return html`<div class="conflict">
      <p class="line trouble-line">${icon("alert")} Nothing was written: ${shown(this.why)}.</p>
      <p class="trouble" role="alert">${shown(this.message)}</p>
      ${
        sides === undefined
          ? nothing
          : html`<div class="sides">
                ${this.#side("What agents have", sides.ours, "Take this", "ours")}
                ${this.#side("What your file has now", sides.theirs, "Keep mine", "theirs")}
              </div>
              ${
                typeof sides.ours === "string" && typeof sides.theirs === "string"
                  ? html`<details>
                      <summary>Merge by hand</summary>
                      <label
                        >Merged
                        <textarea rows="10" spellcheck="false" .value=${sides.ours}></textarea>
                      </label>
                      <button type="button" class="primary" @click=${() => this.#resolve("text")}>
                        Take the merged text
                      </button>
                    </details>`
                  : nothing
              }`
      }
    </div>`;
  }
}
customElements.define("conflict-view", ConflictView);
