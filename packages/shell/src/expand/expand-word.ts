/* oxlint-disable import/no-cycle -- words have parameters in them, and parameters have words */
import type { Part, ProcessPart, Word } from "../parse/word.ts";
import type { Argument } from "../parse/script.ts";
import { expandGlob } from "../patterns/expand-glob.ts";
import { Discard } from "../run/flow.ts";
import { exceed } from "../run/runtime.ts";
import type { Shell } from "../run/shell.ts";
import type { Task } from "../run/task.ts";
import { decodeBytes } from "../text/bytes.ts";
import { evaluate } from "../variables/assign.ts";
import { type ExpandMode, type Field, FieldBuilder } from "./field-builder.ts";
import { expandParameter } from "./expand-parameter.ts";
import { createPipe } from "../io/pipe.ts";

const NORMAL_IFS = " \t\n";

export function ifsOf(shell: Shell): string {
  return shell.variables.text("IFS") ?? NORMAL_IFS;
}

/** All words of a list of arguments: braces, expansions, splitting, files, quotes. */
export function* expandArguments(shell: Shell, args: readonly Argument[]): Task<string[]> {
  const words: string[] = [];
  for (const argument of args) yield* expandArgument(shell, argument, words);
  return words;
}

export function* expandArgument(shell: Shell, argument: Argument, into: string[]): Task<void> {
  const list = argument.kind === "words" && shell.has("braceexpand") ? argument.expanded : [argument.plain];
  if (list === undefined) exceed("expansion_limit", "A brace expansion makes too many words.");
  for (const word of list) {
    // `{,x}` leaves an empty text, which is no word.
    if (word.text === "") continue;
    if (word.constant !== undefined) into.push(word.constant);
    else yield* expandInto(shell, word, into);
  }
}

function* expandInto(shell: Shell, word: Word, into: string[]): Task<void> {
  const builder = new FieldBuilder("fields", ifsOf(shell));
  yield* addParts(shell, builder, word.parts, false);
  for (const field of builder.finish()) addField(shell, field, into);
}

function addField(shell: Shell, field: Field, into: string[]): void {
  if (field.pattern === undefined || shell.has("noglob")) {
    into.push(field.text);
    return;
  }
  const paths = expandGlob(shell, field.pattern);
  if (paths.length > 0) {
    for (const path of paths) into.push(path);
    return;
  }
  if (shell.shopts.has("failglob")) {
    shell.complain(`no match: ${field.text}`);
    throw new Discard(1);
  }
  if (!shell.shopts.has("nullglob")) into.push(field.text);
}

/** One text, without splitting: assignments, here-documents, `case` words, patterns. */
export function* expandText(
  shell: Shell,
  word: Word,
  mode: Exclude<ExpandMode, "fields"> = "text",
): Task<string> {
  if (word.constant !== undefined && mode === "text") return word.constant;
  const builder = new FieldBuilder(mode, "");
  yield* addParts(shell, builder, word.parts, false);
  return builder.text;
}

/** The value of an expression that may have expansions in it. */
export function* expandArithmetic(shell: Shell, text: Word): Task<number | bigint> {
  return evaluate(shell, text.constant ?? (yield* expandText(shell, text)));
}

export function* addParts(
  shell: Shell,
  builder: FieldBuilder,
  parts: readonly Part[],
  quoted: boolean,
  /** What stands in `${x:-…}` is split like the value of x would be. */
  source: "written" | "operand" = "written",
): Task<void> {
  for (const part of parts) {
    switch (part.kind) {
      case "literal":
        if (source === "operand" && !quoted && !part.quoted) builder.split(part.text);
        else builder.literal(part.text, quoted || part.quoted);
        if (part.quoted) builder.touch();
        break;
      case "quoted":
        if (!isOnlyList(part.parts)) builder.touch();
        yield* addParts(shell, builder, part.parts, true);
        break;
      case "tilde":
        builder.literal(expandTilde(shell, part.user), true);
        break;
      case "arithmetic":
        add(builder, String(yield* expandArithmetic(shell, part.text)), quoted);
        break;
      case "command":
        add(builder, yield* substitute(shell, part), quoted);
        break;
      case "process":
        builder.literal(openProcess(shell, part), true);
        break;
      case "parameter":
        yield* addParameter(shell, builder, part, quoted);
        break;
    }
  }
}

