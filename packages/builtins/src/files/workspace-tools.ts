import { makeVisible } from "@deputy/kit";
import type { FileDiff, Review, Workspace } from "@deputy/workspace";
import { z } from "zod";
import { defineTool } from "@deputy/tools";
import type { ApprovalText, ToolTree } from "@deputy/tools";
import type { WorkspaceLane } from "@deputy/workspace";

/** Reviews that an approval can still show. */
const MOST_REVIEWS = 20;
/** Diffs on one card, and their characters; names are all on it. */
const MOST_DIFFS = 50;
const MOST_DIFF_CHARS = 500_000;

const paths = z.array(z.string().max(4_096)).max(1_000).optional();
const changeSet = z.string().max(64).describe("The id that status or diff gave: exactly those changes");

/** `tools.workspace.*`: what differs from the user's real folder, and how it gets there. */
export function workspaceTools(workspace: () => Promise<Workspace>, lane: WorkspaceLane): ToolTree {
  // An approval is written at once, and cannot wait for a disk: it shows what was read before.
  const reviews = new Map<string, Review>();
  const review = async (signal: AbortSignal): Promise<Review> => {
    const made = await (await workspace()).diff("all", signal);
    reviews.delete(made.id);
    reviews.set(made.id, made);
    for (const oldest of [...reviews.keys()].slice(0, -MOST_REVIEWS)) reviews.delete(oldest);
    return made;
  };

  return {
    status: defineTool({
      description: "List the files that were changed: how the workspace differs from the user's folder",
      approval: "auto",
      isLocal: true,
      trust: { values: ["changeSet", "folder"] },
      args: z.object({}),
      returns: z.object({
        changeSet: z.string().describe("For commit"),
        folder: z.string().optional().describe("The user's folder; absent: none was imported"),
        changes: z.array(z.object({ path: z.string(), kind: z.enum(["added", "modified", "deleted"]) })),
        skipped: z.array(z.object({ path: z.string(), why: z.string() })),
      }),
      run: async (_input, { signal }) => {
        const { id, changes, skipped } = await review(signal);
        const root = await (await workspace()).root(signal);
        return {
          changeSet: id,
          ...(root === undefined ? {} : { folder: root }),
          changes: changes.map(({ path, kind }) => ({ path, kind })),
          skipped: [...skipped],
        };
      },
    }),

    diff: defineTool({
      description: "Show what was changed, line by line: how the workspace differs from the user's folder",
      approval: "auto",
      isLocal: true,
      trust: { values: ["changeSet"] },
      throws: ["unknown_change"],
      args: z.object({ paths }),
      returns: z.object({
        changeSet: z.string().describe("For commit"),
        files: z.array(
          z.object({
            path: z.string(),
            kind: z.enum(["added", "modified", "deleted"]),
            diff: z.string().optional(),
            notes: z.array(z.string()),
          }),
        ),
      }),
      run: async (input, { signal }) => {
        const { id } = await review(signal);
        const { diffs } = await (await workspace()).diff(input.paths ?? "all", signal);
        const files = diffs.map(({ path, kind, text, notes }) => ({
          path,
          kind,
          diff: text,
          notes: [...notes],
        }));
        return { changeSet: id, files };
      },
    }),

    commit: defineTool({
      description:
        "Bring changes of the workspace to the user's real folder, after the user has looked at them; take changeSet from status",
      approval: "required",
      effect: "destructive",
      // A yes is to the changes that were shown, never to those of a later commit.
      grantable: "input",
      // Repeated, it finds that the real files are so already.
      idempotent: true,
      throws: ["stale_change_set", "unknown_change", "no_real_folder"],
      args: z.object({ changeSet, paths: paths.describe("Only changes at or under these; else all") }),
      returns: z.object({
        committed: z.boolean().describe("False: something conflicts, and nothing was written"),
        files: z.array(
          z.object({ path: z.string(), how: z.enum(["written", "merged", "removed", "already"]) }),
        ),
        conflicts: z.array(z.object({ path: z.string(), why: z.string() })),
      }),
      run: async (input, { signal }) => {
        const chosen = { changeSet: input.changeSet, paths: input.paths ?? ("all" as const) };
        // A merge changes the workspace, too.
        const outcome = await lane(signal, async () => await (await workspace()).commit(chosen, signal));
        return outcome.kind === "committed"
          ? { committed: true, files: [...outcome.files], conflicts: [] }
          : { committed: false, files: [], conflicts: [...outcome.conflicts] };
      },
      formatApproval: (input) => showCommit(reviews.get(input.changeSet), input.paths),
    }),

    revert: defineTool({
      description: "Undo changes of the workspace: those files are as in the user's folder again",
      approval: "auto",
      effect: "write",
      idempotent: true,
      critical: [],
      isLocal: true,
      throws: ["stale_change_set", "unknown_change"],
      args: z.object({ paths: paths.describe("Only changes at or under these; else all") }),
      returns: z.object({ reverted: z.array(z.string()) }),
      run: async (input, { signal }) => {
        const chosen = input.paths ?? "all";
        return {
          reverted: [...(await lane(signal, async () => await (await workspace()).revert(chosen, signal)))],
        };
      },
    }),

    undo: defineTool({
      description:
        "Take back what a turn did to the workspace's files: they are as before it. Again: as before the turn that came before. The user's folder stays as it is",
      approval: "auto",
      effect: "write",
      idempotent: false,
      critical: [],
      isLocal: true,
      throws: ["unknown_snapshot"],
      args: z.object({
        snapshot: z
          .string()
          .max(64)
          .default("last")
          .describe("An id of a snapshot; last: the newest that differs"),
      }),
      returns: z.object({
        files: z
          .array(z.object({ path: z.string(), kind: z.enum(["added", "modified", "deleted"]) }))
          .describe("What it did; none: there was nothing to take back"),
      }),
      run: async ({ snapshot }, { signal }) => {
        const { files } = await lane(signal, async () => await (await workspace()).undo(snapshot, signal));
        return { files: files.map(({ path, kind }) => ({ path, kind })) };
      },
    }),
  };
}

