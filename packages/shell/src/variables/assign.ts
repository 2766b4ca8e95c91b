import type { ArithmeticVariables } from "../arithmetic/arithmetic.ts";
import { ArithmeticProblem } from "../arithmetic/parse-arithmetic.ts";
import type { Value } from "../arithmetic/value.ts";
import { expandNow } from "../expand/expand-now.ts";
import { Discard } from "../run/flow.ts";
import type { Shell } from "../run/shell.ts";
import type { Variable } from "./variable.ts";

/** Why something cannot be assigned, in bash's words. */
export class AssignProblem extends Error {}

/** Sorts `name[subscript]` out. */
export function parseReference(
  text: string,
): { readonly name: string; readonly subscript: string | undefined } | undefined {
  const match = /^([A-Za-z_][A-Za-z0-9_]*)(?:\[(.+)\])?$/s.exec(text);
  return match === null ? undefined : { name: match[1] ?? "", subscript: match[2] };
}

/**
 * The same for a text that turned up at run time, as `unset 'a[$i]'` has it: what its subscript says is expanded first.
 * Undefined if it names nothing.
 */
export function dynamicReference(shell: Shell, text: string): ReturnType<typeof parseReference> {
  const parsed = parseReference(text);
  if (parsed?.subscript === undefined) return parsed;
  return { name: parsed.name, subscript: expandNow(shell, parsed.subscript, "word") };
}

