import type { RpcResult } from "@deputy/protocol/rpc";
import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { icon } from "../../parts/icons.ts";
import { timeText } from "../../parts/time-text.ts";
import { View } from "../../parts/view.ts";
import type { App } from "../../stores/app.ts";
import { linkTo } from "../../stores/route.ts";
import { shown, spoken } from "../../text/shown.ts";
import { failureText } from "../../text/words.ts";
import { conversationLink, nameOf, whoseWords } from "./memory-words.ts";
import { undoWords } from "./undo-words.ts";

type Change = RpcResult<"memory.changes">["changes"][number];

const MOST = 100;

/** `<memory-changes>`: what was written into notes, by whom and from where; each can be taken back. */
class MemoryChanges extends View {
  static override properties = {
    app: {},
    changes: { state: true },
    message: { state: true },
    busy: { state: true },
  };
  declare app: App;
  declare changes: readonly Change[] | undefined;
  declare message: string;
  /** The one that is being taken back. */
  declare busy: string | undefined;

  constructor() {
    super();
    this.message = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.app.connection.onOpen(() => void this.#load(), this.life);
  }

  async #load(): Promise<void> {
    try {
      this.changes = (await this.app.connection.call("memory.changes", { limit: MOST })).changes;
    } catch (error) {
      this.message = failureText(error);
    }
  }

  async #undo({ changeId }: Change): Promise<void> {
    if (this.busy !== undefined) return;
    this.busy = changeId;
    try {
      const { outcome } = await this.app.connection.call("memory.undo", { changeId });
      this.message = undoWords(outcome);
      if (outcome === "undone") this.app.announce("Taken back.");
      await this.#load();
    } catch (error) {
      this.message = failureText(error);
    }
    this.busy = undefined;
  }

  #state({ outcome, undoneBy }: Change) {
    if (undoneBy !== undefined) return html`<span class="status">taken back</span>`;
    if (outcome === "given_up") return html`<span class="status">not written: the file had changed</span>`;
    return nothing;
  }

  #change(change: Change) {
    const { path, at, by, toldBy, edit, session, outcome, undoneBy } = change;
    const lines = [
      ...edit.removed.map((line) => ({ line, kind: "removed", mark: "−" })),
      ...edit.added.map((line) => ({ line, kind: "added", mark: "+" })),
    ].filter(({ line }) => line.trim() !== "");
    return html`<li class="change">
      <div>
        <p class="meta">
          <a href=${linkTo({ page: "memory", path })}>${shown(nameOf(this.app, path))}</a> ·
          ${timeText(at, this.app.nowMs.value)} · by ${by === "owner" ? "you" : shown(by)}
          ${session === undefined ? nothing : html`in ${conversationLink(this.app, session)}`} ·
          ${whoseWords(toldBy, "one")}
        </p>
        <ul class="changed-lines">
          ${lines.map(
            ({ line, kind, mark }) =>
              html`<li class=${kind} dir="auto">
                <span class="sign">${mark}</span> ${shown(withoutMarks(line))}
              </li>`,
          )}
        </ul>
        ${this.#state(change)}
      </div>
      ${
        outcome === "written" && undoneBy === undefined
          ? html`<button
              type="button"
              class="small"
              aria-label="Undo the change of ${spoken(path)}"
              ?disabled=${this.busy !== undefined}
              @click=${() => void this.#undo(change)}
            >
              ${icon("undo")} Undo
            </button>`
          : nothing
      }
    </li>`;
  }

  protected override render() {
    const { changes } = this;
    return html`<p class="trouble" role="alert">${shown(this.message)}</p>
      ${
        changes === undefined
          ? this.message === ""
            ? html`<p class="hint">Loading…</p>`
            : nothing
          : changes.length === 0
            ? html`<p class="empty">
                ${icon("edit")} Nothing was written yet. Each note that Deputy or you write is listed here,
                with where it comes from, and can be taken back.
              </p>`
            : html`<ul class="list">
                ${repeat(
                  changes,
                  ({ changeId }) => changeId,
                  (change) => this.#change(change),
                )}
              </ul>`
      }`;
  }
}
customElements.define("memory-changes", MemoryChanges);

/** Marks of where a line is from are said in words above it. */
function withoutMarks(line: string): string {
  return line.replace(/^\s*[-*] /, "").replace(/(?: ?<!-- (?:fact|told by): [^<>]*-->)+\s*$/, "");
}
