import { findAllOnPath, findCommand, hashedCommands, rememberCommand } from "../run/find-command.ts";
import type { Shell } from "../run/shell.ts";
import type { Task } from "../run/task.ts";
import { inQuotes, quoteSingle } from "../text/quote.ts";
import { type Builtin, type BuiltinTable, readFlags, refuse, say } from "./builtin.ts";
import { functionText } from "./function-text.ts";

const KEYWORDS = new Set(
  "if then elif else fi case esac for select while until do done in function time { } ! [[ ]] coproc".split(
    " ",
  ),
);

/** Where `command -p` looks. */
const DEFAULT_PATH = "/usr/bin:/bin";

type Meaning = {
  readonly kind: "alias" | "keyword" | "function" | "builtin" | "file";
  readonly path: string;
};

/** What a name means, in the order in which bash looks. */
function meanings(
  shell: Shell,
  builtins: () => ReadonlySet<string>,
  name: string,
  all: boolean,
): readonly Meaning[] {
  const found: Meaning[] = [];
  if (shell.shopts.has("expand_aliases") && shell.aliases.has(name)) found.push({ kind: "alias", path: "" });
  if (KEYWORDS.has(name)) found.push({ kind: "keyword", path: "" });
  if (shell.functions.has(name)) found.push({ kind: "function", path: "" });
  if (builtins().has(name)) found.push({ kind: "builtin", path: "" });
  for (const path of files(shell, name)) found.push({ kind: "file", path });
  return all ? found : found.slice(0, 1);
}

function files(shell: Shell, name: string): readonly string[] {
  if (name.includes("/")) {
    const found = findCommand(shell, name);
    return found.kind === "missing" ? [] : [name];
  }
  const paths = findAllOnPath(shell, name);
  if (paths.length > 0) return paths;
  const found = findCommand(shell, name);
  return found.kind === "command" ? [found.command.path] : [];
}

function describe(shell: Shell, name: string, meaning: Meaning): string {
  switch (meaning.kind) {
    case "alias":
      return `${name} is aliased to \`${shell.aliases.get(name) ?? ""}'\n`;
    case "keyword":
      return `${name} is a shell keyword\n`;
    case "function": {
      const body = shell.functions.get(name);
      return `${name} is a function\n${body === undefined ? "" : functionText(body)}`;
    }
    case "builtin":
      return `${name} is a shell builtin\n`;
    case "file":
      return `${name} is ${meaning.path}\n`;
    default:
      return meaning.kind satisfies never;
  }
}

