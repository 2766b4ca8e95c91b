import { FileSystemError } from "@deputy/vfs";
import { absolutePath } from "../files/paths.ts";
import type { Shell } from "../run/shell.ts";
import { decodeBytes, encodeText } from "../text/bytes.ts";
import { type Builtin, type BuiltinTable, readFlags, refuse, say } from "./builtin.ts";

/** The lines of the file that `HISTFILE` or the operand names; none if it cannot be read. */
function readLines(shell: Shell, file: string): readonly string[] {
  try {
    const text = decodeBytes(shell.runtime.fileSystem.readFile(absolutePath(shell.cwd, file)));
    return text.split("\n").filter((line) => line !== "");
  } catch (error) {
    if (error instanceof FileSystemError) return [];
    throw error;
  }
}

function writeLines(shell: Shell, file: string, lines: readonly string[]): void {
  const text = lines.map((line) => `${line}\n`).join("");
  shell.runtime.fileSystem.writeFile(absolutePath(shell.cwd, file), encodeText(text));
}

/** What is remembered, never more than `HISTSIZE` lines. */
function remembered(shell: Shell): readonly string[] {
  const most = Number(shell.variables.text("HISTSIZE") ?? "500");
  if (most >= 0 && shell.history.length > most)
    shell.history = shell.history.slice(-most || shell.history.length);
  return shell.history;
}

const numbered = (lines: readonly string[], from: number): string =>
  lines.map((line, i) => `${String(from + i).padStart(5)}  ${line}\n`).join("");

const history: Builtin = (shell, words) => {
  const options = readFlags(
    shell,
    words,
    "cd:anrwps",
    "history [-c] [-d offset] [n] or history -anrw [filename]",
  );
  if (options === undefined) return 2;
  const { flags, rest } = options;
  const file = rest[0] ?? shell.variables.text("HISTFILE") ?? "";
  if (flags.has("c")) {
    shell.history = [];
    shell.historyRead = 0;
    return 0;
  }
  const place = flags.get("d");
  if (place !== undefined) {
    const at = Number(place) < 0 ? shell.history.length + Number(place) : Number(place) - 1;
    if (shell.history[at] === undefined)
      return refuse(shell, "history", `${place}: history position out of range`);
    shell.history = shell.history.toSpliced(at, 1);
    return 0;
  }
  if (flags.has("s")) {
    shell.history = [...shell.history, rest.join(" ")];
    return 0;
  }
  if (flags.has("p")) return say(shell, rest.map((line) => `${line}\n`).join(""));
  if (flags.has("r") || flags.has("n")) {
    const lines = readLines(shell, file);
    shell.history = [...shell.history, ...lines.slice(flags.has("n") ? shell.historyRead : 0)];
    shell.historyRead = lines.length;
    return 0;
  }
  if (flags.has("w") || flags.has("a")) {
    const before = flags.has("a") ? readLines(shell, file) : [];
    writeLines(shell, file, [
      ...before,
      ...(flags.has("a") ? shell.history.slice(shell.historySaved) : shell.history),
    ]);
    shell.historySaved = shell.history.length;
    return 0;
  }
  if (rest.length > 1) return refuse(shell, "history", "too many arguments");
  const [count] = rest;
  if (count !== undefined && !/^[+-]?\d+$/.test(count))
    return refuse(shell, "history", `${count}: numeric argument required`);
  const all = remembered(shell);
  const shown = count === undefined ? all : all.slice(-Number(count) || all.length);
  return say(shell, numbered(shown, all.length - shown.length + 1));
};

/** Lists what is remembered; nothing is edited here. */
const fc: Builtin = (shell, words) => {
  const options = readFlags(shell, words, "e:lnrs");
  if (options === undefined) return 2;
  if (!options.flags.has("l")) return refuse(shell, "fc", "there is no editor here");
  const lines = remembered(shell).slice(-16);
  return say(shell, lines.map((line, i) => `${String(i + 1)}\t ${line}\n`).join(""));
};

export const historyBuiltins: BuiltinTable = {
  history,
  fc,
  help: (shell, words) => {
    const topic = words.slice(1).find((word) => word !== "--" && !/^-[dms]+$/.test(word));
    const known = shell.engine.builtinNames();
    if (topic === undefined) return say(shell, `${known.join("\n")}\n`);
    if (known.includes(topic)) return say(shell, `${topic}: a command of the shell itself\n`);
    return refuse(shell, "help", `no help topics match \`${topic}'.  Try \`help help'.`);
  },
};
