import type { RpcParams, RpcResult } from "@deputy/protocol/rpc";
import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { ask } from "../parts/ask.ts";
import { icon } from "../parts/icons.ts";
import { View } from "../parts/view.ts";
import type { App } from "../stores/app.ts";
import { linkTo } from "../stores/route.ts";
import { shown } from "../text/shown.ts";
import { count, failureText } from "../text/words.ts";
import { pause } from "../wire/pause.ts";
import { anchorOf, type Conflict, type Diff, showChangedFile } from "./changed-file.ts";
import type { DiffLayout } from "./diff-view.ts";
import "./folder-tree.ts";
import { type Commit, showCommits } from "./workspace-commits.ts";
import { showSnapshots, type Snapshot } from "./workspace-snapshots.ts";

type Review = RpcResult<"workspace.diff">;

/** What becomes of a file when an older state comes back. */
const UNDONE = { added: "comes back", modified: "as before", deleted: "goes away" } as const;
const MOST_NAMED = 10;
/** How often the daemon is asked how far it is. */
const PROGRESS_MS = 100;
const LAYOUT = "deputy.diff";

/** `<workspace-page>`: what agents changed in their copy of your files: look, then write it to the real ones or give it up. */
class WorkspacePage extends View {
  static override properties = {
    app: {},
    review: { state: true },
    folder: { state: true },
    left: { state: true },
    viewed: { state: true },
    conflicts: { state: true },
    written: { state: true },
    snapshots: { state: true },
    message: { state: true },
    busy: { state: true },
    importing: { state: true },
    layout: { state: true },
  };
  declare app: App;
  declare review: Review | undefined;
  declare folder: string | null;
  /** Files that are not to be written. */
  declare left: ReadonlySet<string>;
  /** What was looked at, by the file: what changes afterwards has not been. */
  declare viewed: ReadonlyMap<string, string>;
  declare conflicts: readonly Conflict[];
  declare written: readonly Commit[];
  declare snapshots: readonly Snapshot[];
  declare message: string;
  /** What is being done, in words. */
  declare busy: string;
  /** How many files of how many were copied. */
  declare importing: RpcResult<"workspace.progress">["importing"];
  declare layout: DiffLayout;
  /** What was tried last, and could not be copied. */
  #tried: string | undefined;

  constructor() {
    super();
    this.folder = null;
    this.left = new Set();
    this.viewed = new Map();
    this.conflicts = [];
    this.written = [];
    this.snapshots = [];
    this.message = "";
    this.busy = "";
    this.importing = null;
    this.layout = localStorage.getItem(LAYOUT) === "side" ? "side" : "inline";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.app.connection.onOpen(() => void this.#load(), this.life);
  }

  async #load(): Promise<void> {
    const { connection } = this.app;
    try {
      const { folder } = await connection.call("workspace.status", {});
      this.review = await connection.call("workspace.diff", {});
      this.written = (await connection.call("workspace.history", {})).commits;
      this.snapshots = (await connection.call("workspace.snapshots", {})).snapshots;
      this.folder = folder;
      this.message = "";
    } catch (error) {
      this.message = failureText(error);
    }
  }