const UNSEEN =
  "The changes cannot be shown here: they were not looked at since Deputy was started. Say no and have them looked at again, or see them with `deputy workspace diff`.";

function showCommit(review: Review | undefined, chosen: readonly string[] | undefined): ApprovalText {
  if (review === undefined) return { title: "Commit changes to your folder", details: UNSEEN };
  const isChosen = (path: string): boolean =>
    chosen === undefined ||
    chosen.some((at) => {
      const folder = at.replace(/^(?:\.?\/)+|\/+$/g, "");
      return folder === "" || folder === "." || path === folder || path.startsWith(`${folder}/`);
    });
  const diffs = review.diffs.filter(({ path }) => isChosen(path));
  const shown = withinLimits(diffs);
  const rows = diffs.map(({ path, kind, addedLines, removedLines, notes }) =>
    [`${kind} ${onOneLine(path)}`, `+${addedLines} -${removedLines}`, ...notes].join("  "),
  );
  const cut =
    shown.length === diffs.length
      ? []
      : [
          `Of ${shown.length} of these ${diffs.length} the diffs are shown: \`deputy workspace diff\` has all.`,
        ];
  return {
    title: `Commit ${diffs.length === 1 ? "1 change" : `${diffs.length} changes`} to your folder`,
    details: [...cut, ...rows].join("\n"),
    changes: shown.flatMap(({ path, texts }) => (texts === undefined ? [] : [{ path, ...texts }])),
  };
}

/** From the first on, as many as a card has room for. */
function withinLimits(diffs: readonly FileDiff[]): readonly FileDiff[] {
  let chars = 0;
  const end = diffs.findIndex(
    ({ text = "" }, at) => at >= MOST_DIFFS || (chars += text.length) > MOST_DIFF_CHARS,
  );
  return end === -1 ? diffs : diffs.slice(0, end);
}

/** A name that breaks its line could pass for another row. */
function onOneLine(path: string): string {
  return makeVisible(path).replace(/[\n\t]/g, (char) => (char === "\n" ? "\\u{a}" : "\\u{9}"));
}
