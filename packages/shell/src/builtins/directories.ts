import { FileSystemError } from "@deputy/vfs";
import { absolutePath, joinPath } from "../files/paths.ts";
import { statPath } from "../files/file-tests.ts";
import type { Shell } from "../run/shell.ts";
import type { Task } from "../run/task.ts";
import { type Builtin, type BuiltinTable, readFlags, refuse, say } from "./builtin.ts";

/** Goes there; the status is 1, with a message, if it is no directory. */
function enter(shell: Shell, name: string, path: string, links: "logical" | "physical"): boolean {
  const missing = links === "logical" ? missingBeforeParent(shell, path) : undefined;
  if (missing !== undefined) {
    refuse(shell, name, `${path}: ${missing}`);
    return false;
  }
  const place = links === "logical" ? joinPath(shell.cwd, path) : absolutePath(shell.cwd, path);
  const stat = statPath(shell, place);
  if (stat?.kind !== "directory") {
    refuse(shell, name, `${path}: ${stat === undefined ? "No such file or directory" : "Not a directory"}`);
    return false;
  }
  shell.variables.setText("OLDPWD", shell.variables.text("PWD") ?? shell.cwd);
  shell.cwd = links === "logical" ? place : shell.runtime.fileSystem.realPath(place);
  shell.variables.setText("PWD", shell.cwd);
  return true;
}

/** `no/such/..` leads nowhere, although its text could be shortened. */
function missingBeforeParent(shell: Shell, path: string): string | undefined {
  const names = path.split("/");
  for (const [at, name] of names.entries()) {
    if (name !== ".." || at === 0) continue;
    const stat = statPath(shell, joinPath(shell.cwd, names.slice(0, at).join("/") || "/"));
    if (stat === undefined) return "No such file or directory";
    if (stat.kind !== "directory") return "Not a directory";
  }
  return undefined;
}

const cd: Builtin = (shell, words) => {
  const options = readFlags(shell, words, "LPe@");
  if (options === undefined) return 2;
  const { flags, rest } = options;
  if (rest.length > 1) return refuse(shell, "cd", "too many arguments");
  const links = flags.has("P") || shell.has("physical") ? "physical" : "logical";
  let [target] = rest;
  let prints = false;
  if (target === undefined) {
    target = shell.variables.text("HOME");
    if (target === undefined) return refuse(shell, "cd", "HOME not set");
  } else if (target === "-") {
    target = shell.variables.text("OLDPWD");
    if (target === undefined) return refuse(shell, "cd", "OLDPWD not set");
    prints = true;
  }
  const searched = shell.variables.text("CDPATH");
  if (
    rest[0] !== undefined &&
    rest[0] !== "-" &&
    searched !== undefined &&
    !/^(?:\/|\.\.?(?:\/|$))/.test(target)
  ) {
    for (const folder of searched.split(":")) {
      const path = absolutePath(folder === "" ? shell.cwd : absolutePath(shell.cwd, folder), target);
      if (statPath(shell, path)?.kind !== "directory") continue;
      prints ||= folder !== "";
      target = path;
      break;
    }
  }
  if (target === "") return 0;
  if (!enter(shell, "cd", target, links)) return 1;
  return prints ? say(shell, `${shell.cwd}\n`) : 0;
};

const pwd: Builtin = (shell, words) => {
  const options = readFlags(shell, words, "LP");
  if (options === undefined) return 2;
  try {
    return say(
      shell,
      `${options.flags.has("P") ? shell.runtime.fileSystem.realPath(shell.cwd) : shell.cwd}\n`,
    );
  } catch (error) {
    if (!(error instanceof FileSystemError)) throw error;
    return refuse(shell, "pwd", `error retrieving current directory: ${error.message}`);
  }
};

