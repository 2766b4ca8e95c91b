import { html, nothing } from "lit";
import { View } from "../parts/view.ts";
import { count } from "../text/words.ts";
import { type Hunk, readHunks } from "./diff-lines.ts";
import { type DiffLayout, renderDiff } from "./diff-view.ts";

/** Longer diffs are shown on demand. */
const LONG_DIFF_LINES = 400;
/** So many rows at a time: a table of ten thousand takes seconds to draw, and every step in it some more. */
const ROWS_AT_ONCE = 1_000;

/** `<file-changes>`: the diff of one file, folded. What is folded is not in the document. */
class FileChanges extends View {
  static override properties = {
    text: {},
    path: {},
    layout: {},
    startsOpen: { type: Boolean },
    isOpen: { state: true },
    most: { state: true },
  };
  declare text: string;
  declare path: string;
  declare layout: DiffLayout;
  /** Unless it is long. */
  declare startsOpen: boolean;
  declare isOpen: boolean;
  declare most: number;
  #read: { readonly of: string; readonly hunks: readonly Hunk[] } | undefined;

  constructor() {
    super();
    this.startsOpen = false;
    this.isOpen = false;
    this.most = ROWS_AT_ONCE;
  }

  #hunks(): readonly Hunk[] {
    if (this.#read?.of !== this.text) this.#read = { of: this.text, hunks: readHunks(this.text) };
    return this.#read.hunks;
  }

  #table() {
    const hunks = this.#hunks();
    const rows = hunks.reduce((all, hunk) => all + hunk.rows.length, 0);
    return html`${renderDiff(firstRows(hunks, this.most), this.path, this.layout)}
    ${
      rows > this.most
        ? html`<button type="button" class="small more-lines" @click=${() => (this.most += ROWS_AT_ONCE)}>
            Show ${count(Math.min(ROWS_AT_ONCE, rows - this.most), "more line")} of
            ${(rows - this.most).toLocaleString()}
          </button>`
        : nothing
    }`;
  }

  protected override render() {
    const lines = this.text.split("\n").length;
    const isLong = lines > LONG_DIFF_LINES;
    return html`<details
      ?open=${this.startsOpen && !isLong}
      @toggle=${({ target }: Event) => (this.isOpen = (target as HTMLDetailsElement).open)}
    >
      <summary>${isLong ? `${count(lines, "line")}: show` : "Changes"}</summary>
      ${this.isOpen || (this.startsOpen && !isLong) ? this.#table() : nothing}
    </details>`;
  }
}
customElements.define("file-changes", FileChanges);

function firstRows(hunks: readonly Hunk[], most: number): readonly Hunk[] {
  let left = most;
  return hunks.flatMap((hunk) => {
    if (left <= 0) return [];
    const rows = hunk.rows.slice(0, left);
    left -= rows.length;
    return [{ ...hunk, rows }];
  });
}
