import { statPath } from "../files/file-tests.ts";
import { absolutePath } from "../files/paths.ts";
import type { HashedCommand, Shell } from "./shell.ts";

type Found =
  | {
      readonly kind: "command";
      readonly command: NonNullable<ReturnType<Shell["runtime"]["commands"]["find"]>>;
    }
  | { readonly kind: "script"; readonly path: string }
  | { readonly kind: "missing"; readonly message: string; readonly status: number };

/** A program by its name, along `PATH`, or by its path. */
export function findCommand(shell: Shell, name: string): Found {
  if (name.includes("/")) {
    const command = shell.runtime.commands.find(absolutePath(shell.cwd, name));
    if (command !== undefined) return { kind: "command", command };
    const stat = statPath(shell, name);
    if (stat === undefined)
      return { kind: "missing", message: `${name}: No such file or directory`, status: 127 };
    if (stat.kind === "directory")
      return { kind: "missing", message: `${name}: Is a directory`, status: 126 };
    if ((stat.mode & 0o111) === 0)
      return { kind: "missing", message: `${name}: Permission denied`, status: 126 };
    return { kind: "script", path: absolutePath(shell.cwd, name) };
  }
  const path = hashedCommands(shell).get(name)?.path ?? findOnPath(shell, name);
  if (path !== undefined) {
    if (shell.hashed.has(name) && !isRunnable(shell, path))
      return { kind: "missing", message: `${path}: No such file or directory`, status: 127 };
    const command = shell.runtime.commands.find(path);
    return command === undefined ? { kind: "script", path } : { kind: "command", command };
  }
  const searched = shell.variables.text("PATH");
  const command =
    name === "" || searched === undefined || searched === "" ? undefined : shell.runtime.commands.find(name);
  if (command !== undefined && pathHas(searched ?? "", command.path)) return { kind: "command", command };
  return { kind: "missing", message: `${name}: command not found`, status: 127 };
}

function pathHas(path: string, file: string): boolean {
  return path.split(":").includes(file.slice(0, Math.max(1, file.lastIndexOf("/"))));
}

/** The first executable file of this name along `PATH`. */
export function findOnPath(shell: Shell, name: string): string | undefined {
  const [first] = findAllOnPath(shell, name);
  return first === undefined ? undefined : absolutePath(shell.cwd, first);
}

function isRunnable(shell: Shell, file: string): boolean {
  const stat = statPath(shell, file);
  if (stat?.kind === "file" && (stat.mode & 0o111) !== 0) return true;
  return shell.runtime.commands.find(file) !== undefined;
}

/** What is remembered, unless `PATH` has changed since. */
export function hashedCommands(shell: Shell): Map<string, HashedCommand> {
  const path = shell.variables.text("PATH");
  if (shell.hashedPath !== path) shell.hashed.clear();
  shell.hashedPath = path;
  return shell.hashed;
}

/** Remembers where a command is, as the shell does when it runs one. */
export function rememberCommand(shell: Shell, name: string, hits: number): void {
  if (name.includes("/")) return;
  const hashed = hashedCommands(shell);
  const known = hashed.get(name);
  const path = known?.path ?? findOnPath(shell, name);
  if (path !== undefined) hashed.set(name, { path, hits: (known?.hits ?? 0) + hits });
}

/** All executable files of this name along `PATH`, as `type -a` shows them. */
export function findAllOnPath(shell: Shell, name: string): readonly string[] {
  const path = shell.variables.text("PATH");
  if (name === "" || path === undefined) return [];
  const found: string[] = [];
  for (const folder of path.split(":")) {
    const file = absolutePath(folder === "" ? shell.cwd : absolutePath(shell.cwd, folder), name);
    if (!isRunnable(shell, file)) continue;
    found.push(folder === "" ? `./${name}` : `${folder.replace(/\/$/, "")}/${name}`);
  }
  return found;
}
