import { type Declared, MARK } from "../run/trace.ts";
import type { Shell } from "../run/shell.ts";
import type { Task } from "../run/task.ts";
import {
  AssignProblem,
  assignVariable,
  dynamicReference,
  evaluate,
  isName,
  makeIndexed,
  parseReference,
} from "../variables/assign.ts";
import { assignElements, type Element } from "../variables/assign-array.ts";
import { declaration, valueText } from "../variables/declaration.ts";
import { Variable } from "../variables/variable.ts";
import { type BuiltinTable, refuse, say } from "./builtin.ts";
import { functionText } from "./function-text.ts";

type Command = "declare" | "typeset" | "local" | "export" | "readonly";

interface Wanted {
  readonly on: ReadonlySet<string>;
  readonly off: ReadonlySet<string>;
  readonly operands: readonly string[];
}

function* declare(shell: Shell, words: readonly string[], declared: readonly Declared[]): Task<number> {
  const command = (words[0] ?? "declare") as Command;
  const wanted = readWanted(shell, words);
  if (wanted === undefined) return 2;
  if (command === "local" && shell.variables.local === undefined) {
    return refuse(shell, "local", "can only be used in a function");
  }
  const { on, operands } = wanted;
  if (on.has("f") || on.has("F")) return yield* asTask(aboutFunctions(shell, command, wanted));
  if (operands.length === 0) return yield* asTask(show(shell, command, wanted));
  if (on.has("p") && (command === "declare" || command === "typeset" || command === "local")) {
    return yield* asTask(showNamed(shell, operands));
  }
  let status = 0;
  for (const operand of operands) {
    try {
      const ok = declareOne(shell, command, wanted, operand, declared);
      if (!ok) status = 1;
    } catch (error) {
      if (!(error instanceof AssignProblem)) throw error;
      shell.complain(
        error.message.includes("readonly") && command !== "export"
          ? error.message
          : `${command}: ${error.message}`,
      );
      status = 1;
    }
  }
  return status;
}

function* asTask(result: number | Task<number>): Task<number> {
  return typeof result === "number" ? result : yield* result;
}

function readWanted(shell: Shell, words: readonly string[]): Wanted | undefined {
  const command = words[0] ?? "declare";
  const known = command === "export" ? "fnp" : command === "readonly" ? "aAfp" : "aAcfFgiIlnprtux";
  const on = new Set<string>();
  const off = new Set<string>();
  let i = 1;
  for (; i < words.length; i += 1) {
    const word = words[i] ?? "";
    if (word === "--") {
      i += 1;
      break;
    }
    if (!/^[-+]./.test(word)) break;
    for (const letter of word.slice(1)) {
      if (!known.includes(letter)) {
        shell.complain(`${command}: ${word.charAt(0)}${letter}: invalid option`);
        return undefined;
      }
      (word.startsWith("-") ? on : off).add(letter);
    }
  }
  if (command === "export") (on.has("n") ? off : on).add("x");
  if (command === "export") on.delete("n");
  if (command === "readonly") on.add("r");
  return { on, off, operands: words.slice(i) };
}

interface Target {
  readonly name: string;
  readonly subscript: string | undefined;
  readonly value: string | readonly Element[] | undefined;
  readonly append: boolean;
}

function targetOf(operand: string, declared: readonly Declared[]): Target | undefined {
  if (operand.startsWith(MARK)) return declared[Number(operand.slice(MARK.length))];
  const match = /^([^=]*?)(\+?)=(.*)$/s.exec(operand);
  const left = match === null ? operand : (match[1] ?? "");
  const reference = parseReference(left);
  if (reference === undefined) return undefined;
  return { ...reference, value: match?.[3], append: match?.[2] === "+" };
}

