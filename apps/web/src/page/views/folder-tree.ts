import type { RpcResult } from "@deputy/protocol/rpc";
import { html, nothing } from "lit";
import { View } from "../parts/view.ts";
import type { App } from "../stores/app.ts";
import { shown } from "../text/shown.ts";
import { count, failureText } from "../text/words.ts";

const MOST_SHOWN = 500;

/** `<folder-tree>`: a folder of the agents' copy; what is in folders of it is read when one is opened. */
class FolderTree extends View {
  static override properties = {
    app: {},
    path: {},
    entries: { state: true },
    open: { state: true },
    message: { state: true },
  };
  declare app: App;
  declare path: string;
  declare entries: RpcResult<"workspace.tree">["entries"] | undefined;
  declare open: ReadonlySet<string>;
  declare message: string;

  constructor() {
    super();
    this.open = new Set();
    this.message = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.app.connection.call("workspace.tree", { path: this.path }).then(
      ({ entries }) => (this.entries = entries),
      (error: unknown) => (this.message = failureText(error)),
    );
  }

  #folder(name: string) {
    return html`<details
      @toggle=${(event: Event) => {
        event.stopPropagation();
        if ((event.target as HTMLDetailsElement).open) this.open = new Set([...this.open, name]);
      }}
    >
      <summary>${shown(name)}</summary>
      ${
        this.open.has(name)
          ? html`<folder-tree
              .app=${this.app}
              .path=${this.path === "" ? name : `${this.path}/${name}`}
            ></folder-tree>`
          : nothing
      }
    </details>`;
  }

  protected override render() {
    if (this.message !== "") return html`<p class="trouble">${shown(this.message)}</p>`;
    const { entries } = this;
    if (entries === undefined) return nothing;
    const left = entries.length - MOST_SHOWN;
    return html`<ul class="tree">
        ${entries
          .slice(0, MOST_SHOWN)
          .map(({ name, kind }) => html`<li>${kind === "folder" ? this.#folder(name) : shown(name)}</li>`)}
      </ul>
      ${left > 0 ? html`<p class="hint">and ${count(left, "more entry", "more entries")}</p>` : nothing}`;
  }
}
customElements.define("folder-tree", FolderTree);
