import type { Shell } from "../run/shell.ts";
import { SET_OPTIONS } from "../run/shell-options.ts";
import { IndexedArray, type Variable } from "./variable.ts";

/** Sets what a shell has from its start: the environment, and the variables that compute themselves. */
export function initializeVariables(shell: Shell, environment: Readonly<Record<string, string>>): void {
  const { variables, runtime } = shell;
  for (const [name, value] of Object.entries(environment)) {
    if (!/^[A-Za-z_]\w*$/.test(name)) continue;
    const variable = variables.declareGlobal(name);
    variable.text = value;
    variable.exported = true;
  }
  const set = (name: string, text: string): Variable =>
    Object.assign(variables.declareGlobal(name), { text });
  const keep = (name: string, text: string): Variable => {
    const variable = variables.declareGlobal(name);
    variable.text ??= text;
    return variable;
  };
  const computed = (
    name: string,
    compute: (owner: Shell) => string,
    taken?: (owner: Shell, value: string) => void,
  ): void => {
    const variable = set(name, "");
    variable.refresh = (own) => {
      own.text = compute(shell);
    };
    if (taken !== undefined) variable.taken = (value) => taken(shell, value);
  };
  set("IFS", " \t\n");
  set("OPTIND", "1");
  set("PS4", environment["PS4"] ?? "+ ");
  keep("PATH", "/usr/local/bin:/usr/bin:/bin");
  set("PWD", shell.cwd).exported = true;
  const old = keep("OLDPWD", "");
  if (environment["OLDPWD"] === undefined) old.text = undefined;
  old.exported = true;
  set("SHLVL", String(Number(environment["SHLVL"] ?? "0") + 1)).exported = true;
  keep("TERM", "dumb");
  keep("SHELL", "/bin/bash");
  keep("_", "bash");
  for (const [name, value] of [
    ["UID", "1000"],
    ["EUID", "1000"],
    ["PPID", "1"],
  ] as const) {
    Object.assign(set(name, value), { readonly: true, integer: true });
  }
  set("$", String(shell.process.pid));
  if (environment["HOSTNAME"] === undefined) set("HOSTNAME", "localhost");
  set("HOSTTYPE", "x86_64");
  if (environment["OSTYPE"] === undefined) set("OSTYPE", "linux-gnu");
  set("MACHTYPE", "x86_64-pc-linux-gnu");
  set("BASH", "/bin/bash");
  set("BASH_VERSION", "5.2.15(1)-release");
  variables.setList("BASH_VERSINFO", ["5", "2", "15", "1", "release", "x86_64-pc-linux-gnu"]).readonly = true;
  installComputed(shell, computed, runtime.now);
  for (const name of ["SHELLOPTS", "BASHOPTS"]) variables.declareGlobal(name).readonly = true;
}

/** Variables that a copy of the shell computes anew: they close over the shell that they belong to. */
export function rebindVariables(shell: Shell): void {
  const computed = (
    name: string,
    compute: (owner: Shell) => string,
    taken?: (owner: Shell, value: string) => void,
  ): void => {
    const variable = shell.variables.global.names.get(name);
    if (variable?.refresh === undefined) return;
    variable.refresh = (own) => {
      own.text = compute(shell);
    };
    if (taken !== undefined) variable.taken = (value) => taken(shell, value);
  };
  installComputed(shell, computed, shell.runtime.now);
}

type Computed = (
  name: string,
  compute: (owner: Shell) => string,
  taken?: (owner: Shell, value: string) => void,
) => void;

function installComputed(shell: Shell, computed: Computed, now: () => number): void {
  computed(
    "RANDOM",
    (owner) => {
      if (owner.randomSeed === undefined) return String(owner.runtime.random(32_768));
      owner.randomSeed = (owner.randomSeed * 16_807) % 2_147_483_647;
      return String(owner.randomSeed & 32_767);
    },
    (owner, value) => {
      owner.randomSeed = Math.max(1, Number(value) || 1);
    },
  );
  computed("SRANDOM", (owner) => String(owner.runtime.random(4_294_967_296)));
  computed(
    "SECONDS",
    (owner) => String(Math.floor((now() - owner.secondsFromMs) / 1000)),
    (owner, value) => {
      owner.secondsFromMs = now() - Number(value) * 1000;
    },
  );
  computed("EPOCHSECONDS", () => String(Math.floor(now() / 1000)));
  computed("EPOCHREALTIME", () => (now() / 1000).toFixed(6));
  computed(
    "LINENO",
    (owner) => String(owner.line),
    (owner, value) => {
      owner.line = Number(value);
    },
  );
  computed("BASHPID", (owner) => String(owner.process.pid));
  computed("BASH_SUBSHELL", (owner) => String(owner.subshellDepth));
  computed("BASH_COMMAND", (owner) => owner.command);
  computed("_", (owner) => owner.lastArgument);
  computed("SHELLOPTS", (owner) =>
    Object.keys(SET_OPTIONS)
      .filter((name) => owner.options.has(name))
      .join(":"),
  );
  computed("BASHOPTS", (owner) => [...owner.shopts].sort().join(":"));
  lists(shell);
}

/** True if the script is a file, which is then the outermost call. */
const isFile = (shell: Shell): boolean => !/[cs]/.test(shell.startFlags);

function lists(shell: Shell): void {
  const list = (name: string, compute: () => readonly string[]): void => {
    const variable = shell.variables.declareGlobal(name);
    variable.shape = "indexed";
    variable.refresh = (own) => {
      const items = compute();
      own.list =
        items.length === 0 && name === "FUNCNAME"
          ? undefined
          : new IndexedArray(items.map((item, i) => [i, item] as const));
    };
    variable.taken = () => undefined;
  };
  list("PIPESTATUS", () => shell.pipeStatus.map(String));
  list("FUNCNAME", () =>
    shell.calls.some(({ kind }) => kind === "function" || kind === "source")
      ? [...shell.calls.map(({ name }) => name).toReversed(), ...(isFile(shell) ? ["main"] : [])]
      : [],
  );
  list("BASH_SOURCE", () => [
    ...shell.calls.map(({ source }) => source).toReversed(),
    ...(isFile(shell) ? [shell.name] : []),
  ]);
  list("BASH_LINENO", () => [
    ...shell.calls.map(({ line }) => String(line)).toReversed(),
    ...(isFile(shell) ? ["0"] : []),
  ]);
  list("DIRSTACK", () => [shell.cwd, ...shell.directories]);
  list("GROUPS", () => ["1000"]);
}
