import type { ArrayLiteral } from "../parse/script.ts";
import { expandArgument, expandText } from "../expand/expand-word.ts";
import type { Shell } from "../run/shell.ts";
import type { Task } from "../run/task.ts";
import { AssignProblem, indexOf, makeIndexed, parseReference, withAttributes } from "./assign.ts";
import type { Variable } from "./variable.ts";

/** An element of `(…)`, expanded. */
export interface Element {
  readonly key: string | undefined;
  readonly value: string;
  readonly append: boolean;
}

export function* expandElements(
  shell: Shell,
  name: string,
  literal: ArrayLiteral,
  shape?: Variable["shape"],
): Task<readonly Element[]> {
  const target = shell.variables.resolve(name) ?? name;
  const isKeyed = (shape ?? shell.variables.find(target)?.shape) === "associative";
  const elements: Element[] = [];
  for (const element of literal.elements) {
    if (element.kind === "keyed") {
      const key = yield* expandText(shell, element.subscript);
      elements.push({ key, value: yield* expandText(shell, element.value), append: element.append });
      continue;
    }
    const words: string[] = [];
    yield* expandArgument(shell, element.argument, words);
    for (const value of words) elements.push({ key: undefined, value, append: false });
  }
  if (!isKeyed || elements.some(({ key }) => key !== undefined)) return elements;
  // `A=(k v k v)`: keys and values in turn.
  const pairs: Element[] = [];
  for (let i = 0; i < elements.length; i += 2) {
    pairs.push({ key: elements[i]?.value ?? "", value: elements[i + 1]?.value ?? "", append: false });
  }
  return pairs;
}

export function assignArray(
  shell: Shell,
  name: string,
  elements: readonly Element[],
  how: "replace" | "append",
): void {
  const target = parseReference(shell.variables.resolve(name) ?? name)?.name ?? name;
  const variable = shell.variables.find(target) ?? shell.variables.declareGlobal(target);
  assignElements(shell, variable, target, elements, how);
  if (shell.has("allexport")) variable.exported = true;
}

export function assignElements(
  shell: Shell,
  variable: Variable,
  name: string,
  elements: readonly Element[],
  how: "replace" | "append",
): void {
  if (variable.readonly) throw new AssignProblem(`${name}: readonly variable`);
  if (variable.shape === "associative") {
    const before = variable.map;
    if (how === "replace") variable.map = undefined;
    const map = variable.ownMap();
    for (const { key, value, append } of elements) {
      if (key === undefined) {
        shell.complain(`${name}: ${value}: must use subscript when assigning associative array`);
        continue;
      }
      const old = append ? ((how === "append" ? before : map)?.get(key) ?? "") : "";
      map.set(key, withAttributes(shell, variable, old + value));
    }
    return;
  }
  if (how === "replace") {
    variable.text = undefined;
    variable.list = undefined;
    variable.shape = "indexed";
  }
  const list = makeIndexed(variable);
  let next = list.max + 1;
  for (const { key, value, append } of elements) {
    if (key !== undefined) {
      const index = indexOf(shell, variable, `${name}[${key}]`, key);
      if (index === undefined) continue;
      next = index;
    }
    const before = append ? (list.get(next) ?? "") : "";
    const text = variable.integer && append ? `(${before === "" ? "0" : before})+(${value})` : before + value;
    list.set(next, withAttributes(shell, variable, text));
    next += 1;
  }
}
