import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { makeVisible } from "@deputy/kit";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
import { markConflicts } from "@deputy/workspace";
import { AppError } from "../../app-error.ts";
import { openWorkspace } from "../../builtins/workspace-directory.ts";
import { openHome } from "../../home.ts";
import type { Invocation } from "../../invocation.ts";
import { openWorkspaceChanges, type Resolution } from "../../own-services/open-workspace-changes.ts";

export interface ResolveOptions {
  readonly ours?: true;
  readonly theirs?: true;
  readonly merged?: string;
}

/** `deputy workspace resolve PATH`: ends a conflict, or shows it. Writes nothing to the real folder. */
export async function resolveConflict(
  invocation: Invocation,
  path: string,
  options: ResolveOptions,
): Promise<ExitCode> {
  const { output, signal } = invocation;
  const given = [options.ours, options.theirs, options.merged].filter((one) => one !== undefined);
  if (given.length > 1) throw new AppError("usage", "Only one of --ours, --theirs and --merged");
  if (given.length === 0) return await showConflict(invocation, path);
  const how = await readResolution(options, invocation);
  const about = openHome(invocation.homeDirectory, invocation.warn);
  const { ours, theirs } = await (await openWorkspace(about)).sides(path, signal);
  if (ours === undefined && theirs === undefined)
    throw new AppError("not_found", `Neither the workspace nor your folder has ${makeVisible(path)}`);
  await using changes = await openWorkspaceChanges(invocation);
  await changes.resolve(path, how, signal);
  output.result(`resolved ${makeVisible(path)}`);
  output.note("Your folder is as it was: `deputy workspace commit` writes it.");
  output.object({ type: "resolved", path, take: how.take });
  return EXIT.done;
}

/** Both sides in one text, marked as git does where they differ. Exit code 1 while there is a conflict. */
async function showConflict(invocation: Invocation, path: string): Promise<ExitCode> {
  const { output, signal } = invocation;
  const workspace = await openWorkspace(openHome(invocation.homeDirectory, invocation.warn));
  const [base, ours, theirs] = textsOf(await workspace.sides(path, signal));
  if (ours === undefined || theirs === undefined) {
    const missing = (side: string | undefined): string =>
      side === undefined ? "is missing, or not a text file" : "is there";
    output.result(
      `${makeVisible(path)}: the workspace's ${missing(ours)}, your folder's ${missing(theirs)}.`,
    );
    output.note("--ours takes the first, --theirs the second: a file that is not there is removed.");
    output.object({ type: "sides", path, ours: ours ?? null, theirs: theirs ?? null });
    return EXIT.failed;
  }
  const { text: merged, places } = markConflicts(base ?? "", ours, theirs);
  if (output.mode === "json") output.object({ type: "sides", path, ours, theirs, merged, places });
  else process.stdout.write(merged);
  if (places === 0) {
    output.note("No conflict: a commit merges them so.");
    return EXIT.done;
  }
  output.note("Change this text and give it back with --merged FILE, or take --ours or --theirs.");
  return EXIT.failed;
}

function textsOf(sides: {
  readonly base: Uint8Array | undefined;
  readonly ours: Uint8Array | undefined;
  readonly theirs: Uint8Array | undefined;
}): readonly (string | undefined)[] {
  return [sides.base, sides.ours, sides.theirs].map((bytes) => {
    try {
      return bytes === undefined ? undefined : new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      return undefined;
    }
  });
}

async function readResolution(
  { ours, merged }: ResolveOptions,
  { stdin }: Pick<Invocation, "stdin">,
): Promise<Resolution> {
  if (merged === undefined) return { take: ours === undefined ? "theirs" : "ours" };
  if (merged === "-") return { take: "text", text: await text(stdin) };
  try {
    return { take: "text", text: readFileSync(merged, "utf8") };
  } catch (cause) {
    throw new AppError("file_unreadable", `${makeVisible(merged)} cannot be read`, { cause });
  }
}
