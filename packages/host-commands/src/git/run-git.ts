import { unifiedDiff } from "@deputy/kit/unified-diff";
import type { CommandRun, ExternalCommand } from "@deputy/shell";
import { type FileSystem, FileSystemError } from "@deputy/vfs";
import type { ChangedFile, Repository } from "./git-repository.ts";

const COMMANDS = "add, commit, diff, init, log, status";

/** `git` over the workspace at `top`. `store` has the repository, which is begun by the first command. */
export function createGit(top: string, store: FileSystem): ExternalCommand {
  return {
    path: "/usr/bin/git",
    async run(run) {
      const words = run.argv.slice(1);
      while (words[0] === "--no-pager") words.shift();
      const [name = "", ...args] = words;
      const perform = PERFORM.get(name);
      if (perform === undefined)
        return await fail(run, 1, `git: '${name}' is not a git command here. There are: ${COMMANDS}.`);
      // Loaded by whoever uses it: it is large.
      const { openRepository } = await import("./git-repository.ts");
      try {
        return await perform(await openRepository(top, run.fileSystem, store), args, { ...run, top });
      } catch (error) {
        if (error instanceof Refused) return await fail(run, error.code, error.message);
        if (error instanceof FileSystemError) return await fail(run, 128, `fatal: ${error.message}`);
        throw error;
      }
    },
  };
}

class Refused extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

type GitRun = CommandRun & { readonly top: string };
type Perform = (repository: Repository, args: readonly string[], run: GitRun) => Promise<number>;

const PERFORM: ReadonlyMap<string, Perform> = new Map<string, Perform>([
  ["init", async (_, __, run) => (await say(run, "The workspace has a repository."), 0)],
  ["status", showStatus],
  ["add", add],
  ["commit", commit],
  ["log", showLog],
  ["diff", showDiff],
]);

async function showStatus(repository: Repository, args: readonly string[], run: GitRun): Promise<number> {
  const { flags } = read(args, ["-s", "--short", "--porcelain"]);
  const changed = await repository.changed();
  if (flags.size > 0) {
    for (const one of changed)
      if (one.staged !== " " || one.unstaged !== " ")
        await say(run, `${one.staged}${one.unstaged} ${one.path}`);
    for (const one of changed) if (one.untracked) await say(run, `?? ${one.path}`);
    return 0;
  }
  await say(run, `On branch ${await repository.branch()}`);
  if ((await repository.head()) === undefined) await say(run, "\nNo commits yet");
  const tell = async (title: string, lines: readonly string[]): Promise<void> => {
    if (lines.length > 0) await say(run, `\n${title}:\n${lines.map((line) => `\t${line}`).join("\n")}`);
  };
  const words = { A: "new file", M: "modified", D: "deleted", " ": "" } as const;
  const lineOf = (mark: keyof typeof words, path: string): string => `${`${words[mark]}:`.padEnd(12)}${path}`;
  const staged = changed.filter((one) => one.staged !== " ");
  const unstaged = changed.filter((one) => one.unstaged !== " ");
  const untracked = changed.filter((one) => one.untracked);
  await tell(
    "Changes to be committed",
    staged.map((one) => lineOf(one.staged, one.path)),
  );
  await tell(
    "Changes not staged for commit",
    unstaged.map((one) => lineOf(one.unstaged, one.path)),
  );
  await tell(
    "Untracked files",
    untracked.map(({ path }) => path),
  );
  if (changed.length === 0) await say(run, "nothing to commit, working tree clean");
  else if (staged.length === 0) await say(run, '\nno changes added to commit (use "git add")');
  return 0;
}

