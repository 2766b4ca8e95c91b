import { builtinNames } from "@deputy/shell";
import { toolNames } from "@deputy/core-utils";
import type { Workspace } from "@deputy/workspace";

const WORKSPACE = "/workspace";

/** What the last word of a line may become: a command where one begins, else a file. The second is what is replaced. */
export async function completeLine(
  line: string,
  cwd: string,
  workspace: Pick<Workspace, "list">,
  signal: AbortSignal,
): Promise<[string[], string]> {
  const word = /(?:\\.|[^\s;|&<>()])*$/.exec(line)?.[0] ?? "";
  const before = line.slice(0, line.length - word.length).trimEnd();
  const begins =
    before === "" || /(?:[;|&({]|\b(?:do|then|else|if|while|until|xargs|sudo|env))$/.test(before);
  const files = await filesFor(word, cwd, workspace, signal);
  const commands =
    begins && !word.includes("/")
      ? [...builtinNames(), ...toolNames].filter((name) => name.startsWith(word))
      : [];
  return [[...new Set([...commands.map((name) => `${name} `), ...files])].sort(), word];
}

async function filesFor(
  word: string,
  cwd: string,
  workspace: Pick<Workspace, "list">,
  signal: AbortSignal,
): Promise<string[]> {
  const slash = word.lastIndexOf("/");
  const [folder, start] = [word.slice(0, slash + 1), word.slice(slash + 1).replaceAll("\\", "")];
  const at = resolveFolder(cwd, folder.replaceAll("\\", ""));
  if (at === undefined) return [];
  try {
    const entries = await workspace.list(at, signal);
    return entries
      .filter(({ name }) => name.startsWith(start) && (start !== "" || !name.startsWith(".")))
      .map(
        ({ name, kind }) =>
          `${folder}${name.replaceAll(/([\s;|&<>()'"$`\\*?[\]{}!#~])/g, "\\$1")}${kind === "folder" ? "/" : " "}`,
      );
  } catch {
    return [];
  }
}

/** The folder of the workspace, relative to it; undefined outside. */
function resolveFolder(cwd: string, folder: string): string | undefined {
  const { pathname } = new URL(folder.split("/").map(encodeURIComponent).join("/"), `file://${cwd}/`);
  const path = decodeURIComponent(pathname).replace(/\/$/, "");
  if (path === WORKSPACE) return "";
  return path.startsWith(`${WORKSPACE}/`) ? path.slice(WORKSPACE.length + 1) : undefined;
}