  /** One thing at a time; what went wrong is said, and everything is read again. True if it was done. */
  async #act(busy: string, work: () => Promise<unknown>): Promise<boolean> {
    if (this.busy !== "") return false;
    this.busy = busy;
    let trouble = "";
    try {
      await work();
    } catch (error) {
      trouble = failureText(error);
    }
    await this.#load();
    if (trouble !== "") this.message = trouble;
    this.busy = "";
    return trouble === "";
  }

  async #commit(): Promise<void> {
    const { review } = this;
    if (review === undefined) return;
    const paths = review.diffs.map(({ path }) => path).filter((path) => !this.left.has(path));
    await this.#act(`Writing ${count(paths.length, "file")}…`, async () => {
      const isAll = paths.length === review.diffs.length;
      const { outcome, conflicts } = await this.app.connection.call("workspace.commit", {
        changeSet: review.changeSet,
        ...(!isAll && { paths }),
      });
      this.conflicts = conflicts;
      if (outcome === "committed") this.app.tell(`${count(paths.length, "file")} written.`);
      else this.app.tell(`Nothing was written: ${count(conflicts.length, "file")} changed on both sides.`);
    });
  }

  async #revert(path: string): Promise<void> {
    const answer = await ask({
      title: `Give up the changes to ${path}?`,
      text: "The agents' copy becomes as your own file is now. Your own file stays as it is.",
      button: "Give them up",
      isDanger: true,
    });
    if (answer === undefined) return;
    const work = () => this.app.connection.call("workspace.revert", { paths: [path] });
    if (!(await this.#act("Giving them up…", work))) return;
    this.conflicts = this.conflicts.filter((one) => one.path !== path);
  }

  async #undo({ id, files }: Snapshot): Promise<void> {
    const named = files.slice(0, MOST_NAMED).map(({ path, kind }) => `${path} (${UNDONE[kind]})`);
    const more = files.length > MOST_NAMED ? `, and ${files.length - MOST_NAMED} more` : "";
    const answer = await ask({
      title: `Take back ${count(files.length, "file")}?`,
      text: `In the agents' copy: ${named.join(", ")}${more}. Your own files stay as they are, and this can be taken back, too.`,
      button: "Take back",
    });
    if (answer === undefined) return;
    const { connection } = this.app;
    const takeBack = async (snapshot: string): Promise<boolean> =>
      await this.#act("Taking it back…", () => connection.call("workspace.undo", { snapshot }));
    if (!(await takeBack(id))) return;
    // The newest is what was taken back just now.
    const [taken] = this.snapshots;
    this.app.tell(
      `${count(files.length, "file")} taken back.`,
      taken === undefined ? undefined : () => void takeBack(taken.id),
    );
  }

  async #import(): Promise<void> {
    const changed = this.review?.diffs.length ?? 0;
    const folder = await ask({
      title: this.folder === null ? "Copy a folder for the agents" : "Copy the folder again",
      text:
        changed === 0
          ? "Agents work on this copy, without .git and node_modules; nothing reaches the real files until you write it."
          : `${count(changed, "changed file")} that you have not written would be lost.`,
      button: changed === 0 ? "Copy" : "Copy, and lose the changes",
      isDanger: changed > 0,
      value: this.#tried ?? this.folder ?? "",
      label: "Folder on the machine that runs Deputy",
    });
    if (folder === undefined || folder.trim() === "") return;
    this.#tried = folder.trim();
    await this.#act(`Copying ${folder.trim()}…`, async () => {
      const copying = this.app.connection.call("workspace.import", {
        folder: folder.trim(),
        ...(changed > 0 && { discard: true }),
      });
      const { files, skipped } = await this.#watching(copying);
      const left = skipped.length === 0 ? "" : ` ${skipped.length} left out.`;
      this.app.tell(`${count(files, "file")} copied.${left}`);
      this.viewed = new Map();
      this.conflicts = [];
      this.#tried = undefined;
    });
  }

  /** Shows how far the daemon is with it, until it is done. */
  async #watching<T>(copying: Promise<T>): Promise<T> {
    const done = new AbortController();
    const watch = async (): Promise<void> => {
      while (!done.signal.aborted) {
        const { importing } = await this.app.connection.call("workspace.progress", {});
        if (!done.signal.aborted) this.importing = importing;
        await pause(PROGRESS_MS, AbortSignal.any([done.signal, this.life]));
      }
    };
    // Without it, the copy goes on all the same.
    watch().catch(() => undefined);
    try {
      return await copying;
    } finally {
      done.abort();
      this.importing = null;
    }
  }

  #progress() {
    const { busy, importing } = this;
    if (busy === "") return nothing;
    const isKnown = importing !== null && importing.total > 0;
    return html`<p class="line" role="status">
        ${icon("busy")} <span>${shown(busy)}</span>
        ${isKnown ? html`<span class="hint" aria-hidden="true">${importing.done.toLocaleString()} of ${count(importing.total, "file")}</span>` : nothing}
      </p>
      ${
        isKnown
          ? html`<progress
              class="import-progress"
              max=${importing.total}
              .value=${importing.done}
              aria-label="Files copied"
            ></progress>`
          : nothing
      }`;
  }

  async #resolve(detail: RpcParams<"workspace.resolve">): Promise<void> {
    const work = () => this.app.connection.call("workspace.resolve", detail);
    if (!(await this.#act("Resolving…", work))) return;
    this.conflicts = this.conflicts.filter(({ path }) => path !== detail.path);
  }

  #setLayout(layout: DiffLayout): void {
    this.layout = layout;
    localStorage.setItem(LAYOUT, layout);
  }

  #toggleLeft(path: string): void {
    const next = new Set(this.left);
    if (!next.delete(path)) next.add(path);
    this.left = next;
  }

  #isViewed(diff: Diff): boolean {
    return this.viewed.get(diff.path) === stateOf(diff);
  }

  #toggleViewed(diff: Diff): void {
    const next = new Map(this.viewed);
    if (this.#isViewed(diff)) next.delete(diff.path);
    else next.set(diff.path, stateOf(diff));
    this.viewed = next;
  }

  #diff(diff: Diff) {
    const { path } = diff;
    return showChangedFile(diff, {
      app: this.app,
      layout: this.layout,
      isBusy: this.busy !== "",
      isViewed: this.#isViewed(diff),
      isWritten: !this.left.has(path),
      conflict: this.conflicts.find((one) => one.path === path),
      toggle: (name) => (name === "left" ? this.#toggleLeft(path) : this.#toggleViewed(diff)),
      revert: () => void this.#revert(path),
      resolve: ({ detail }) => void this.#resolve(detail),
    });
  }

  #empty() {
    if (this.folder === null)
      return html`<div class="empty">
        ${icon("workspace")}
        <div>
          <p>
            There is no copy of your files yet. Copy a folder, and agents can work on it without touching the
            real files.
          </p>
          <button
            type="button"
            class="primary"
            ?disabled=${this.busy !== ""}
            @click=${() => void this.#import()}
          >
            ${icon("download")} Copy a folder
          </button>
        </div>
      </div>`;
    return html`<div class="empty">
      ${icon("workspace")}
      <div>
        <p>
          Nothing is changed. Agents work on a copy of your files; what they change there waits here until you
          write it to the real ones.
        </p>
        <a class="button" href=${linkTo({ page: "new" })}>${icon("chat")} Ask for a change</a>
      </div>
    </div>`;
  }

  #changes(review: Review) {
    const order = (diff: Diff): number => (this.conflicts.some(({ path }) => path === diff.path) ? 0 : 1);
    const diffs = review.diffs.toSorted((a, b) => order(a) - order(b));
    const chosen = diffs.filter(({ path }) => !this.left.has(path)).length;
    return html`<div class="review">
        <nav class="changed-files" aria-label="Changed files">
          <h2>${count(diffs.length, "changed file")}</h2>
          <ul>
            ${diffs.map(
              (diff) =>
                html`<li class=${diff.kind}>
                  <a href="#/workspace" @click=${(event: Event) => goTo(event, diff.path)}>
                    ${this.#isViewed(diff) ? icon("check") : nothing}<span>${shown(diff.path)}</span>
                    ${order(diff) === 0 ? html`<span class="badge">conflict</span>` : nothing}
                  </a>
                </li>`,
            )}
          </ul>
        </nav>
        <div class="diffs">
          ${repeat(
            diffs,
            ({ path }) => path,
            (diff) => this.#diff(diff),
          )}
        </div>
      </div>
      <div class="sticky-actions">
        <button
          type="button"
          class="primary"
          ?disabled=${this.busy !== "" || chosen === 0}
          @click=${() => void this.#commit()}
        >
          Write ${count(chosen, "file")}
        </button>
        <span class="hint"
          >${diffs.filter((diff) => this.#isViewed(diff)).length} of ${diffs.length} viewed</span
        >
        <label class="layout not-phone"
          >Show
          <select
            @change=${({ target }: Event) => this.#setLayout((target as HTMLSelectElement).value as DiffLayout)}
          >
            <option value="inline" ?selected=${this.layout === "inline"}>inline</option>
            <option value="side" ?selected=${this.layout === "side"}>side by side</option>
          </select>
        </label>
      </div>`;
  }

  protected override render() {
    const { review } = this;
    return html`<div class="page wide">
      <header class="page-head">
        <h1>Workspace</h1>
        ${this.folder === null ? nothing : html`<span class="meta not-phone">${shown(this.folder)}</span>`}
        ${
          this.folder === null
            ? nothing
            : html`<button
                type="button"
                class="small"
                ?disabled=${this.busy !== ""}
                @click=${() => void this.#import()}
              >
                ${icon("download")} Copy again
              </button>`
        }
      </header>
      <div class="page-body">
        <p class="trouble" role="alert">${shown(this.message)}</p>
        ${this.#progress()}
        ${
          review === undefined
            ? this.message === ""
              ? html`<p class="hint">Loading…</p>`
              : nothing
            : review.diffs.length > 0
              ? this.#changes(review)
              : this.#empty()
        }
        ${review?.skipped.map(({ path, why }) => html`<p class="hint">${shown(path)}: ${shown(why)}</p>`)}
        ${
          this.folder === null
            ? nothing
            : html`<details class="all-files">
                <summary>All files</summary>
                <folder-tree .app=${this.app} .path=${""}></folder-tree>
              </details>`
        }
        ${showSnapshots(this.snapshots, this.busy !== "", this.app.nowMs.value, (snapshot) => void this.#undo(snapshot))}
        ${showCommits(this.written, this.app.nowMs.value)}
      </div>
    </div>`;
  }
}
customElements.define("workspace-page", WorkspacePage);

/** Another one once anything about the file is another. */
function stateOf({ kind, text, notes }: Diff): string {
  return JSON.stringify([kind, text, notes]);
}

/** Without a step in the address. The keyboard goes along. */
function goTo(event: Event, path: string): void {
  event.preventDefault();
  const file = document.getElementById(anchorOf(path));
  file?.scrollIntoView({ block: "start" });
  file?.focus({ preventScroll: true });
}