async function add(repository: Repository, args: readonly string[], run: GitRun): Promise<number> {
  const { flags, paths } = read(args, ["-A", "--all", "-u", "--update", "-v", "--verbose"]);
  const all = flags.has("-A") || flags.has("--all") || flags.has("-u") || flags.has("--update");
  if (paths.length === 0 && !all) throw new Refused(0, "Nothing specified, nothing added.");
  const changed = await repository.changed();
  const wanted = paths.length === 0 ? [""] : paths.map((path) => insidePath(path, run));
  for (const [at, path] of wanted.entries())
    if (path !== "" && !changed.some((one) => isUnder(one.path, path)) && !exists(run, path))
      throw new Refused(128, `fatal: pathspec '${paths[at] ?? ""}' did not match any files`);
  for (const one of changed) {
    if (!wanted.some((path) => isUnder(one.path, path))) continue;
    if (one.unstaged === "D") await repository.remove(one.path);
    else if (one.unstaged === "M" || (one.untracked && !(flags.has("-u") || flags.has("--update"))))
      await repository.add(one.path);
  }
  return 0;
}

async function commit(repository: Repository, args: readonly string[], run: GitRun): Promise<number> {
  const messages: string[] = [];
  const flags = new Set<string>();
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? "";
    // Letters stand together, and the message follows `m` at once or as the next word.
    const [, long, letters = "", behind = ""] = /^(?:(--message)=?|-([aq]*)m)(.*)$/s.exec(word) ?? [];
    if (long !== undefined || /^-[aq]*m/.test(word)) {
      for (const letter of letters) flags.add(`-${letter}`);
      if (behind === "") at += 1;
      const text = behind === "" ? args[at] : behind;
      if (text === undefined) throw new Refused(129, "error: switch `m' requires a value");
      messages.push(text);
    } else if (/^-[aq]+$/.test(word)) for (const letter of word.slice(1)) flags.add(`-${letter}`);
    else if (["--all", "--quiet", "--allow-empty"].includes(word)) flags.add(word);
    else throw new Refused(129, `error: unknown option \`${word}'`);
  }
  if (flags.has("-a") || flags.has("--all"))
    for (const one of await repository.changed()) {
      if (one.unstaged === "D") await repository.remove(one.path);
      else if (one.unstaged === "M") await repository.add(one.path);
    }
  const staged = (await repository.changed()).filter((one) => one.staged !== " ");
  if (staged.length === 0 && !flags.has("--allow-empty")) return (await showStatus(repository, [], run), 1);
  const message = messages.join("\n\n");
  if (message.trim() === "")
    throw new Refused(1, "Aborting commit due to empty commit message: give one with -m.");
  const isFirst = (await repository.head()) === undefined;
  const { GIT_AUTHOR_NAME: name = "Deputy", GIT_AUTHOR_EMAIL: email = "deputy@localhost" } = run.env;
  const id = await repository.commit(`${message}\n`, { name, email });
  if (flags.has("-q") || flags.has("--quiet")) return 0;
  const root = isFirst ? " (root-commit)" : "";
  await say(run, `[${await repository.branch()}${root} ${id.slice(0, 7)}] ${message.split("\n")[0] ?? ""}`);
  await say(run, ` ${staged.length} ${staged.length === 1 ? "file" : "files"} changed`);
  return 0;
}

async function showLog(repository: Repository, args: readonly string[], run: GitRun): Promise<number> {
  let depth: number | undefined;
  let short = false;
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? "";
    const count =
      /^(?:-n|-|--max-count=)(\d+)$/.exec(word)?.[1] ?? (word === "-n" ? args[(at += 1)] : undefined);
    if (count !== undefined) depth = Number(count);
    else if (word === "--oneline") short = true;
    else throw new Refused(128, `fatal: unrecognized argument: ${word}`);
  }
  if ((await repository.head()) === undefined)
    throw new Refused(
      128,
      `fatal: your current branch '${await repository.branch()}' does not have any commits yet`,
    );
  const shown: string[] = [];
  for (const { oid, commit: made } of await repository.log(depth)) {
    const lines = made.message.trimEnd().split("\n");
    if (short) shown.push(`${oid.slice(0, 7)} ${lines[0] ?? ""}`);
    else {
      const { name, email, timestamp } = made.author;
      const date = new Date(timestamp * 1_000)
        .toUTCString()
        .replace(
          /^(\w+), (\d+) (\w+) (\d+) ([\d:]+) GMT$/,
          (_, day: string, of: string, month: string, year: string, time: string) =>
            `${day} ${month} ${Number(of)} ${time} ${year} +0000`,
        );
      shown.push(
        `${shown.length === 0 ? "" : "\n"}commit ${oid}\nAuthor: ${name} <${email}>\nDate:   ${date}\n\n${lines.map((line) => `    ${line}`).join("\n")}`,
      );
    }
  }
  await say(run, shown.join("\n"));
  return 0;
}

