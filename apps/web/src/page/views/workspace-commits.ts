import type { RpcResult } from "@deputy/protocol/rpc";
import { html, nothing, type TemplateResult } from "lit";
import { timeText } from "../parts/time-text.ts";
import { shown } from "../text/shown.ts";
import { count } from "../text/words.ts";

export type Commit = RpcResult<"workspace.history">["commits"][number];

const BY: Readonly<Record<string, string>> = {
  agent: "by an agent",
  gateway: "by you",
  terminal: "by you, in the terminal",
};
const KINDS: Readonly<Record<string, string>> = { added: "new", modified: "changed", deleted: "deleted" };

/** What was written to the real files, the newest first: when, by whom, and which. */
export function showCommits(commits: readonly Commit[], nowMs: number): unknown {
  if (commits.length === 0) return nothing;
  return html`<section class="written">
    <h2>Written to your files</h2>
    <ul class="list">
      ${commits.map((commit) => html`<li>${showCommit(commit, nowMs)}</li>`)}
    </ul>
  </section>`;
}

function showCommit(commit: Commit, nowMs: number): TemplateResult {
  const { at, by = "", files = [], added, modified, deleted } = commit;
  const line = html`<span class="title">${countsOf(commit)}</span>
    <span class="meta">${timeText(at, nowMs)}${BY[by] === undefined ? nothing : ` · ${BY[by]}`}</span>`;
  if (files.length === 0) return html`<div class="commit">${line}</div>`;
  const more = added + modified + deleted - files.length;
  return html`<details class="commit">
    <summary>${line}</summary>
    <ul class="lines">
      ${files.map(({ path, kind }) => html`<li><code>${shown(path)}</code> <span class="meta">${KINDS[kind] ?? kind}</span></li>`)}
      ${more > 0 ? html`<li class="meta">and ${more.toLocaleString()} more</li>` : nothing}
    </ul>
  </details>`;
}

/** “2 files changed, 1 new”. */
function countsOf({ added, modified, deleted }: Commit): string {
  const parts = [
    [modified, "changed"],
    [added, "new"],
    [deleted, "deleted"],
  ] as const;
  const [first, ...others] = parts.filter(([number]) => number > 0);
  if (first === undefined) return "Nothing";
  return [
    `${count(first[0], "file")} ${first[1]}`,
    ...others.map(([number, what]) => `${number} ${what}`),
  ].join(", ");
}