function add(builder: FieldBuilder, text: string, quoted: boolean): void {
  if (quoted) builder.literal(text, true);
  else builder.split(text);
}

/** `"$@"` alone may be no word at all. */
function isOnlyList(parts: readonly Part[]): boolean {
  return (
    parts.length > 0 &&
    parts.every(
      (part) =>
        part.kind === "parameter" &&
        ((part.name === "@" && part.subscript === undefined) ||
          part.subscript === "@" ||
          (part.operator.kind === "names" && part.operator.join === "@") ||
          (part.prefix === "!" && part.operator.kind === "none")) &&
        part.prefix !== "#",
    )
  );
}

function* addParameter(
  shell: Shell,
  builder: FieldBuilder,
  part: Extract<Part, { kind: "parameter" }>,
  quoted: boolean,
): Task<void> {
  const result = yield* expandParameter(shell, part, quoted, builder.mode);
  if (result.kind === "text") {
    if (quoted && builder.mode === "fields") builder.touch();
    add(builder, result.text, quoted);
  } else if (result.kind === "word") {
    if (quoted && !isOnlyList(result.word.parts)) builder.touch();
    yield* addParts(shell, builder, result.word.parts, quoted, "operand");
  } else if (result.join === "*" && (quoted || builder.mode !== "fields")) {
    if (quoted) builder.touch();
    const separator = ifsOf(shell).slice(0, 1);
    add(builder, result.items.join(separator), quoted);
  } else if (!quoted && builder.mode === "fields" && /^[^ \t\n]/.test(ifsOf(shell))) {
    // Empty ones between two others are kept where the separator is no blank.
    builder.split(result.items.join(ifsOf(shell).slice(0, 1)));
  } else {
    for (const [i, item] of result.items.entries()) {
      if (i > 0) builder.next();
      if (quoted) builder.touch();
      add(builder, item, quoted);
    }
  }
}

function* substitute(shell: Shell, part: Extract<Part, { kind: "command" }>): Task<string> {
  const script = part.script();
  const bytes = yield* shell.engine.substitute(shell, script, part.mode);
  return textOfOutput(shell, bytes);
}

/** The text of a substitution: without NUL, and without newlines at its end. */
function textOfOutput(shell: Shell, bytes: Uint8Array): string {
  let clean = bytes;
  if (bytes.includes(0)) {
    shell.complain("warning: command substitution: ignored null byte in input");
    clean = bytes.filter((byte) => byte !== 0);
  }
  let end = clean.length;
  while (end > 0 && clean[end - 1] === 10) end -= 1;
  return decodeBytes(clean.subarray(0, end));
}

/** `~`, `~+`, `~-`, `~user`; what is nobody's home stays as it is. */
function expandTilde(shell: Shell, user: string): string {
  if (user === "") return shell.variables.text("HOME") ?? "/home/user";
  if (user === "+") return shell.variables.text("PWD") ?? shell.cwd;
  if (user === "-") return shell.variables.text("OLDPWD") ?? "~-";
  const numbered = /^([+-]?)(\d+)$/.exec(user);
  if (numbered !== null) {
    const stack = [shell.cwd, ...shell.directories];
    const at = Number(numbered[2]);
    return stack[numbered[1] === "-" ? stack.length - 1 - at : at] ?? `~${user}`;
  }
  return user === "root" ? "/root" : `~${user}`;
}

const HIGHEST = 63;

/** Starts what is in `<(…)` or `>(…)`; gives the path of its other end. */
function openProcess(shell: Shell, part: ProcessPart): string {
  const { reader, writer } = createPipe();
  let descriptor = HIGHEST;
  while (shell.descriptors.get(descriptor) !== undefined) descriptor -= 1;
  const script = part.script();
  const theirs = part.direction === "<" ? { at: 1, channel: writer } : { at: 0, channel: reader };
  const ours = part.direction === "<" ? reader : writer;
  const { done, pid } = shell.engine.startBeside(shell, (inner) => {
    inner.descriptors.set(theirs.at, theirs.channel);
    return shell.engine.runScript(inner, script);
  });
  // Nobody may wait for it any more when the script ends it.
  done.catch(() => undefined);
  shell.descriptors.set(descriptor, ours);
  shell.lastBackground = pid;
  shell.substituted.push({ descriptor, direction: part.direction, done });
  return `/dev/fd/${String(descriptor)}`;
}