async function showDiff(repository: Repository, args: readonly string[], run: GitRun): Promise<number> {
  const { flags, paths } = read(args, ["--cached", "--staged", "--name-only", "HEAD"]);
  const cached = flags.has("--cached") || flags.has("--staged");
  const wanted = paths.map((path) => insidePath(path, run));
  const differs = (one: ChangedFile): boolean =>
    cached ? one.staged !== " " : one.unstaged !== " " || (flags.has("HEAD") && one.staged !== " ");
  for (const one of await repository.changed()) {
    if (!differs(one) || (wanted.length > 0 && !wanted.some((path) => isUnder(one.path, path)))) continue;
    if (flags.has("--name-only")) await say(run, one.path);
    else {
      const sides = await repository.sides(one.path);
      const now = cached
        ? sides.index
        : exists(run, one.path)
          ? run.fileSystem.readFile(`${run.top}/${one.path}`)
          : undefined;
      await say(run, diffOf(one.path, cached || flags.has("HEAD") ? sides.head : sides.index, now));
    }
  }
  return 0;
}

function diffOf(path: string, before: Uint8Array | undefined, after: Uint8Array | undefined): string {
  const head = [`diff --git a/${path} b/${path}`];
  if (before === undefined) head.push("new file mode 100644");
  if (after === undefined) head.push("deleted file mode 100644");
  const [from, to] = [
    before === undefined ? "/dev/null" : `a/${path}`,
    after === undefined ? "/dev/null" : `b/${path}`,
  ];
  if ([before, after].some((side) => side?.includes(0) === true))
    return [...head, `Binary files ${from} and ${to} differ`].join("\n");
  const text = (side: Uint8Array | undefined): string | null =>
    side === undefined ? null : new TextDecoder().decode(side);
  const [, , ...hunks] = unifiedDiff({ path, before: text(before), after: text(after) }).split("\n");
  return [...head, ...(hunks.length === 0 ? [] : [`--- ${from}`, `+++ ${to}`, ...hunks])].join("\n");
}

/** Flags that a command knows, and paths; after `--` only paths. */
function read(args: readonly string[], known: readonly string[]) {
  const flags = new Set<string>();
  const paths: string[] = [];
  let plain = false;
  for (const word of args) {
    if (plain) paths.push(word);
    else if (word === "--") plain = true;
    else if (known.includes(word)) flags.add(word);
    else if (word.startsWith("-")) throw new Refused(129, `error: unknown option \`${word}'`);
    else paths.push(word);
  }
  return { flags, paths };
}

/** A path as the repository has it: from the workspace on. */
function insidePath(path: string, { cwd, top }: GitRun): string {
  const parts: string[] = [];
  for (const part of (path.startsWith("/") ? path : `${cwd}/${path}`).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  const whole = `/${parts.join("/")}`;
  if (whole !== top && !whole.startsWith(`${top}/`))
    throw new Refused(128, `fatal: ${path}: '${path}' is outside repository at '${top}'`);
  return whole.slice(top.length + 1);
}

function isUnder(path: string, folder: string): boolean {
  return folder === "" || path === folder || path.startsWith(`${folder}/`);
}

function exists({ fileSystem, top }: GitRun, path: string): boolean {
  try {
    fileSystem.stat(`${top}/${path}`, "keep");
    return true;
  } catch {
    return false;
  }
}

async function say(run: CommandRun, text: string): Promise<void> {
  if (text !== "") await run.stdout.write(new TextEncoder().encode(`${text}\n`));
}

async function fail(run: CommandRun, code: number, message: string): Promise<number> {
  await run.stderr.write(new TextEncoder().encode(`${message}\n`));
  return code;
}
