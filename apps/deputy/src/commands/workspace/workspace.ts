import { resolve } from "node:path";
import { makeVisible } from "@deputy/kit";
import type { Review, Skipped } from "@deputy/workspace";
import type { LocalWorkspace } from "@deputy/workspace/node";
import { AppError } from "../../app-error.ts";
import { openWorkspace } from "../../builtins/workspace-directory.ts";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
import { localStamp } from "@deputy/protocol/schedule";
import { openHome } from "../../home.ts";
import type { Invocation } from "../../invocation.ts";
import { openWorkspaceChanges } from "../../own-services/open-workspace-changes.ts";
import type { Output } from "@deputy/terminal/output";

async function open(invocation: Invocation): Promise<LocalWorkspace> {
  return await openWorkspace(openHome(invocation.homeDirectory, invocation.warn));
}

const MARKS = { added: "A", modified: "M", deleted: "D" } as const;

/** `deputy workspace status` */
export async function showStatus(invocation: Invocation): Promise<ExitCode> {
  const { output, signal } = invocation;
  const workspace = await open(invocation);
  const { id, changes, skipped } = await workspace.status(signal);
  const root = await workspace.root(signal);
  output.note(root === undefined ? NO_FOLDER : `A copy of ${makeVisible(root)}`);
  for (const { kind, path } of changes) output.result(`${MARKS[kind]} ${makeVisible(path)}`);
  tellSkipped(output, skipped);
  if (changes.length === 0) output.note("No changes.");
  const told = changes.map(({ kind, path }) => ({ kind, path }));
  output.object({ type: "status", changeSet: id, folder: root ?? null, changes: told, skipped });
  return EXIT.done;
}

const NO_FOLDER = "The workspace is empty: `deputy workspace import DIR` makes it a copy of a folder.";

/** `deputy workspace diff [PATH…]` */
export async function showDiff(invocation: Invocation, paths: readonly string[]): Promise<ExitCode> {
  const { output, signal } = invocation;
  const workspace = await open(invocation);
  const review = await workspace.diff(chosen(paths), signal);
  showReview(output, review);
  if (review.diffs.length === 0) output.note("No changes.");
  return EXIT.done;
}

/** `deputy workspace commit [PATH…]`: shows what it would do, and asks. Exit code 3 for a no, 1 for a conflict. */
export async function commitChanges(
  invocation: Invocation,
  paths: readonly string[],
  options: { readonly yes?: true },
): Promise<ExitCode> {
  const { output, reader, signal } = invocation;
  const workspace = await open(invocation);
  const review = await workspace.diff(chosen(paths), signal);
  if (review.diffs.length === 0) {
    output.note("No changes.");
    output.object({ type: "committed", files: [] });
    return EXIT.done;
  }
  const root = await workspace.root(signal);
  if (options.yes === undefined) {
    if (output.mode === "json")
      throw new AppError("usage", "--json cannot ask you", {
        hint: "Look at `diff` first, then add --yes.",
      });
    showReview(output, review);
    const count = review.diffs.length === 1 ? "1 change" : `${review.diffs.length} changes`;
    const answer = await reader.next(
      `Write ${count} to ${makeVisible(root ?? "the folder")}? [y/N] `,
      signal,
    );
    if (!/^y(?:es)?$/i.test(answer?.trim() ?? "")) {
      output.note("Nothing was written.");
      return EXIT.denied;
    }
  }
  await using changes = await openWorkspaceChanges(invocation);
  const outcome = await changes.commit({ changeSet: review.id, paths: chosen(paths) }, signal);
  if (outcome.kind === "conflicts") {
    for (const { path, why } of outcome.conflicts) output.result(`${makeVisible(path)}: ${why}`);
    output.note(
      "Nothing was written. `deputy workspace resolve PATH` shows both sides, and ends the conflict.",
    );
    output.object({ type: "conflicts", conflicts: outcome.conflicts });
    return EXIT.failed;
  }
  for (const { path, how } of outcome.files) output.result(`${how} ${makeVisible(path)}`);
  output.object({ type: "committed", files: outcome.files });
  return EXIT.done;
}

