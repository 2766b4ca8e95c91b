/* oxlint-disable import/no-cycle -- words have parameters in them, and parameters have words */
import type { ParameterPart, Word } from "../parse/word.ts";
import { Discard, ExitShell } from "../run/flow.ts";
import type { Shell } from "../run/shell.ts";
import type { Task } from "../run/task.ts";
import { countChars, splitBytes } from "../text/bytes.ts";
import { AssignProblem, assignText, unbound } from "../variables/assign.ts";
import { applyOperator } from "./apply-operator.ts";
import { expandText } from "./expand-word.ts";
import type { ExpandMode } from "./field-builder.ts";
import {
  expandSubscript,
  readParameter,
  referenceOf,
  type ParameterValue,
  type Reference,
} from "./parameter-value.ts";
import { transform } from "./transform.ts";

export type Expanded =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly string[]; readonly join: "@" | "*" }
  /** The operand of `${x:-operand}`, with its own quotes. */
  | { readonly kind: "word"; readonly word: Word };

const text = (value: string): Expanded => ({ kind: "text", text: value });

/** Expands `$x` and `${x…}`. Complains, and discards the line or ends the shell, as bash does. */
export function* expandParameter(
  shell: Shell,
  part: ParameterPart,
  quoted: boolean,
  mode: ExpandMode,
): Task<Expanded> {
  const { operator, prefix } = part;
  if (operator.kind === "none" && prefix === "" && part.subscript === undefined && !part.bad) {
    const value = readParameter(shell, { name: part.name, subscript: undefined });
    if (value.kind === "list") return value;
    if (value.text === undefined && shell.has("nounset")) unbound(shell, part.name);
    return text(value.text ?? "");
  }
  if (part.bad) bad(shell, part);
  if (operator.kind === "names") return listNames(shell, part.name, operator.join);
  if (prefix === "!" && (part.subscript === "@" || part.subscript === "*") && operator.kind === "none") {
    const target = shell.variables.resolve(part.name) ?? part.name;
    const keys = shell.variables.find(target)?.keys() ?? [];
    return { kind: "list", items: keys, join: part.subscript };
  }
  const subscript = yield* expandSubscript(shell, part.name, part.subscript);
  const direct: Reference = { name: part.name, subscript };
  if (prefix === "!" && isPlainNameref(shell, direct) && operator.kind === "none") {
    return text(shell.variables.find(part.name)?.text ?? "");
  }
  const reference = prefix === "!" ? indirect(shell, part, direct) : direct;
  if (reference === undefined) {
    // `${!x-default}` of an unset x.
    return operator.kind === "default"
      ? yield* applyDefault(shell, part, direct, undefined, mode, quoted)
      : text("");
  }
  const value = inLocale(shell, readParameter(shell, reference), part);
  if (prefix === "#") return text(String(lengthOf(shell, part, value)));
  if (operator.kind === "default") return yield* applyDefault(shell, part, reference, value, mode, quoted);
  const isUnset = value.kind === "text" && value.text === undefined;
  const asksAttributes = operator.kind === "transform" && operator.how === "a";
  if (isUnset && shell.has("nounset") && !(asksAttributes && shell.variables.isDeclared(part.name))) {
    unbound(
      shell,
      part.subscript === undefined ? part.name : part.source.slice(2, -1).replace(/\].*$/s, "]"),
    );
  }
  if (operator.kind === "none") return value.kind === "list" ? value : text(value.text ?? "");
  if (operator.kind === "transform") return transform(shell, operator.how, reference, value, part);
  return yield* applyOperator(shell, operator, reference, value, quoted);
}

const BY_CHARACTER = new Set(["remove", "replace", "slice", "case"]);

/** In the locale `C`, what counts characters counts bytes. */
function inLocale(shell: Shell, value: ParameterValue, { prefix, operator }: ParameterPart): ParameterValue {
  if (prefix !== "#" && !BY_CHARACTER.has(operator.kind)) return value;
  const { variables } = shell;
  const name = [variables.text("LC_ALL"), variables.text("LC_CTYPE"), variables.text("LANG")].find(Boolean);
  if (name !== "C" && name !== "POSIX") return value;
  if (value.kind === "list") return { ...value, items: value.items.map((item) => splitBytes(item)) };
  return { kind: "text", text: value.text === undefined ? undefined : splitBytes(value.text) };
}