function shown(shell: Shell, path: string, style: "short" | "long" = "short"): string {
  const home = shell.variables.text("HOME");
  if (style === "long" || home === undefined || home === "/") return path;
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

function showStack(shell: Shell): number | Task<number> {
  return say(shell, `${[shell.cwd, ...shell.directories].map((each) => shown(shell, each)).join(" ")}\n`);
}

/** `+2` and `-1` name a place in the stack. */
function placeOf(text: string, size: number): number | undefined {
  const match = /^([+-])(\d+)$/.exec(text);
  if (match === null) return undefined;
  return match[1] === "+" ? Number(match[2]) : size - 1 - Number(match[2]);
}

const pushd: Builtin = (shell, words) => {
  const args = words.slice(1).filter((word) => word !== "-n" && word !== "--");
  const keeps = words.includes("-n");
  if (args.length > 1) return refuse(shell, "pushd", "too many arguments");
  const [target] = args;
  const stack = [shell.cwd, ...shell.directories];
  if (target === undefined) {
    const [first, second, ...rest] = stack;
    if (second === undefined) return refuse(shell, "pushd", "no other directory");
    if (!enter(shell, "pushd", second, "logical")) return 1;
    shell.directories = [first ?? "/", ...rest];
    return showStack(shell);
  }
  const place = placeOf(target, stack.length);
  if (place !== undefined) {
    const to = stack[place];
    if (to === undefined) return refuse(shell, "pushd", `${target}: directory stack index out of range`);
    if (!enter(shell, "pushd", to, "logical")) return 1;
    shell.directories = [...stack.slice(place + 1), ...stack.slice(0, place)];
    return showStack(shell);
  }
  if (/^-./.test(target)) return refuse(shell, "pushd", `${target}: invalid number`, 2);
  if (keeps) {
    shell.directories = [target, ...shell.directories];
    return showStack(shell);
  }
  const before = shell.cwd;
  if (!enter(shell, "pushd", target, "logical")) return 1;
  shell.directories = [before, ...shell.directories];
  return showStack(shell);
};

const popd: Builtin = (shell, words) => {
  const args = words.slice(1).filter((word) => word !== "-n" && word !== "--");
  const stack = [shell.cwd, ...shell.directories];
  if (args.length > 1) return refuse(shell, "popd", "too many arguments");
  const [target = "+0"] = args;
  const place = placeOf(target, stack.length);
  if (place === undefined) return refuse(shell, "popd", `${target}: invalid argument`, 2);
  if (shell.directories.length === 0) return refuse(shell, "popd", "directory stack empty");
  if (stack[place] === undefined)
    return refuse(shell, "popd", `${target}: directory stack index out of range`);
  if (place === 0) {
    if (!enter(shell, "popd", stack[1] ?? "/", "logical")) return 1;
    shell.directories = stack.slice(2);
  } else shell.directories = stack.filter((_, i) => i !== 0 && i !== place);
  return showStack(shell);
};

const dirs: Builtin = (shell, words) => {
  const stack = [shell.cwd, ...shell.directories];
  let style: "short" | "long" = "short";
  let form: "line" | "lines" | "numbered" = "line";
  for (const word of words.slice(1)) {
    const place = placeOf(word, stack.length);
    if (place !== undefined) {
      const path = stack[place];
      if (path === undefined)
        return refuse(shell, "dirs", `${word.slice(1)}: directory stack index out of range`);
      return say(shell, `${shown(shell, path, style)}\n`);
    }
    if (!/^-[clpv]+$/.test(word))
      return refuse(
        shell,
        "dirs",
        `${word}: invalid ${word.startsWith("-") ? "option" : "argument"}`,
        word.startsWith("-") ? 2 : 1,
      );
    if (word.includes("c")) shell.directories = [];
    if (word.includes("l")) style = "long";
    if (word.includes("p")) form = "lines";
    if (word.includes("v")) form = "numbered";
    if (word.includes("c")) return 0;
  }
  const paths = stack.map((path) => shown(shell, path, style));
  if (form === "line") return say(shell, `${paths.join(" ")}\n`);
  return say(
    shell,
    paths.map((path, i) => (form === "lines" ? `${path}\n` : ` ${String(i)}  ${path}\n`)).join(""),
  );
};

const umask: Builtin = (shell, words) => {
  const mask = words.slice(1).find((word) => word !== "-S" && word !== "-p");
  if (mask === undefined) {
    const octal = shell.umask.toString(8).padStart(4, "0");
    if (!words.includes("-S")) return say(shell, words.includes("-p") ? `umask ${octal}\n` : `${octal}\n`);
    const part = (shift: number): string =>
      ["r", "w", "x"].filter((_, i) => ((~shell.umask >> shift) & 7 & (4 >> i)) !== 0).join("");
    return say(shell, `u=${part(6)},g=${part(3)},o=${part(0)}\n`);
  }
  if (/^-./.test(mask)) return refuse(shell, "umask", `${mask.slice(0, 2)}: invalid option`, 2);
  if (/^[0-7]+$/.test(mask) && Number.parseInt(mask, 8) <= 0o7777) {
    shell.umask = Number.parseInt(mask, 8) & 0o777;
    return 0;
  }
  if (/^\d/.test(mask)) return refuse(shell, "umask", `${mask}: octal number out of range`);
  let allowed = ~shell.umask & 0o777;
  for (const clause of mask.split(",")) {
    const match = /^([ugoa]*)([-+=])([rwx]*)$/.exec(clause);
    if (match === null)
      return refuse(shell, "umask", `\`${clause.charAt(0)}': invalid symbolic mode character`);
    const who = match[1] === "" || match[1]?.includes("a") === true ? "ugo" : (match[1] ?? "");
    const bits = ["r", "w", "x"].reduce(
      (sum, letter, i) => sum + (match[3]?.includes(letter) === true ? 4 >> i : 0),
      0,
    );
    for (const one of who) {
      const shift = one === "u" ? 6 : one === "g" ? 3 : 0;
      if (match[2] === "=") allowed = (allowed & ~(7 << shift)) | (bits << shift);
      else if (match[2] === "+") allowed |= bits << shift;
      else allowed &= ~(bits << shift);
    }
  }
  shell.umask = ~allowed & 0o777;
  return 0;
};

export const directoryBuiltins: BuiltinTable = { cd, pwd, pushd, popd, dirs, umask };
