import type { RpcResult } from "@deputy/protocol/rpc";
import { html, nothing, type PropertyValues } from "lit";
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
    isBusy: {},
    sides: { state: true },
    message: { state: true },
  };
  declare app: App;
  declare path: string;
  declare why: string;
  /** Something else is being done: nothing can be chosen. */
  declare isBusy: boolean;
  declare sides: Sides | undefined;
  declare message: string;
  #loading = false;

  constructor() {
    super();
    this.message = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#load();
  }

  async #load(): Promise<void> {
    if (this.#loading) return;
    this.#loading = true;
    try {
      const sides = await this.app.connection.call("workspace.sides", { path: this.path });
      const isOther = this.sides !== undefined && this.sides.state !== sides.state;
      this.sides = sides;
      this.message = isOther ? "One of the two has changed meanwhile. Below is what they have now." : "";
    } catch (error) {
      this.message = failureText(error);
    } finally {
      this.#loading = false;
    }
  }

  #resolve(take: "ours" | "theirs" | "text"): void {
    const { path, sides } = this;
    if (sides === undefined) return;
    const text = this.querySelector("textarea")?.value ?? "";
    const { state } = sides;
    const detail = take === "text" ? { path, take, text, state } : { path, take, state };
    this.dispatchEvent(new CustomEvent("resolve", { detail }));
  }

  /** A long file shows the first line that differs. */
  protected override updated(changed: PropertyValues): void {
    // Something was done, and it is still a conflict: it may be another one.
    if (changed.get("isBusy") === true && !this.isBusy) void this.#load();
    if (!changed.has("sides")) return;
    for (const pre of this.querySelectorAll("pre"))
      pre.scrollTop = (pre.querySelector<HTMLElement>(".differs")?.offsetTop ?? 0) - SHOWN_ABOVE_PX;
  }

  #side(
    title: string,
    text: string | null | undefined,
    other: string | null | undefined,
    button: string,
    take: "ours" | "theirs",
  ) {
    return html`<section>
      <h3>${title}</h3>
      ${
        text === null
          ? html`<p class="hint">There is no such file.</p>`
          : text === undefined
            ? html`<p class="hint">It is not text, or too long to show.</p>`
            : html`<pre tabindex="0" aria-label=${title}>${differing(text, other ?? "")}</pre>`
      }
      <button type="button" ?disabled=${this.isBusy} @click=${() => this.#resolve(take)}>${button}</button>
    </section>`;
  }

  protected override render() {
    const { sides } = this;
    return html`<div class="conflict">
      <p class="line trouble-line">${icon("alert")} <span>Nothing was written: ${shown(this.why)}.</span></p>
      <p class="trouble" role="alert">${shown(this.message)}</p>
      ${
        sides === undefined
          ? nothing
          : html`<div class="sides">
                ${this.#side("What agents have", sides.ours, sides.theirs, "Take this", "ours")}
                ${this.#side("What your file has now", sides.theirs, sides.ours, "Keep mine", "theirs")}
              </div>
              ${
                typeof sides.ours === "string" && typeof sides.theirs === "string"
                  ? html`<details>
                      <summary>Merge by hand</summary>
                      <label
                        >Merged
                        <textarea rows="10" spellcheck="false" .defaultValue=${sides.ours}></textarea>
                      </label>
                      <button
                        type="button"
                        class="primary"
                        ?disabled=${this.isBusy}
                        @click=${() => this.#resolve("text")}
                      >
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

const SHOWN_ABOVE_PX = 48;

/** A text, in which lines stand out that the other does not have. */
function differing(text: string, other: string): unknown {
  const known = new Set(other.split("\n"));
  return text
    .split("\n")
    .map((line, at, { length }) =>
      known.has(line)
        ? [shown(line), at < length - 1 ? "\n" : nothing]
        : html`<span class="differs">${shown(line)}</span>`,
    );
}
