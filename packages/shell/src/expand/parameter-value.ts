/* oxlint-disable import/no-cycle -- words have parameters in them, and parameters have words */
import type { Subscript } from "../parse/word.ts";
import type { Shell } from "../run/shell.ts";
import { SET_OPTIONS } from "../run/shell-options.ts";
import type { Task } from "../run/task.ts";
import { parseReference, readElement } from "../variables/assign.ts";
import { expandNow, wordOf } from "./expand-now.ts";
import { expandText } from "./expand-word.ts";

/** What a parameter holds: one text, or a list for `$@`, `$*`, `${a[@]}` and `${a[*]}`. */
export type ParameterValue =
  | { readonly kind: "text"; readonly text: string | undefined }
  | { readonly kind: "list"; readonly items: readonly string[]; readonly join: "@" | "*" };

/** A parameter with its subscript expanded. */
export interface Reference {
  readonly name: string;
  readonly subscript: "@" | "*" | { readonly text: string } | undefined;
}

export function* expandSubscript(
  shell: Shell,
  name: string,
  subscript: Subscript | undefined,
): Task<Reference["subscript"]> {
  if (subscript === undefined || subscript === "@" || subscript === "*") return subscript;
  const target = shell.variables.resolve(name) ?? name;
  const isKeyed = shell.variables.find(target)?.shape === "associative";
  // In an expression, single quotes are characters like others.
  const isQuoted = !isKeyed && /(?:^|[^$])'/.test(subscript.text);
  const word = isQuoted ? wordOf(shell, subscript.text, "arithmetic") : subscript;
  const text = yield* expandText(shell, word);
  return { text: isKeyed ? text : text.trim() === "" ? "0" : text };
}

/** `name`, `name[1]`, `@`, `3` … as the value of another variable has it. */
export function referenceOf(shell: Shell, text: string): Reference | undefined {
  if (/^(?:[0-9]+|[@*#?$!-])$/.test(text)) return { name: text, subscript: undefined };
  const parsed = parseReference(text);
  if (parsed === undefined) return undefined;
  const { name, subscript } = parsed;
  if (subscript === "@" || subscript === "*") return { name, subscript };
  if (subscript === undefined) return { name, subscript };
  return { name, subscript: { text: expandNow(shell, subscript, "word") } };
}

export function readParameter(shell: Shell, reference: Reference): ParameterValue {
  const { name, subscript } = reference;
  if (subscript === undefined) {
    if (name === "@" || name === "*") return { kind: "list", items: shell.positional, join: name };
    const special = readSpecial(shell, name);
    if (special !== undefined) return { kind: "text", text: special.text };
  }
  const variable = shell.variables.find(name);
  if (variable?.nameref === true) return readNameref(shell, reference);
  if (subscript === undefined) return { kind: "text", text: variable?.scalar() };
  if (subscript === "@" || subscript === "*")
    return { kind: "list", items: variable?.values() ?? [], join: subscript };
  return { kind: "text", text: readElement(shell, name, subscript.text) };
}

function readNameref(shell: Shell, { name, subscript }: Reference): ParameterValue {
  const target = shell.variables.resolve(name);
  if (target === undefined) {
    shell.complain(`warning: ${name}: circular name reference`);
    return { kind: "text", text: undefined };
  }
  if (target === name) return { kind: "text", text: undefined };
  const other = referenceOf(shell, target);
  if (other === undefined) return { kind: "text", text: undefined };
  return readParameter(shell, subscript === undefined ? other : { name: other.name, subscript });
}

function readSpecial(shell: Shell, name: string): { readonly text: string | undefined } | undefined {
  const code = name.charCodeAt(0);
  if (code >= 48 && code <= 57) {
    return { text: name === "0" ? shell.name : shell.positional[Number(name) - 1] };
  }
  switch (name) {
    case "?":
      return { text: String(shell.status) };
    case "#":
      return { text: String(shell.positional.length) };
    case "$":
      return { text: shell.variables.find("$")?.text ?? "1" };
    case "!":
      return { text: shell.lastBackground === undefined ? undefined : String(shell.lastBackground) };
    case "-":
      return { text: flagsOf(shell) };
    default:
      return undefined;
  }
}

/** `$-` */
export function flagsOf(shell: Shell): string {
  const letters = Object.entries(SET_OPTIONS)
    .filter(([name, letter]) => letter !== "" && shell.has(name))
    .map(([, letter]) => letter);
  const lower = letters.filter((letter) => letter >= "a").sort();
  const upper = letters.filter((letter) => letter < "a").sort();
  return lower.join("") + upper.join("") + shell.startFlags;
}
