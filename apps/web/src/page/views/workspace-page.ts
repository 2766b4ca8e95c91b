import type { RpcResult } from "@deputy/protocol/rpc";
import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { ask } from "../parts/ask.ts";
import { icon } from "../parts/icons.ts";
import { View } from "../parts/view.ts";
import type { App } from "../stores/app.ts";
import { shown, spoken } from "../text/shown.ts";
import { count, failureText } from "../text/words.ts";

type Review = RpcResult<"workspace.diff">;
type Diff = Review["diffs"][number];
type Conflict = RpcResult<"workspace.commit">["conflicts"][number];

const KINDS = { added: "new", modified: "changed", deleted: "deleted" } as const;
/** Longer diffs are shown on demand. */
const LONG_DIFF_LINES = 400;

/** `<workspace-page>`: what agents changed in their copy of your files: look, then write it to the real ones or give it up. */
class WorkspacePage extends View {
  static override properties = {
    app: {},
    review: { state: true },
    folder: { state: true },
    left: { state: true },
    viewed: { state: true },
    conflicts: { state: true },
    message: { state: true },
    isBusy: { state: true },
  };
  declare app: App;
  declare review: Review | undefined;
  declare folder: string | null;
  /** Files that are not to be written. */
  declare left: ReadonlySet<string>;
  declare viewed: ReadonlySet<string>;
  declare conflicts: readonly Conflict[];
  declare message: string;
  declare isBusy: boolean;

  constructor() {
    super();
    this.folder = null;
    this.left = new Set();
    this.viewed = new Set();
    this.conflicts = [];
    this.message = "";
    this.isBusy = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.app.connection.onOpen(() => void this.#load(), this.life);
  }

  async #load(): Promise<void> {
    try {
      const { folder } = await this.app.connection.call("workspace.status", {});
      this.review = await this.app.connection.call("workspace.diff", {});
      this.folder = folder;
      this.message = "";
    } catch (error) {
      this.message = failureText(error);
    }
  }

  async #commit(): Promise<void> {
    const { review } = this;
    if (review === undefined || this.isBusy) return;
    const paths = review.diffs.map(({ path }) => path).filter((path) => !this.left.has(path));
    this.isBusy = true;
    try {
      const isAll = paths.length === review.diffs.length;
      const { outcome, conflicts } = await this.app.connection.call("workspace.commit", {
        changeSet: review.changeSet,
        ...(!isAll && { paths }),
      });
      this.conflicts = conflicts;
      if (outcome === "committed") this.app.announce(`Written: ${count(paths.length, "file")}`);
      await this.#load();
    } catch (error) {
      await this.#load();
      this.message = failureText(error);
    } finally {
      this.isBusy = false;
    }
  }

  async #revert(path: string): Promise<void> {
    const answer = await ask({
      title: `Give up the changes to ${path}?`,
      text: "The agents' copy becomes as the file was when it was imported. Your own file stays as it is.",
      button: "Give them up",
      isDanger: true,
    });
    if (answer === undefined) return;
    try {
      await this.app.connection.call("workspace.revert", { paths: [path] });
      await this.#load();
    } catch (error) {
      this.message = failureText(error);
    }
  }

  #toggle(name: "left" | "viewed", path: string): void {
    const next = new Set(this[name]);
    if (!next.delete(path)) next.add(path);
    this[name] = next;
  }

  #diff({ kind, path, text, addedLines, removedLines, notes }: Diff) {
    const isViewed = this.viewed.has(path);
    const conflict = this.conflicts.find((one) => one.path === path);
    const lines = text?.split("\n") ?? [];
    return html`<details class="diff" ?open=${!isViewed && lines.length <= LONG_DIFF_LINES}>
      <summary>
        <span class="path">${shown(path)}</span>
        <span class="meta"
          >${KINDS[kind]} · <span class="plus">+${addedLines}</span>
          <span class="minus">−${removedLines}</span></span
        >
        <label @click=${(event: Event) => event.stopPropagation()}
          ><input type="checkbox" .checked=${isViewed} @change=${() => this.#toggle("viewed", path)} />
          Viewed</label
        >
        <label @click=${(event: Event) => event.stopPropagation()}
          ><input
            type="checkbox"
            .checked=${!this.left.has(path)}
            aria-label="Write ${spoken(path)}"
            @change=${() => this.#toggle("left", path)}
          />
          Write</label
        >
        <button
          type="button"
          class="small"
          @click=${(event: Event) => {
            event.preventDefault();
            void this.#revert(path);
          }}
        >
          Give up
        </button>
      </summary>
      ${conflict === undefined ? nothing : html`<p class="line trouble-line">${icon("alert")} ${shown(conflict.why)}</p>`}
      ${notes.map((note) => html`<p class="hint">${shown(note)}</p>`)}
      ${text === undefined ? nothing : html`<pre class="diff-text" tabindex="0">${lines.map(showLine)}</pre>`}
    </details>`;
  }

  protected override render() {
    const { review } = this;
    const chosen = review?.diffs.filter(({ path }) => !this.left.has(path)).length ?? 0;
    const order = (diff: Diff): number => (this.conflicts.some(({ path }) => path === diff.path) ? 0 : 1);
    return html`<div class="page wide">
      <header class="page-head">
        <h1>Workspace</h1>
        ${this.folder === null ? nothing : html`<span class="meta">${shown(this.folder)}</span>`}
      </header>
      <div class="page-body">
        <p class="trouble" role="alert">${shown(this.message)}</p>
        ${
          review === undefined
            ? this.message === ""
              ? html`<p class="hint">Loading…</p>`
              : nothing
            : review.diffs.length === 0
              ? html`<p class="empty">
                  ${icon("workspace")} Nothing is changed. Agents work on a copy of your files; what they
                  change there waits here until you write it to the real ones.
                </p>`
              : html`<div class="diffs">
                    ${repeat(
                      review.diffs.toSorted((a, b) => order(a) - order(b)),
                      ({ path }) => path,
                      (diff) => this.#diff(diff),
                    )}
                  </div>
                  <div class="sticky-actions">
                    <button
                      type="button"
                      class="primary"
                      ?disabled=${this.isBusy || chosen === 0}
                      @click=${() => void this.#commit()}
                    >
                      Write ${count(chosen, "file")}
                    </button>
                  </div>`
        }
      </div>
    </div>`;
  }
}
customElements.define("workspace-page", WorkspacePage);

function showLine(line: string) {
  const kind = line.startsWith("@@")
    ? "hunk"
    : line.startsWith("+")
      ? "added"
      : line.startsWith("-")
        ? "removed"
        : "";
  return html`<span class="line-of-diff ${kind}">${shown(line)} </span>`;
}
