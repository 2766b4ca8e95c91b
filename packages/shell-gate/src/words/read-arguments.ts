import { type Argument, known } from "./argument.ts";
import type { CommandContext, CommandSpec, ReadArguments, Role } from "../command-spec.ts";

/**
 * Reads arguments as GNU programs do: options anywhere, joined letters, `--name=value`, `--` ends them. Asks for
 * every option the spec does not name, and judges the values of those it does.
 */
export function readArguments(
  context: CommandContext,
  spec: CommandSpec,
  words: readonly Argument[],
): ReadArguments {
  const options: { readonly name: string; readonly value: Argument | undefined }[] = [];
  const operands: Argument[] = [];
  const rest = [...words].reverse();
  const add = (name: string, value: Argument | undefined, role: Role | undefined): void => {
    options.push({ name, value });
    if (value !== undefined && role !== undefined)
      judgeValue(context, value, role, `option \`${name}\` of \`${context.name}\``);
  };
  const next = (name: string): Argument | undefined => {
    const value = rest.pop();
    if (value === undefined) context.ask(`option \`${name}\` of \`${context.name}\` has no value`);
    else if (value.kind === "unknown" && value.count === "many")
      context.ask(
        `the value of option \`${name}\` of \`${context.name}\` may be several words: ${value.why}`,
      );
    return value;
  };
  const readLong = (text: string): void => {
    const [name = "", ...parts] = text.slice(2).split("=");
    const attached = parts.length > 0 ? known(parts.join("="), "expanded") : undefined;
    const role =
      spec.longValues !== undefined && Object.hasOwn(spec.longValues, name)
        ? spec.longValues[name]
        : undefined;
    if (role !== undefined) add(`--${name}`, attached ?? next(`--${name}`), role);
    else if (listed(spec.longOptional, name)) add(`--${name}`, attached, "data");
    else if (attached === undefined && (listed(spec.long, name) || listed("help version", name)))
      add(`--${name}`, undefined, undefined);
    else context.ask(`option \`${text}\` of \`${context.name}\` is not one that is known to be harmless`);
  };
  const readShort = (text: string): void => {
    for (let index = 1; index < text.length; index++) {
      const letter = text[index] ?? "";
      const attached = text.slice(index + 1);
      if (/[\w@#]/.test(letter) && (spec.flags ?? "").includes(letter)) {
        add(letter, undefined, undefined);
        continue;
      }
      const role =
        spec.values !== undefined && Object.hasOwn(spec.values, letter) ? spec.values[letter] : undefined;
      if (role !== undefined)
        add(letter, attached === "" ? next(`-${letter}`) : known(attached, "expanded"), role);
      else if ((spec.optional ?? "").includes(letter)) add(letter, known(attached), "data");
      else
        context.ask(`option \`-${letter}\` of \`${context.name}\` is not one that is known to be harmless`);
      return;
    }
  };

  for (let word = rest.pop(); word !== undefined; word = rest.pop()) {
    const text = word.kind === "known" ? word.text : undefined;
    if (word.kind === "unknown" && word.start === "any" && spec.anyWord === undefined)
      context.ask(`\`${context.name}\` is given a word that may be an option: ${word.why}`);
    if (text === "--") {
      operands.push(...rest.reverse());
      break;
    }
    if (text === undefined || text === "-" || !text.startsWith("-")) {
      operands.push(word);
      if (spec.stopsAtOperand === undefined) continue;
      operands.push(...rest.reverse());
      break;
    }
    if (spec.takesNumber !== undefined && /^-\d+$/.test(text))
      options.push({ name: "number", value: known(text.slice(1)) });
    else if (text.startsWith("--")) readLong(text);
    else readShort(text);
  }
  return { options, operands };
}

export function judgeValue(context: CommandContext, value: Argument, role: Role, what: string): void {
  if (role === "data") {
    if (value.kind === "pipe") context.ask(`${what} is a process substitution`);
    return;
  }
  if (role !== "known") return void (isStandardStream(value) || context.path(value, role));
  if (value.kind !== "known") context.ask(`${what} is not known before it runs`);
}

/** `-` is standard input or output to every command here that takes paths. */
function isStandardStream(value: Argument): boolean {
  return value.kind === "known" && value.text === "-";
}

/** Judges operands by the roles the spec gives them. */
export function judgeOperands(context: CommandContext, spec: CommandSpec, read: ReadArguments): void {
  const { operands } = spec;
  if (typeof operands === "function") return operands(context, read);
  const roles = operands === "none" ? [] : typeof operands === "string" ? undefined : operands;
  if (roles !== undefined && read.operands.length > roles.length)
    context.ask(`\`${context.name}\` is given more words than it is known to take`);
  if (
    roles !== undefined &&
    roles.length > 0 &&
    read.operands.some((word) => word.kind === "unknown" && word.count === "many")
  )
    context.ask(`\`${context.name}\` is given words whose number is not known`);
  for (const [index, word] of read.operands.entries()) {
    const role = roles === undefined ? (operands as Role) : roles[index];
    if (role !== undefined) judgeValue(context, word, role, `a word of \`${context.name}\``);
  }
}

function listed(names: string | undefined, name: string): boolean {
  return name !== "" && names !== undefined && names.split(" ").includes(name);
}