function declareOne(
  shell: Shell,
  command: Command,
  wanted: Wanted,
  operand: string,
  declared: readonly Declared[],
): boolean {
  const { on, off } = wanted;
  const shape = on.has("A") ? "associative" : on.has("a") ? "indexed" : undefined;
  const target = targetOf(operand, declared);
  if (target === undefined) {
    shell.complain(`${command}: \`${operand}': not a valid identifier`);
    return false;
  }
  if (target.subscript !== undefined && (command === "export" || command === "readonly")) {
    shell.complain(`${command}: \`${target.name}[${target.subscript}]': not a valid identifier`);
    return false;
  }
  const isLocal =
    (command === "local" || ((command === "declare" || command === "typeset") && !on.has("g"))) &&
    shell.variables.local !== undefined;
  let { name } = target;
  const existing = shell.variables.find(name);
  if (
    existing?.nameref === true &&
    !on.has("n") &&
    !off.has("n") &&
    !isLocal &&
    existing.text !== undefined &&
    existing.text !== ""
  ) {
    name = parseReference(shell.variables.resolve(name) ?? name)?.name ?? name;
  }
  const variable = findVariable(shell, command, name, isLocal, on.has("g"), on.has("I"));
  if (variable.readonly && (target.value !== undefined || off.has("r")))
    throw new AssignProblem(`${name}: readonly variable`);
  const bare = command === "readonly" && target.value === undefined;
  if (shape !== undefined && !bare && !reshape(shell, command, variable, name, shape)) return false;
  if (Array.isArray(target.value) && variable.shape === "scalar") makeIndexed(variable);
  const names = typeof target.value === "string" ? target.value : variable.text;
  if (on.has("n") && names !== undefined && names !== "" && parseReference(names) === undefined) {
    shell.complain(`${command}: \`${names}': invalid variable name for name reference`);
    return false;
  }
  setAttributes(variable, on, off);
  if (target.value !== undefined) {
    const how = target.append ? "append" : "replace";
    if (typeof target.value === "string") {
      if (variable.nameref && on.has("n")) variable.text = target.value;
      else assignVariable(shell, variable, name, target.subscript, target.value, how);
    } else assignElements(shell, variable, name, target.value, how);
  }
  if (on.has("r")) variable.readonly = true;
  if (shell.has("allexport") && target.value !== undefined) variable.exported = true;
  return true;
}

function findVariable(
  shell: Shell,
  command: Command,
  name: string,
  isLocal: boolean,
  isGlobal: boolean,
  inherits: boolean,
): Variable {
  const { variables } = shell;
  if (isLocal && variables.local !== undefined) {
    const frame = variables.local;
    const own = frame.names.get(name);
    if (own !== undefined) return own;
    const outer = variables.find(name);
    if (outer?.readonly === true && outer !== own && variables.global.names.get(name) === outer) {
      throw new AssignProblem(`${name}: readonly variable`);
    }
    const temporary = variables
      .temporaries()
      .find((each) => each.names.has(name))
      ?.names.get(name);
    const inherited = temporary ?? (inherits || shell.shopts.has("localvar_inherit") ? outer : undefined);
    const variable = inherited?.copy() ?? new Variable();
    if (inherited === undefined && outer?.exported === true && frameIsTemporary(shell, name)) {
      variable.exported = true;
      variable.text = outer.text;
    }
    frame.names.set(name, variable);
    return variable;
  }
  if (isGlobal) return variables.declareGlobal(name);
  if (command === "export" || command === "readonly") {
    const temporary = variables
      .temporaries()
      .find((each) => each.names.has(name))
      ?.names.get(name);
    if (temporary !== undefined) {
      const variable = variables.declareGlobal(name);
      variable.text = temporary.text;
      return variable;
    }
  }
  return variables.find(name) ?? variables.declareGlobal(name);
}

/** True if a variable was set for the call of the running function: `x=1 f`. */
function frameIsTemporary(shell: Shell, name: string): boolean {
  return shell.variables.isForCall(name);
}

function reshape(
  shell: Shell,
  command: string,
  variable: Variable,
  name: string,
  shape: "indexed" | "associative",
): boolean {
  if (variable.shape === shape) return true;
  if (variable.shape !== "scalar") {
    const [from, to] = shape === "indexed" ? ["associative", "indexed"] : ["indexed", "associative"];
    shell.complain(`${command}: ${name}: cannot convert ${from} to ${to} array`);
    return false;
  }
  if (shape === "indexed") {
    if (variable.text !== undefined) makeIndexed(variable);
    else variable.shape = "indexed";
    return true;
  }
  variable.shape = "associative";
  if (variable.text !== undefined) variable.ownMap().set("0", variable.text);
  variable.text = undefined;
  return true;
}

function setAttributes(variable: Variable, on: ReadonlySet<string>, off: ReadonlySet<string>): void {
  const keys = {
    i: "integer",
    x: "exported",
    t: "trace",
    n: "nameref",
    c: "capital",
    l: "lower",
    u: "upper",
  } as const;
  for (const [letter, key] of Object.entries(keys)) {
    if (on.has(letter)) variable[key] = true;
    if (off.has(letter)) variable[key] = false;
  }
  if (on.has("l")) variable.upper = false;
  if (on.has("u")) variable.lower = false;
  if (on.has("l") && on.has("u")) variable.lower = false;
}