/** `deputy workspace revert [PATH…]` */
export async function revertChanges(
  invocation: Invocation,
  paths: readonly string[],
  options: { readonly all?: true },
): Promise<ExitCode> {
  const { output, signal } = invocation;
  if (paths.length === 0 && options.all === undefined)
    throw new AppError("usage", "No path to revert", { hint: "Name paths, or give --all." });
  await using changes = await openWorkspaceChanges(invocation);
  const reverted = await changes.revert(chosen(paths), signal);
  for (const path of reverted) output.result(`reverted ${makeVisible(path)}`);
  if (reverted.length === 0) output.note("No changes.");
  output.object({ type: "reverted", paths: reverted });
  return EXIT.done;
}

/** `deputy workspace snapshots` */
export async function showSnapshots(invocation: Invocation): Promise<ExitCode> {
  const { output, signal } = invocation;
  const found = await (await open(invocation)).snapshots(signal);
  for (const { id, name, atMs, files } of found) {
    const when = new Date(atMs).toISOString();
    const count = files.length === 1 ? "1 file differs" : `${files.length} files differ`;
    const what = name.startsWith("undone:") ? "before an undo" : "before a turn";
    output.result(`${id}  ${localStamp(atMs)}  ${what}, ${count}`);
    output.object({ type: "snapshot", id, at: when, name, files });
  }
  if (found.length === 0) output.note("No snapshots: no agent has changed a file since the import.");
  return EXIT.done;
}

/** `deputy workspace undo [SNAPSHOT]` */
export async function undoChanges(invocation: Invocation, snapshot: string | undefined): Promise<ExitCode> {
  const { output, signal } = invocation;
  await using changes = await openWorkspaceChanges(invocation);
  const { files } = await changes.undo(snapshot ?? "last", signal);
  for (const { path, kind } of files) output.result(`${MARKS[kind]} ${makeVisible(path)}`);
  output.note(
    files.length === 0
      ? "Nothing to take back."
      : "`deputy workspace snapshots` lists the states to go back to.",
  );
  output.object({ type: "undone", files });
  return EXIT.done;
}

export interface ImportOptions {
  readonly exclude?: readonly string[];
  readonly discard?: true;
}

/** `deputy workspace import [DIR]` */
export async function importDirectory(
  invocation: Invocation,
  directory: string | undefined,
  options: ImportOptions,
): Promise<ExitCode> {
  const { output, signal } = invocation;
  await using changes = await openWorkspaceChanges(invocation);
  const report = await changes.import(
    {
      root: directory === undefined ? undefined : resolve(directory),
      exclude: options.exclude?.filter((name) => name !== ""),
      uncommitted: options.discard === undefined ? "keep" : "discard",
      onProgress: createProgress(invocation),
    },
    signal,
  );
  const files = report.files === 1 ? "1 file" : `${report.files} files`;
  output.result(`Imported ${files} (${report.bytes} bytes) from ${makeVisible(report.root)}`);
  if (report.leftOut.length > 0) output.note(`Left out: ${report.leftOut.map(makeVisible).join(", ")}`);
  tellSkipped(output, report.skipped);
  output.object({ type: "imported", ...report });
  return EXIT.done;
}

/** Below this, an import is over before anybody has read how far it is. */
const MANY_FILES = 5_000;

/** Says how far a large import is, each time it is another tenth. */
function createProgress({ announce }: Pick<Invocation, "announce">): (done: number, total: number) => void {
  let told = 0;
  return (done, total) => {
    const tenth = Math.floor((done / total) * 10);
    if (total < MANY_FILES || tenth <= told) return;
    told = tenth;
    announce(`${tenth * 10} % of ${total} files`);
  };
}

function chosen(paths: readonly string[]): readonly string[] | "all" {
  return paths.length === 0 ? "all" : paths;
}

function showReview(output: Output, { id, diffs }: Review): void {
  for (const { path, kind, text, notes, addedLines, removedLines } of diffs) {
    const head = [`${MARKS[kind]} ${makeVisible(path)}`, ...notes].join("  ");
    output.result(text === undefined || text === "" ? head : `${head}\n${makeVisible(text)}`);
    output.object({
      type: "change",
      changeSet: id,
      path,
      kind,
      addedLines,
      removedLines,
      notes,
      diff: text ?? null,
    });
  }
}

function tellSkipped(output: Output, skipped: readonly Skipped[]): void {
  for (const { path, why } of skipped) output.note(`skipped ${makeVisible(path)}: ${why}`);
}
