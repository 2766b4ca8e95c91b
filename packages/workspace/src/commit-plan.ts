import type { FileFacts } from "./base.ts";
import { type Change, type HashBytes, isSame } from "./change-set.ts";
import type { FileTree } from "./file-tree.ts";
import { mergeTexts } from "./merge3.ts";
import { decodeText, encodeText } from "./text.ts";
import { walkFiles } from "./walk.ts";
import { WorkspaceError } from "./workspace-error.ts";

export type CommitOutcome =
  | { readonly kind: "committed"; readonly files: readonly CommittedFile[] }
  /** Nothing was written. */
  | { readonly kind: "conflicts"; readonly conflicts: readonly Conflict[] };

export interface CommittedFile {
  readonly path: string;
  /** `merged`: the real file had changed too; `already`: it already had this content. */
  readonly how: "written" | "merged" | "removed" | "already";
}

export interface Conflict {
  readonly path: string;
  /** In words for the user. */
  readonly why: string;
}

/**
 * What a commit does with one change. `after` is the state of both sides afterwards; undefined if the file is
 * removed.
 */
export type Step =
  | { readonly kind: "conflict"; readonly path: string; readonly why: string }
  | { readonly kind: "remove"; readonly path: string }
  | { readonly kind: "keep"; readonly path: string; readonly after: StepFile | undefined }
  | {
      readonly kind: "write";
      readonly path: string;
      readonly how: "written" | "merged";
      readonly after: StepFile;
    };

export interface StepFile {
  readonly bytes: Uint8Array;
  readonly facts: FileFacts;
}

export interface PlanDeps {
  readonly real: FileTree;
  readonly hash: HashBytes;
  readonly maxBytes: number;
  /** Paths that the commit removes, which makes room for others. */
  readonly removed: ReadonlySet<string>;
  /** Reads bytes of the workspace and of the base. */
  readonly readOurs: (path: string) => Promise<Uint8Array>;
  readonly readBase: (sha256: string) => Promise<Uint8Array>;
}

/** Compares a change with the real file as it is now. Writes nothing. */
export async function planStep(change: Change, deps: PlanDeps, signal: AbortSignal): Promise<Step> {
  const { path } = change;
  const conflict = (why: string): Step => ({ kind: "conflict", path, why });
  const theirs = await readTheirs(path, deps, signal);
  if (theirs.kind === "blocked") return conflict(theirs.why);
  const file = theirs.kind === "file" ? theirs.file : undefined;

  if (change.kind === "deleted") {
    if (file === undefined) return { kind: "keep", path, after: undefined };
    if (file.facts.sha256 !== change.before.sha256)
      return conflict("it was deleted here, and changed in the real folder");
    return { kind: "remove", path };
  }
  const bytes = await deps.readOurs(path);
  if ((await deps.hash(bytes)) !== change.after.sha256)
    throw new WorkspaceError("stale_change_set", `${path} changed while it was committed`);
  const ours: StepFile = { bytes, facts: change.after };
  if (file !== undefined && isSame(file.facts, ours.facts)) return { kind: "keep", path, after: ours };
  if (change.kind === "added") {
    if (file === undefined) return { kind: "write", path, how: "written", after: ours };
    return conflict("it is new here, and the real folder has another file of that name");
  }
  if (file === undefined) return conflict("it was changed here, and deleted in the real folder");
  if (file.facts.sha256 === change.before.sha256) return { kind: "write", path, how: "written", after: ours };
  return await merge(change, ours, file, deps);
}

async function merge(
  { path, before, after }: Change & { readonly kind: "modified" },
  ours: StepFile,
  theirs: StepFile,
  deps: PlanDeps,
): Promise<Step> {
  const texts = [await deps.readBase(before.sha256), ours.bytes, theirs.bytes].map(decodeText);
  const [base, mine, yours] = texts;
  if (base === undefined || mine === undefined || yours === undefined)
    return { kind: "conflict", path, why: "both sides changed it, and it is not text" };
  const merged = mergeTexts(base, mine, yours);
  if (merged.kind === "conflict") {
    const places = merged.places === 1 ? "one place" : `${merged.places} places`;
    return { kind: "conflict", path, why: `both sides changed it, differently in ${places}` };
  }
  const bytes = encodeText(merged.text);
  const executable = after.executable === before.executable ? theirs.facts.executable : after.executable;
  const facts = { sha256: await deps.hash(bytes), size: bytes.length, executable };
  return { kind: "write", path, how: "merged", after: { bytes, facts } };
}

type Theirs =
  | { readonly kind: "missing" }
  | { readonly kind: "file"; readonly file: StepFile }
  | { readonly kind: "blocked"; readonly why: string };

/** The path does not exist, but a file may be in the place of one of its folders. */
async function whyBlocked(path: string, deps: PlanDeps, signal: AbortSignal): Promise<Theirs> {
  const names = path.split("/");
  for (let depth = 1; depth < names.length; depth++) {
    const folder = names.slice(0, depth).join("/");
    if ((await deps.real.stat(folder, signal)).kind !== "file" || deps.removed.has(folder)) continue;
    return { kind: "blocked", why: `the real folder has a file named ${folder}` };
  }
  return { kind: "missing" };
}

async function readTheirs(path: string, deps: PlanDeps, signal: AbortSignal): Promise<Theirs> {
  const stat = await deps.real.stat(path, signal);
  if (stat.kind === "missing") return await whyBlocked(path, deps, signal);
  if (stat.kind === "folder") {
    const options = { exclude: [], mostFiles: Number.MAX_SAFE_INTEGER };
    const { files, skipped } = await walkFiles(deps.real, path, options, signal);
    const isEmptied = skipped.length === 0 && files.every((file) => deps.removed.has(file));
    if (isEmptied && files.length > 0) return { kind: "missing" };
    return { kind: "blocked", why: "the real folder has a folder of that name" };
  }
  if (stat.kind === "other")
    return { kind: "blocked", why: "in the real folder it is, or lies behind, a link or a device" };
  if (stat.size > deps.maxBytes) return { kind: "blocked", why: "the real file is too large" };
  const bytes = await deps.real.read(path, deps.maxBytes, signal);
  const facts = { sha256: await deps.hash(bytes), size: bytes.length, executable: stat.executable };
  return { kind: "file", file: { bytes, facts } };
}
