import type { RpcResult } from "@deputy/protocol/rpc";
import { html, nothing, type TemplateResult } from "lit";
import type { App } from "../stores/app.ts";
import { shown, spoken } from "../text/shown.ts";
import "./conflict-view.ts";
import type { DiffLayout } from "./diff-view.ts";
import "./file-changes.ts";

export type Diff = RpcResult<"workspace.diff">["diffs"][number];
export type Conflict = RpcResult<"workspace.commit">["conflicts"][number];

const KINDS = { added: "new", modified: "changed", deleted: "deleted" } as const;

export const anchorOf = (path: string): string => `diff-${path}`;

/** One file that agents changed, with what can be done about it. */
export function showChangedFile(
  { kind, path, text, addedLines, removedLines, notes }: Diff,
  view: {
    readonly app: App;
    readonly layout: DiffLayout;
    readonly isBusy: boolean;
    readonly isViewed: boolean;
    readonly isWritten: boolean;
    readonly conflict: Conflict | undefined;
    readonly toggle: (name: "left" | "viewed") => void;
    readonly revert: () => void;
    readonly resolve: (event: CustomEvent) => void;
  },
): TemplateResult {
  const { app, layout, isBusy, isViewed, isWritten, conflict } = view;
  return html`<article class="diff" id=${anchorOf(path)} tabindex="-1" aria-label=${spoken(path)}>
    <header>
      <h2 class="path">${shown(path)}</h2>
      <span class="meta"
        >${KINDS[kind]} ${addedLines === 0 ? nothing : html`<span class="plus">+${addedLines}</span>`}
        ${removedLines === 0 ? nothing : html`<span class="minus">−${removedLines}</span>`}</span
      >
      <label
        ><input
          type="checkbox"
          .checked=${isViewed}
          aria-label="Viewed ${spoken(path)}"
          @change=${() => view.toggle("viewed")}
        />
        Viewed</label
      >
      <label
        ><input
          type="checkbox"
          .checked=${isWritten}
          aria-label="Write ${spoken(path)}"
          @change=${() => view.toggle("left")}
        />
        Write</label
      >
      <button type="button" class="small" ?disabled=${isBusy} @click=${() => view.revert()}>Give up</button>
    </header>
    ${
      conflict === undefined
        ? nothing
        : html`<conflict-view
            .app=${app}
            .path=${path}
            .why=${conflict.why}
            .isBusy=${isBusy}
            @resolve=${(event: CustomEvent) => view.resolve(event)}
          ></conflict-view>`
    }
    ${notes.map((note) => html`<p class="hint">${shown(note)}</p>`)}
    ${
      text === undefined
        ? nothing
        : html`<file-changes
            .text=${text}
            .path=${path}
            .layout=${layout}
            .startsOpen=${conflict !== undefined || !isViewed}
          ></file-changes>`
    }
  </article>`;
}
