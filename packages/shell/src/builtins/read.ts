/* oxlint-disable no-unmodified-loop-condition -- the conditions that do not change say when there is no loop at all */
import { ifsOf } from "../expand/expand-word.ts";
import { joinChunks } from "../io/channel.ts";
import type { Shell } from "../run/shell.ts";
import { type Task, wait } from "../run/task.ts";
import { decodeBytes, encodeText, sequenceLength } from "../text/bytes.ts";
import { AssignProblem, assignText, evaluate, parseReference } from "../variables/assign.ts";
import { assignArray } from "../variables/assign-array.ts";
import { type BuiltinTable, readFlags, refuse } from "./builtin.ts";
import { readRecord } from "./read-line.ts";

function* read(shell: Shell, words: readonly string[]): Task<number> {
  const options = readFlags(
    shell,
    words,
    "a:d:eEi:n:N:p:rst:u:",
    "read [-Eers] [-a array] [-d delim] [-i text] [-n nchars] [-N nchars] [-p prompt] [-t timeout] [-u fd] [name ...]",
  );
  if (options === undefined) return 2;
  const { flags, rest } = options;
  for (const name of rest) {
    if (parseReference(name) === undefined)
      return refuse(shell, "read", `\`${name}': not a valid identifier`);
  }
  const descriptor = Number(flags.get("u") ?? 0);
  if (shell.channel(descriptor)?.readable !== true) {
    return refuse(
      shell,
      "read",
      `${flags.has("u") ? `${String(descriptor)}: invalid file descriptor: ` : "read error: 0: "}Bad file descriptor`,
    );
  }
  const timeout = flags.get("t");
  if (timeout !== undefined && !/^\d*\.?\d*$/.test(timeout))
    return refuse(shell, "read", `${timeout}: invalid timeout specification`);
  if (timeout !== undefined && timeout !== "" && Number(timeout) === 0) return 0;
  const delimiter = flags.has("d") ? (encodeText(flags.get("d") ?? "")[0] ?? 0) : 10;
  const raw = flags.has("r");
  const count = flags.get("N") ?? flags.get("n");
  if (count !== undefined && !/^\d+$/.test(count)) return refuse(shell, "read", `${count}: invalid number`);
  const got =
    count === undefined
      ? yield* readText(shell, descriptor, delimiter, raw)
      : yield* readChars(shell, descriptor, Number(count), flags.has("N") ? -1 : delimiter, raw);
  try {
    store(shell, got.text, got.escaped, flags, rest);
  } catch (error) {
    if (!(error instanceof AssignProblem)) throw error;
    shell.complain(error.message);
    return 1;
  }
  return got.complete ? 0 : 1;
}

interface Got {
  readonly text: string;
  /** Positions of characters that a backslash quoted. */
  readonly escaped: ReadonlySet<number>;
  readonly complete: boolean;
}

function* readText(shell: Shell, descriptor: number, delimiter: number, raw: boolean): Task<Got> {
  let text = "";
  const escaped = new Set<number>();
  for (;;) {
    const record = yield* readRecord(shell, descriptor, delimiter);
    if (record === undefined) return { text, escaped, complete: false };
    const line = decodeBytes(
      record.bytes.includes(0) ? record.bytes.filter((byte) => byte !== 0) : record.bytes,
    );
    if (raw) return { text: line, escaped, complete: record.complete };
    let goesOn = false;
    for (let i = 0; i < line.length; i += 1) {
      if (line.charAt(i) !== "\\") {
        text += line.charAt(i);
        continue;
      }
      if (i + 1 === line.length) {
        goesOn = record.complete;
        if (goesOn && delimiter !== 10) {
          // Only a newline goes with its backslash; another delimiter is then a character like others.
          escaped.add(text.length);
          text += String.fromCharCode(delimiter);
        }
        continue;
      }
      if (line.charAt(i + 1) === "\n") {
        i += 1;
        continue;
      }
      escaped.add(text.length);
      text += line.charAt(i + 1);
      i += 1;
    }
    if (!goesOn) return { text, escaped, complete: record.complete };
  }
}

function* readChars(
  shell: Shell,
  descriptor: number,
  count: number,
  delimiter: number,
  raw: boolean,
): Task<Got> {
  const channel = shell.channel(descriptor);
  const chunks: Uint8Array[] = [];
  const escaped = new Set<number>();
  let left = count;
  let quoted = false;
  let units = 0;
  let complete = count === 0;
  while (left > 0 && channel !== undefined) {
    const one = channel.read(1);
    const first = one instanceof Uint8Array ? one : yield* wait(one);
    const [byte] = first;
    if (byte === undefined) break;
    if (byte === 0 && delimiter !== 0) continue;
    if (byte === delimiter && !quoted) {
      complete = true;
      break;
    }
    if (byte === 92 && !raw && !quoted) {
      quoted = true;
      continue;
    }
    if (quoted) escaped.add(units);
    if (quoted && byte === 10) {
      quoted = false;
      continue;
    }
    quoted = false;
    const bytes = [byte];
    while (sequenceLength(Uint8Array.from(bytes), 0) === 0 && bytes.length < 4 && byte >= 0xc2) {
      const more = channel.read(1);
      const next = more instanceof Uint8Array ? more : yield* wait(more);
      const [value] = next;
      if (value === undefined) break;
      bytes.push(value);
    }
    chunks.push(Uint8Array.from(bytes));
    units += 1;
    left -= 1;
    if (left === 0) complete = true;
  }
  return { text: decodeBytes(joinChunks(chunks)), escaped, complete };
}

