import { html, nothing } from "lit";
import { icon } from "../parts/icons.ts";
import { View } from "../parts/view.ts";
import type { App } from "../stores/app.ts";
import { linkTo } from "../stores/route.ts";
import type { Call } from "../stores/transcript-rows.ts";
import { shownProse, shown, spoken } from "../text/shown.ts";
import { failureText } from "../text/words.ts";
import { undoWords } from "./memory/undo-words.ts";

const NOTING = new Set(["memory.remember", "memory.propose"]);
const MOST_CHARS = 200;

/** True for a call that has written something into the memory. */
export const hasNoted = ({ toolPath, status }: Call): boolean =>
  NOTING.has(toolPath) && status === "succeeded";

/** `<noted-line>`: says what a call wrote into the memory, and takes it back. */
class NotedLine extends View {
  static override properties = { app: {}, call: {}, isUndone: { state: true }, message: { state: true } };
  declare app: App;
  declare call: Call;
  declare isUndone: boolean;
  declare message: string;

  constructor() {
    super();
    this.isUndone = false;
    this.message = "";
  }

  async #undo(): Promise<void> {
    try {
      // A change of a note has the id of the call that made it.
      const { outcome } = await this.app.connection.call("memory.undo", { changeId: this.call.id });
      this.isUndone = outcome === "undone" || outcome === "already";
      this.message = outcome === "already" ? "" : undoWords(outcome);
      if (this.isUndone) this.app.announce("Taken back.");
    } catch (error) {
      this.message = failureText(error);
    }
  }

  protected override render() {
    const { text } = (this.call.input ?? {}) as { readonly text?: unknown };
    const said = typeof text === "string" ? text : "";
    const short = said.length > MOST_CHARS ? `${said.slice(0, MOST_CHARS)}…` : said;
    return html`<p class="noted meta">
      ${icon("memory")}
      <span dir="auto"
        >${this.isUndone ? "Noted, and taken back" : html`<a href=${linkTo({ page: "memory", section: "changes" })}>Noted</a>`}:
        “${shownProse(short)}”</span
      >
      ${
        this.isUndone
          ? nothing
          : html`<button
              type="button"
              class="quiet small"
              aria-label="Undo: ${spoken(short)}"
              @click=${() => void this.#undo()}
            >
              ${icon("undo")} Undo
            </button>`
      }
      ${this.message === "" ? nothing : html`<span class="trouble" role="alert">${shown(this.message)}</span>`}
    </p>`;
  }
}
customElements.define("noted-line", NotedLine);
