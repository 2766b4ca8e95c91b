import type { RpcResult } from "@deputy/protocol/rpc";
import { html, nothing } from "lit";
import { icon } from "../parts/icons.ts";
import { timeText } from "../parts/time-text.ts";
import { count } from "../text/words.ts";

export type Snapshot = RpcResult<"workspace.snapshots">["snapshots"][number];

/** Made of what an undo took back. */
const OF_UNDO = "undone:";

/** The states of the agents' copy that one can go back to, the newest first; those that are as it is now are left out. */
export function showSnapshots(
  snapshots: readonly Snapshot[],
  isBusy: boolean,
  nowMs: number,
  undo: (snapshot: Snapshot) => void,
): unknown {
  const others = snapshots.filter(({ files }) => files.length > 0);
  if (others.length === 0) return nothing;
  return html`<section class="snapshots">
    <h2>Take back what was done</h2>
    <p class="hint">
      The agents' copy as it was before each turn that changed it. Your own files stay as they are.
    </p>
    <ul>
      ${others.map(
        (snapshot) =>
          html`<li>
            <span
              >${snapshot.name.startsWith(OF_UNDO) ? "Before you took something back" : "Before a turn"},
              ${timeText(snapshot.at, nowMs)}: would change ${count(snapshot.files.length, "file")}</span
            >
            <button type="button" class="small" ?disabled=${isBusy} @click=${() => undo(snapshot)}>
              ${icon("undo")} Take back…
            </button>
          </li>`,
      )}
    </ul>
  </section>`;
}