export const isName = (text: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*$/.test(text);

/** Evaluates an expression with the variables of this shell. Complains and discards the line if it is wrong. */
export function evaluate(shell: Shell, text: string): Value {
  try {
    return shell.runtime.arithmetic.evaluate(text, arithmeticVariables(shell));
  } catch (error) {
    if (!(error instanceof ArithmeticProblem)) throw error;
    shell.complain(error.message);
    throw new Discard(1);
  }
}

/** The variables of a shell as expressions see them. */
export function arithmeticVariables(shell: Shell): ArithmeticVariables {
  return {
    get(place) {
      if (place.subscript === undefined) {
        const variable = shell.variables.find(place.name);
        const text = variable?.nameref === true ? readReference(shell, place.name) : variable?.scalar();
        if (text === undefined && shell.has("nounset")) unbound(shell, place.name);
        return text;
      }
      if (shell.has("nounset") && shell.variables.find(place.name) === undefined)
        unbound(shell, `${place.name}[${place.subscript}]`);
      return readElement(shell, place.name, expandNow(shell, place.subscript, "word"));
    },
    set(place, value) {
      const subscript = place.subscript === undefined ? undefined : expandNow(shell, place.subscript, "word");
      assignOrDiscard(shell, place.name, subscript, value);
    },
  };
}

export function unbound(shell: Shell, name: string): never {
  shell.complain(`${name}: unbound variable`);
  if (shell.startFlags.includes("i")) throw new Discard(1);
  throw new UnboundExit();
}

/** `set -u` ended the shell. */
export class UnboundExit extends Error {}

/** The text behind a name that may be a nameref, to an element even. */
export function readReference(shell: Shell, name: string): string | undefined {
  const target = shell.variables.resolve(name);
  if (target === undefined || target === name) return undefined;
  const reference = dynamicReference(shell, target);
  if (reference === undefined) return undefined;
  if (reference.subscript === undefined) return shell.variables.find(reference.name)?.scalar();
  return readElement(shell, reference.name, reference.subscript);
}

export function readElement(shell: Shell, name: string, subscript: string): string | undefined {
  const target = shell.variables.resolve(name) ?? name;
  const variable = shell.variables.find(target);
  if (variable === undefined) {
    if (subscript !== "") evaluate(shell, subscript);
    return undefined;
  }
  if (variable.shape === "associative") return variable.map?.get(subscript);
  const index = indexOf(shell, variable, target, subscript);
  if (index === undefined) return undefined;
  return variable.shape === "indexed" ? variable.list?.get(index) : index === 0 ? variable.text : undefined;
}

/** The place in an indexed array; negative ones count from behind. Complains and gives undefined if there is none. */
export function indexOf(
  shell: Shell,
  variable: Variable | undefined,
  name: string,
  subscript: string,
): number | undefined {
  const value = Number(evaluate(shell, subscript));
  if (value >= 0) return value;
  const last = variable?.shape === "indexed" ? (variable.list?.max ?? -1) : 0;
  const index = last + 1 + value;
  if (index < 0) {
    shell.complain(`${name}: bad array subscript`);
    return undefined;
  }
  return index;
}

/** What the attributes make of a text. */
export function withAttributes(shell: Shell, variable: Variable, text: string): string {
  if (variable.integer) return String(evaluate(shell, text));
  if (variable.lower) return text.toLowerCase();
  if (variable.upper) return text.toUpperCase();
  if (variable.capital) return text.charAt(0).toUpperCase() + text.slice(1).toLowerCase();
  return text;
}

export function assignOrDiscard(
  shell: Shell,
  name: string,
  subscript: string | undefined,
  value: string,
): void {
  try {
    assignText(shell, name, subscript, value, "replace");
  } catch (error) {
    if (!(error instanceof AssignProblem)) throw error;
    shell.complain(error.message);
    throw new Discard(1);
  }
}

/** Assigns to a variable, or to the element that `subscript` (already expanded) names. Throws `AssignProblem`. */
export function assignText(
  shell: Shell,
  name: string,
  subscript: string | undefined,
  value: string,
  how: "replace" | "append",
): void {
  const target = resolveTarget(shell, name, value);
  if (target === undefined) return;
  if (subscript !== undefined && target.subscript !== undefined)
    throw new AssignProblem(`\`${target.name}[${target.subscript}]': not a valid identifier`);
  const element = subscript ?? target.subscript;
  const variable = shell.variables.find(target.name) ?? shell.variables.declareGlobal(target.name);
  assignVariable(shell, variable, target.name, element, value, how);
  if (shell.has("allexport")) variable.exported = true;
}

/** Where an assignment to a name goes. Undefined if it was given to the nameref itself. */
function resolveTarget(
  shell: Shell,
  name: string,
  value: string,
): { readonly name: string; readonly subscript: string | undefined } | undefined {
  const variable = shell.variables.find(name);
  if (variable?.nameref !== true) return { name, subscript: undefined };
  if (variable.text === undefined || variable.text === "") {
    if (variable.readonly) throw new AssignProblem(`${name}: readonly variable`);
    if (parseReference(value) === undefined) {
      throw new AssignProblem(`\`${value}': not a valid identifier`);
    }
    variable.text = value;
    return undefined;
  }
  const target = shell.variables.resolve(name);
  if (target === undefined) {
    shell.complain(`warning: ${name}: circular name reference`);
    throw new AssignProblem(`${name}: maximum nameref depth exceeded`);
  }
  return dynamicReference(shell, target) ?? { name, subscript: undefined };
}

/** As `assignText`, to this very variable. */
export function assignVariable(
  shell: Shell,
  variable: Variable,
  name: string,
  subscript: string | undefined,
  value: string,
  how: "replace" | "append",
): void {
  if (variable.readonly) throw new AssignProblem(`${name}: readonly variable`);
  if (variable.taken !== undefined && subscript === undefined) {
    variable.taken(value);
    return;
  }
  if (variable.shape === "associative") {
    const key = subscript ?? "0";
    const map = variable.ownMap();
    map.set(key, joined(shell, variable, map.get(key), value, how));
    return;
  }
  if (subscript === undefined && variable.shape === "scalar") {
    variable.text = joined(shell, variable, variable.text, value, how);
    return;
  }
  const index = subscript === undefined ? 0 : indexOf(shell, variable, `${name}[${subscript}]`, subscript);
  if (index === undefined) throw new Discard(1);
  const list = makeIndexed(variable);
  list.set(index, joined(shell, variable, list.get(index), value, how));
}

/** Turns a scalar into an array whose first element it is. */
export function makeIndexed(variable: Variable): ReturnType<Variable["ownList"]> {
  if (variable.shape === "scalar") {
    variable.shape = "indexed";
    const list = variable.ownList();
    if (variable.text !== undefined) list.set(0, variable.text);
    variable.text = undefined;
  }
  return variable.ownList();
}

function joined(
  shell: Shell,
  variable: Variable,
  before: string | undefined,
  value: string,
  how: "replace" | "append",
): string {
  if (how === "replace") return withAttributes(shell, variable, value);
  if (variable.integer)
    return String(evaluate(shell, `(${before === undefined || before === "" ? "0" : before})+(${value})`));
  return withAttributes(shell, variable, (before ?? "") + value);
}