function show(shell: Shell, command: Command, wanted: Wanted): number | Task<number> {
  const letters = [...wanted.on].filter((letter) => !"pgF".includes(letter));
  const source =
    command === "local"
      ? (shell.variables.local?.names ?? new Map<string, Variable>())
      : shell.variables.visible();
  const lines = [...source]
    .filter(
      ([name, variable]) => isName(name) && letters.every((letter) => variable.attributes().includes(letter)),
    )
    .filter(([, variable]) => variable.isSet || variable.attributes() !== "")
    .map(([name, variable]) => {
      if (
        command !== "local" &&
        command !== "export" &&
        command !== "readonly" &&
        letters.length === 0 &&
        !wanted.on.has("p")
      )
        return variable.isSet ? `${name}=${valueText(variable)}\n` : "";
      return `${declaration(name, variable, "declare")}\n`;
    });
  return say(shell, lines.join(""));
}

function showNamed(shell: Shell, names: readonly string[]): number | Task<number> {
  let status = 0;
  let text = "";
  for (const name of names) {
    const variable = shell.variables.find(name);
    if (
      variable === undefined ||
      (!variable.isSet &&
        variable.attributes() === "" &&
        shell.variables.local?.names.get(name) !== variable &&
        variable.text === undefined &&
        variable.shape === "scalar" &&
        !shell.variables.isDeclared(name))
    ) {
      shell.complain(`declare: ${name}: not found`);
      status = 1;
    } else text += `${declaration(name, variable, "declare")}\n`;
  }
  return say(shell, text, status);
}

function aboutFunctions(shell: Shell, command: Command, wanted: Wanted): number | Task<number> {
  const { on, off, operands } = wanted;
  if (operands.length === 0) {
    const names = [...shell.functions.keys()].sort();
    const text = names.map((name) => {
      const body = shell.functions.get(name);
      return on.has("F") ? `declare -f ${name}\n` : body === undefined ? "" : functionText(body);
    });
    return say(shell, text.join(""));
  }
  let status = 0;
  let text = "";
  for (const name of operands) {
    const body = shell.functions.get(name);
    if (body === undefined) {
      if (command === "export" || command === "readonly")
        shell.complain(`${command}: ${name}: not a function`);
      status = 1;
      continue;
    }
    if (on.has("x") || off.has("x")) shell.functions.set(name, { ...body, exported: on.has("x") });
    else if (on.has("t")) shell.functions.set(name, { ...body, trace: true });
    else if (on.has("r")) continue;
    else if (on.has("F"))
      text += shell.shopts.has("extdebug") ? `${name} ${String(body.line)} ${body.file}\n` : `${name}\n`;
    else text += functionText(body);
  }
  return say(shell, text, status);
}

export const declareBuiltins: BuiltinTable = {
  declare,
  typeset: declare,
  local: declare,
  export: declare,
  readonly: declare,
  unset(shell, words) {
    let status = 0;
    let kind = "";
    for (const word of words.slice(1)) {
      if (word === "-v" || word === "-f" || word === "-n") {
        kind = word;
        continue;
      }
      if (word === "--") continue;
      status = unsetOne(shell, word, kind) ? status : 1;
    }
    return status;
  },
};

function unsetOne(shell: Shell, word: string, kind: string): boolean {
  if (kind === "-f") {
    shell.functions.delete(word);
    return true;
  }
  const reference = dynamicReference(shell, word);
  if (reference === undefined) {
    // Without an option it may as well name a function, and one that does not exist is none.
    if (kind === "") {
      shell.functions.delete(word);
      return true;
    }
    refuse(shell, "unset", `\`${word}': not a valid identifier`);
    return false;
  }
  const target = kind === "-n" ? word : (shell.variables.resolve(reference.name) ?? reference.name);
  const resolved = (target === word ? reference : dynamicReference(shell, target)) ?? reference;
  const subscript = reference.subscript ?? (kind === "-n" ? undefined : resolved.subscript);
  const { name } = resolved;
  const variable = shell.variables.find(name);
  if (variable === undefined) {
    if (kind === "") shell.functions.delete(word);
    return true;
  }
  if (variable.readonly) {
    refuse(shell, "unset", `${name}: cannot unset: readonly variable`);
    return false;
  }
  if (subscript === undefined) {
    shell.variables.unset(name);
    return true;
  }
  if (variable.shape === "associative") variable.ownMap().delete(subscript);
  else if (subscript === "@" || subscript === "*") shell.variables.unset(name);
  else {
    const value = Number(evaluate(shell, subscript));
    const index = value < 0 ? (variable.list?.max ?? 0) + 1 + value : value;
    if (index < 0) {
      refuse(shell, "unset", `[${subscript}]: bad array subscript`);
      return false;
    }
    if (variable.shape === "indexed") variable.ownList().delete(index);
    else if (index === 0) shell.variables.unset(name);
    else {
      refuse(shell, "unset", `${name}: not an array variable`);
      return false;
    }
  }
  return true;
}