export function nameBuiltins(builtins: () => ReadonlySet<string>): BuiltinTable {
  const type: Builtin = (shell, words) => {
    const options = readFlags(shell, words, "afptP");
    if (options === undefined) return 2;
    const { flags, rest } = options;
    let status = 0;
    let text = "";
    for (const name of rest) {
      let found = meanings(shell, builtins, name, flags.has("a") || flags.has("f") || flags.has("P"));
      if (flags.has("f")) found = found.filter(({ kind }) => kind !== "function");
      if (flags.has("P")) found = found.filter(({ kind }) => kind === "file");
      if (!flags.has("a")) found = found.slice(0, 1);
      if (found.length === 0) {
        status = 1;
        if (!flags.has("t") && !flags.has("p") && !flags.has("P")) shell.complain(`type: ${name}: not found`);
      }
      for (const meaning of found) {
        if (flags.has("t")) text += `${meaning.kind}\n`;
        else if (flags.has("p") || flags.has("P")) text += meaning.kind === "file" ? `${meaning.path}\n` : "";
        else text += describe(shell, name, meaning);
      }
    }
    return say(shell, text, status);
  };

  function* command(shell: Shell, words: readonly string[], declared: Parameters<Builtin>[2]): Task<number> {
    let i = 1;
    let mode = "";
    for (; /^-[pvV]+$/.test(words[i] ?? ""); i += 1) mode += (words[i] ?? "").slice(1);
    if (words[i] === "--") i += 1;
    else if (/^-./.test(words[i] ?? ""))
      return refuse(shell, "command", `${words[i] ?? ""}: invalid option`, 2);
    const rest = words.slice(i);
    if (rest.length === 0) return 0;
    if (!/[vV]/.test(mode)) {
      if (!mode.includes("p"))
        return yield* shell.engine.runWords(shell, rest, { functions: "skip", declared });
      const frame = shell.variables.push("temporary");
      shell.variables.declareIn(frame, "PATH").text = DEFAULT_PATH;
      try {
        return yield* shell.engine.runWords(shell, rest, { functions: "skip", declared });
      } finally {
        shell.variables.pop();
      }
    }
    let status = 1;
    let text = "";
    for (const name of rest) {
      const [meaning] = meanings(shell, builtins, name, false);
      if (meaning === undefined) {
        if (mode.includes("V")) shell.complain(`command: ${name}: not found`);
        continue;
      }
      status = 0;
      if (mode.includes("V")) text += describe(shell, name, meaning);
      else if (meaning.kind === "alias")
        text += `alias ${name}=${quoteSingle(shell.aliases.get(name) ?? "")}\n`;
      else text += `${meaning.kind === "file" ? meaning.path : name}\n`;
    }
    const said = say(shell, text, status);
    return typeof said === "number" ? said : yield* said;
  }

  const alias: Builtin = (shell, words) => {
    const args = words.slice(1).filter((word) => word !== "-p" && word !== "--");
    const line = (name: string): string => `alias ${name}=${inQuotes(shell.aliases.get(name) ?? "")}\n`;
    if (args.length === 0) return say(shell, [...shell.aliases.keys()].sort().map(line).join(""));
    let status = 0;
    let text = "";
    for (const arg of args) {
      const at = arg.indexOf("=");
      if (at > 0) {
        shell.aliases.set(arg.slice(0, at), arg.slice(at + 1));
        shell.aliasVersion += 1;
      } else if (shell.aliases.has(arg)) text += line(arg);
      else {
        shell.complain(`alias: ${arg}: not found`);
        status = 1;
      }
    }
    return say(shell, text, status);
  };

  return {
    type,
    command,
    builtin: (shell, words, declared) => {
      const args = words[1] === "--" ? words.slice(2) : words.slice(1);
      return args.length === 0 ? 0 : shell.engine.runWords(shell, args, { kinds: "builtins", declared });
    },
    hash: (shell, words) => {
      const options = readFlags(shell, words, "rdtlp:");
      if (options === undefined) return 2;
      const { flags, rest } = options;
      const hashed = hashedCommands(shell);
      if (flags.has("r")) hashed.clear();
      else if (rest.length === 0) {
        const lines = [...hashed.values()].map(({ path, hits }) => `${String(hits).padStart(4)}\t${path}\n`);
        return say(
          shell,
          lines.length === 0 ? "hash: hash table empty\n" : `hits\tcommand\n${lines.join("")}`,
        );
      }
      let status = 0;
      let text = "";
      for (const name of rest) {
        const given = flags.get("p");
        const missing = (): number => refuse(shell, "hash", `${name}: not found`);
        if (given !== undefined) hashed.set(name, { path: given, hits: 0 });
        else if (flags.has("d")) status = hashed.delete(name) ? status : missing();
        else if (flags.has("t")) {
          const known = hashed.get(name);
          if (known === undefined) status = missing();
          else text += rest.length > 1 ? `${name}\t${known.path}\n` : `${known.path}\n`;
        } else if (!builtins().has(name) && !shell.functions.has(name)) {
          if (findCommand(shell, name).kind === "missing") status = missing();
          else rememberCommand(shell, name, 0);
        }
      }
      return say(shell, text, status);
    },
    alias,
    unalias: (shell, words) => {
      if (words.length === 1) {
        shell.writeError("unalias: usage: unalias [-a] name [name ...]\n");
        return 2;
      }
      let status = 0;
      shell.aliasVersion += 1;
      for (const name of words.slice(1)) {
        if (name === "-a") shell.aliases.clear();
        else if (!shell.aliases.delete(name)) status = refuse(shell, "unalias", `${name}: not found`);
      }
      return status;
    },
    enable: () => 0,
    caller: (shell, words) => {
      const at = Number(words[1] ?? 0);
      const call = shell.calls.at(-1 - at);
      if (call === undefined) return 1;
      const outer = shell.calls.at(-2 - at);
      return say(
        shell,
        words[1] === undefined
          ? `${String(call.line)} ${outer?.source ?? shell.name}\n`
          : `${String(call.line)} ${outer?.name ?? "main"} ${outer?.source ?? shell.name}\n`,
      );
    },
  };
}