function bad(shell: Shell, part: ParameterPart): never {
  shell.complain(`${part.source}: bad substitution`);
  throw new Discard(1);
}

function isPlainNameref(shell: Shell, { name, subscript }: Reference): boolean {
  return subscript === undefined && shell.variables.find(name)?.nameref === true;
}

function indirect(shell: Shell, part: ParameterPart, direct: Reference): Reference | undefined {
  const value = readParameter(shell, direct);
  const named = value.kind === "text" ? value.text : value.items.join(" ");
  if (named === undefined || (value.kind === "list" && value.items.length === 0)) {
    if (named === undefined && shell.has("nounset")) unbound(shell, part.name);
    if (shell.variables.isDeclared(part.name) && part.subscript === undefined) return undefined;
    shell.complain(`${part.name}: invalid indirect expansion`);
    throw new Discard(1);
  }
  const reference = referenceOf(shell, named);
  if (reference === undefined) {
    shell.complain(`${named}: invalid variable name`);
    throw new Discard(1);
  }
  return reference;
}

function listNames(shell: Shell, prefix: string, join: "@" | "*"): Expanded {
  const names = [...shell.variables.visible()].filter(
    ([name, variable]) => name.startsWith(prefix) && variable.isSet,
  );
  return { kind: "list", items: names.map(([name]) => name), join };
}

function lengthOf(shell: Shell, part: ParameterPart, value: ParameterValue): number {
  if (value.kind === "list") return value.items.length;
  if (value.text === undefined && shell.has("nounset")) unbound(shell, part.name);
  return countChars(value.text ?? "");
}

function* applyDefault(
  shell: Shell,
  part: ParameterPart,
  reference: Reference,
  value: ParameterValue | undefined,
  mode: ExpandMode,
  quoted: boolean,
): Task<Expanded> {
  const { operator } = part;
  if (operator.kind !== "default") throw new Error("no default");
  const isMissing = value === undefined || isAbsent(shell, value, operator.test, quoted);
  if (operator.action === "+") {
    if (!isMissing) return { kind: "word", word: operator.operand };
    const isList = reference.name === "@" || reference.subscript === "@";
    return isList ? { kind: "list", items: [], join: "@" } : text("");
  }
  if (!isMissing && value !== undefined) return value.kind === "list" ? value : text(value.text ?? "");
  if (operator.action === "-") return { kind: "word", word: operator.operand };
  const operand = yield* expandText(shell, operator.operand);
  if (operator.action === "?") {
    const standard = operator.test === "null" ? "parameter null or not set" : "parameter not set";
    const name = part.prefix === "!" ? `!${part.name}` : part.source.slice(2).split(/:?\?/)[0];
    shell.complain(`${name ?? part.name}: ${operand === "" ? standard : operand}`);
    throw new ExitShell(
      shell.subshellDepth === 0 && shell.startFlags.includes("c") && !shell.has("errexit") ? 127 : 1,
    );
  }
  assignDefault(shell, reference, operand);
  return mode === "pattern" ? { kind: "text", text: operand } : text(operand);
}

function isAbsent(shell: Shell, value: ParameterValue, test: "unset" | "null", quoted: boolean): boolean {
  if (value.kind === "text") return value.text === undefined || (test === "null" && value.text === "");
  if (value.items.length === 0) return true;
  if (test === "unset") return false;
  // Between quotes the text counts that they are joined to.
  if (!quoted) return value.items.length === 1 && value.items[0] === "";
  const separator = value.join === "*" ? (shell.variables.text("IFS") ?? " ").slice(0, 1) : " ";
  return value.items.join(separator) === "";
}

function assignDefault(shell: Shell, { name, subscript }: Reference, value: string): void {
  if (!/^[A-Za-z_]/.test(name) || subscript === "@" || subscript === "*") {
    const shown =
      subscript === undefined
        ? `$${name}`
        : `${name}[${typeof subscript === "string" ? subscript : subscript.text}]`;
    shell.complain(
      subscript === undefined ? `${shown}: cannot assign in this way` : `${shown}: bad array subscript`,
    );
    throw new Discard(1);
  }
  try {
    assignText(shell, name, subscript?.text, value, "replace");
  } catch (error) {
    if (!(error instanceof AssignProblem)) throw error;
    shell.complain(error.message);
    throw new Discard(1);
  }
}