function store(
  shell: Shell,
  text: string,
  escaped: ReadonlySet<number>,
  flags: ReadonlyMap<string, string>,
  names: readonly string[],
): void {
  const array = flags.get("a");
  const ifs = ifsOf(shell);
  if (array !== undefined) {
    const fields = splitFields(text, escaped, ifs, Number.POSITIVE_INFINITY);
    assignArray(
      shell,
      array,
      fields.map((value) => ({ key: undefined, value, append: false })),
      "replace",
    );
    return;
  }
  if (names.length === 0 || flags.has("N")) {
    const [name = "REPLY", ...others] = names;
    put(shell, name, text);
    for (const other of others) put(shell, other, "");
    return;
  }
  const fields = splitFields(text, escaped, ifs, names.length);
  for (const [i, name] of names.entries()) put(shell, name, fields[i] ?? "");
}

function put(shell: Shell, target: string, value: string): void {
  const reference = parseReference(target);
  if (reference !== undefined) assignText(shell, reference.name, reference.subscript, value, "replace");
}

/** Splits as `read` does: the last field takes what is left. */
function splitFields(
  text: string,
  escaped: ReadonlySet<number>,
  ifs: string,
  most: number,
): readonly string[] {
  const isIfs = (i: number): boolean => ifs.includes(text.charAt(i)) && !escaped.has(i);
  const isSpace = (i: number): boolean => isIfs(i) && /[ \t\n]/.test(text.charAt(i));
  let end = text.length;
  while (end > 0 && isSpace(end - 1)) end -= 1;
  let i = 0;
  while (i < end && isSpace(i)) i += 1;
  const fields: string[] = [];
  while (i < end) {
    if (fields.length === most - 1) {
      // One delimiter at the very end of the last field is dropped if it is the only one in it.
      let last = text.slice(i, end);
      const at = Array.from({ length: end - i }, (_, k) => i + k).find((k) => isIfs(k) && !isSpace(k));
      if (at === end - 1) {
        let stop = end - 1;
        while (stop > i && isSpace(stop - 1)) stop -= 1;
        last = text.slice(i, stop);
      }
      fields.push(last);
      return fields;
    }
    let stop = i;
    while (stop < end && !isIfs(stop)) stop += 1;
    fields.push(text.slice(i, stop));
    i = stop;
    while (i < end && isSpace(i)) i += 1;
    if (i < end && isIfs(i)) {
      i += 1;
      while (i < end && isSpace(i)) i += 1;
    }
  }
  return fields;
}

function* mapfile(shell: Shell, words: readonly string[]): Task<number> {
  const options = readFlags(shell, words, "d:n:O:s:tu:C:c:");
  if (options === undefined) return 2;
  const { flags, rest } = options;
  const [name = "MAPFILE"] = rest;
  const descriptor = Number(flags.get("u") ?? 0);
  const delimiter = flags.has("d") ? (encodeText(flags.get("d") ?? "")[0] ?? 0) : 10;
  const most = Number(flags.get("n") ?? 0);
  let skip = Number(flags.get("s") ?? 0);
  const from = Number(evaluate(shell, flags.get("O") ?? "0"));
  const lines: string[] = [];
  while (most === 0 || lines.length < most) {
    const record = yield* readRecord(shell, descriptor, delimiter);
    if (record === undefined) break;
    if (skip > 0) {
      skip -= 1;
      continue;
    }
    const end = record.complete && !flags.has("t") ? String.fromCharCode(delimiter) : "";
    // What C reads of it ends with a NUL.
    const nul = record.bytes.indexOf(0);
    const text = nul === -1 ? decodeBytes(record.bytes) + end : decodeBytes(record.bytes.subarray(0, nul));
    lines.push(text.endsWith("\0") ? text.slice(0, -1) : text);
    const callback = flags.get("C");
    const every = Number(flags.get("c") ?? 5000);
    if (callback !== undefined && lines.length % every === 0) {
      yield* shell.engine.runText(
        shell,
        `${callback} ${String(from + lines.length - 1)} ${JSON.stringify(lines.at(-1) ?? "")}`,
      );
    }
  }
  const elements = lines.map((value, i) => ({ key: String(from + i), value, append: false }));
  try {
    assignArray(shell, name, elements, flags.has("O") ? "append" : "replace");
  } catch (error) {
    if (!(error instanceof AssignProblem)) throw error;
    return refuse(shell, "mapfile", error.message);
  }
  return 0;
}

export const readBuiltins: BuiltinTable = { read, mapfile, readarray: mapfile };
