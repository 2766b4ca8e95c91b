import { ALL_SHOPTS, SET_OPTIONS } from "../run/shell-options.ts";
import type { Shell } from "../run/shell.ts";
import type { Task } from "../run/task.ts";
import { isName } from "../variables/assign.ts";
import { valueText } from "../variables/declaration.ts";
import { type Builtin, type BuiltinTable, readFlags, refuse, say } from "./builtin.ts";
import { functionText } from "./function-text.ts";

const BY_LETTER = new Map(Object.entries(SET_OPTIONS).map(([name, letter]) => [letter, name]));

function turn(shell: Shell, name: string, on: boolean): void {
  if (on && name === "vi") shell.options.delete("emacs");
  if (on && name === "emacs") shell.options.delete("vi");
  if (on) shell.options.add(name);
  else shell.options.delete(name);
}

/** What `set` gave stays, also behind the end of a sourced file. */
function replacePositional(shell: Shell, words: readonly string[]): void {
  shell.positional = words;
  shell.positionalSets += 1;
}

const set: Builtin = (shell, words) => {
  if (words.length === 1) return say(shell, listVariables(shell));
  for (let i = 1; i < words.length; i += 1) {
    const word = words[i] ?? "";
    if (word === "--") {
      replacePositional(shell, words.slice(i + 1));
      return 0;
    }
    if (word === "-") {
      shell.options.delete("xtrace");
      shell.options.delete("verbose");
      if (i + 1 < words.length) replacePositional(shell, words.slice(i + 1));
      return 0;
    }
    if (word === "+") continue;
    if (!/^[-+]./.test(word)) {
      replacePositional(shell, words.slice(i));
      return 0;
    }
    const on = word.startsWith("-");
    for (const letter of word.slice(1)) {
      if (letter === "o") {
        const name = words[i + 1];
        if (name === undefined) return say(shell, listOptions(shell, on ? "table" : "commands"));
        if (!(name in SET_OPTIONS)) return refuse(shell, "set", `${name}: invalid option name`, 2);
        turn(shell, name, on);
        i += 1;
        continue;
      }
      const name = BY_LETTER.get(letter);
      if (name === undefined) {
        shell.complain(`set: ${word.charAt(0)}${letter}: invalid option`);
        shell.writeError("set: usage: set [-abefhkmnptuvxBCEHPT] [-o option-name] [--] [-] [arg ...]\n");
        return 2;
      }
      turn(shell, name, on);
    }
  }
  return 0;
};

function listVariables(shell: Shell): string {
  let text = "";
  for (const [name, variable] of shell.variables.visible()) {
    if (!isName(name) || !variable.isSet) continue;
    text += `${name}=${valueText(variable)}\n`;
  }
  if (shell.has("posix")) return text;
  for (const [, body] of [...shell.functions].sort(([a], [b]) => (a < b ? -1 : 1)))
    text += functionText(body);
  return text;
}

function listOptions(shell: Shell, style: "table" | "commands"): string {
  return Object.keys(SET_OPTIONS)
    .map((name) => {
      const on = shell.has(name);
      return style === "table"
        ? `${name.padEnd(15)}\t${on ? "on" : "off"}\n`
        : `set ${on ? "-" : "+"}o ${name}\n`;
    })
    .join("");
}

const shopt: Builtin = (shell, words) => {
  const options = readFlags(shell, words, "pqsuo");
  if (options === undefined) return 2;
  const { flags, rest } = options;
  const table = flags.has("o") ? shell.options : shell.shopts;
  const known = flags.has("o") ? Object.keys(SET_OPTIONS) : ALL_SHOPTS;
  if (flags.has("s") || flags.has("u")) {
    if (rest.length > 0) return change(shell, table, known, flags.has("s"), rest);
  }
  const names =
    rest.length > 0
      ? rest
      : known.filter((name) => (flags.has("s") ? table.has(name) : flags.has("u") ? !table.has(name) : true));
  let status = 0;
  let text = "";
  for (const name of names) {
    if (!known.includes(name)) {
      shell.complain(`shopt: ${name}: invalid shell option name`);
      status = 1;
      continue;
    }
    const on = table.has(name);
    if (!on && rest.length > 0) status = 1;
    if (flags.has("q")) continue;
    if (flags.has("p"))
      text += flags.has("o") ? `set ${on ? "-" : "+"}o ${name}\n` : `shopt ${on ? "-s" : "-u"} ${name}\n`;
    else text += `${name.padEnd(15)}\t${on ? "on" : "off"}\n`;
  }
  return say(shell, text, status);
};

function change(
  shell: Shell,
  table: Set<string>,
  known: readonly string[],
  on: boolean,
  names: readonly string[],
): number | Task<number> {
  let status = 0;
  for (const name of names) {
    if (!known.includes(name)) {
      shell.complain(`shopt: ${name}: invalid shell option name`);
      status = 1;
    } else if (on) table.add(name);
    else table.delete(name);
  }
  return status;
}

/** `getopts` keeps its place within a word in the shell. */
const getopts: Builtin = (shell, words) => {
  const [, spec, name, ...given] = words;
  if (spec === undefined || name === undefined) {
    shell.writeError("getopts: usage: getopts optstring name [arg ...]\n");
    return 2;
  }
  const args = given.length > 0 ? given : shell.positional;
  let index = Math.min(Number(shell.variables.text("OPTIND") ?? "1"), args.length + 1);
  if (index !== Math.floor(shell.getoptsAt / 1000)) shell.getoptsAt = index * 1000 + 1;
  let at = shell.getoptsAt % 1000;
  const put = (value: string): void => {
    if (isName(name)) shell.variables.setText(name, value);
  };
  const word = args[index - 1];
  const finish = (status: number): number => {
    shell.variables.setText("OPTIND", String(index));
    shell.getoptsAt = index * 1000 + at;
    return isName(name) ? status : refuse(shell, "getopts", `\`${name}': not a valid identifier`);
  };
  if (word === undefined || !/^-./.test(word) || word === "--") {
    if (word === "--") index += 1;
    at = 1;
    put("?");
    shell.variables.unset("OPTARG");
    return finish(1);
  }
  const letter = word.charAt(at);
  const silent = spec.startsWith(":");
  const place = letter === ":" ? -1 : spec.indexOf(letter, silent ? 1 : 0);
  at += 1;
  const advance = (): void => {
    if (at < word.length) return;
    index += 1;
    at = 1;
  };
  if (place === -1) {
    advance();
    put("?");
    if (silent) shell.variables.setText("OPTARG", letter);
    else {
      shell.variables.unset("OPTARG");
      if (shell.variables.text("OPTERR") !== "0")
        shell.writeError(`${shell.name}: illegal option -- ${letter}\n`);
    }
    return finish(0);
  }
  if (spec.charAt(place + 1) !== ":") {
    advance();
    put(letter);
    shell.variables.unset("OPTARG");
    return finish(0);
  }
  const attached = word.slice(at);
  index += 1;
  at = 1;
  const value = attached === "" ? args[index - 1] : attached;
  if (value === undefined) {
    put(silent ? ":" : "?");
    if (silent) shell.variables.setText("OPTARG", letter);
    else {
      shell.variables.unset("OPTARG");
      shell.writeError(`${shell.name}: option requires an argument -- ${letter}\n`);
    }
    return finish(0);
  }
  if (attached === "") index += 1;
  put(letter);
  shell.variables.setText("OPTARG", value);
  return finish(0);
};

export const optionBuiltins: BuiltinTable = { set, shopt, getopts };
