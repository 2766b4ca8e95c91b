import { html, nothing } from "lit";
import { isUnfolded, setUnfolded } from "../parts/folds.ts";
import { icon } from "../parts/icons.ts";
import { View } from "../parts/view.ts";
import type { App } from "../stores/app.ts";
import { linkTo } from "../stores/route.ts";
import type { RecalledRow } from "../stores/transcript-rows.ts";
import { shown, shownProse } from "../text/shown.ts";
import { count } from "../text/words.ts";
import { titleOf } from "./conversation-menu.ts";

type Hit = RecalledRow["hits"][number];

/** `<recalled-fold>`: that the memory was asked, as one quiet line; unfolded, what the model was shown of it, and why. */
class RecalledFold extends View {
  static override properties = { app: {}, row: {}, isOpen: { state: true } };
  declare app: App;
  declare row: RecalledRow;
  declare isOpen: boolean;

  override connectedCallback(): void {
    super.connectedCallback();
    this.isOpen = isUnfolded(this.row.key);
  }

  #toggle(): void {
    this.isOpen = !this.isOpen;
    setUnfolded(this.row.key, this.isOpen);
  }

  #hit({ source, path, lines, text, why, foreign }: Hit) {
    const session = this.app.lists.sessions.value?.find(({ id }) => id === path);
    const where =
      source === "session"
        ? html`said in <a href=${linkTo({ page: "conversation", id: path })}>${shown(titleOf(session))}</a>`
        : html`<a href=${linkTo({ page: "memory", path })}>${shown(path)}</a>, lines ${shown(lines)}`;
    const whose = foreign.length === 0 ? "your words" : `partly others’ words: ${foreign.join(", ")}`;
    return html`<li>
      <p class="meta">${where} · ${shown(whose)}</p>
      <p class="recalled-text" dir="auto">${shownProse(text)}</p>
      <p class="hint">Recalled because it ${shown(why === "" ? "fits" : why)}</p>
    </li>`;
  }

  protected override render() {
    const { row, isOpen } = this;
    return html`<div class="activity recalled ${isOpen ? "open" : ""}">
      <button type="button" class="summary" aria-expanded=${isOpen} @click=${() => this.#toggle()}>
        ${icon("open")}
        <span class="what">${describeRecalled(row.hits)}</span>
      </button>
      ${
        isOpen
          ? html`<div class="details">
              <ul>
                ${row.hits.map((hit) => this.#hit(hit))}
              </ul>
              ${row.note === undefined ? nothing : html`<p class="hint">${shown(row.note)}</p>`}
              <p><a href=${linkTo({ page: "memory" })}>Open the memory</a></p>
            </div>`
          : nothing
      }
    </div>`;
  }
}
customElements.define("recalled-fold", RecalledFold);

/** “Recalled 2 notes and 1 earlier conversation”. */
function describeRecalled(hits: readonly Hit[]): string {
  const talks = new Set(hits.filter(({ source }) => source === "session").map(({ path }) => path)).size;
  const notes = hits.filter(({ source }) => source !== "session").length;
  const parts = [
    ...(notes === 0 ? [] : [count(notes, "note")]),
    ...(talks === 0 ? [] : [count(talks, "earlier conversation")]),
  ];
  return `Recalled ${parts.join(" and ")}`;
}
