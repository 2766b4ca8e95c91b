import { FileSystemError, type OpenFile, type OpenOptions } from "@deputy/vfs";
import { expandArgument, expandText } from "../expand/expand-word.ts";
import { absolutePath } from "../files/paths.ts";
import { type Channel, fromBytes } from "../io/channel.ts";
import type { Redirect } from "../parse/script.ts";
import { encodeText } from "../text/bytes.ts";
import { assignOrDiscard } from "../variables/assign.ts";
import type { Shell } from "./shell.ts";
import type { Task } from "./task.ts";

/** A redirection that failed; the command does not run. */
export class RedirectProblem extends Error {}

/** What to put back afterwards. */
export interface Saved {
  readonly descriptor: number;
  readonly channel: Channel | undefined;
}

/** Applies redirections in order; throws `RedirectProblem` with those before it undone. */
export function* applyRedirects(shell: Shell, redirects: readonly Redirect[]): Task<Saved[]> {
  const saved: Saved[] = [];
  try {
    for (const redirect of redirects) yield* applyOne(shell, redirect, saved);
  } catch (error) {
    restore(shell, saved);
    throw error;
  }
  return saved;
}

export function restore(shell: Shell, saved: readonly Saved[]): void {
  for (const { descriptor, channel } of saved.toReversed()) {
    if (channel === undefined) shell.descriptors.close(descriptor);
    else shell.descriptors.set(descriptor, channel);
  }
}

/** Keeps redirections, as `exec >file` does. */
export function keep(saved: readonly Saved[]): void {
  for (const { channel } of saved) channel?.release();
}

function put(shell: Shell, descriptor: number, channel: Channel, saved: Saved[]): void {
  saved.push({ descriptor, channel: shell.descriptors.take(descriptor) });
  shell.descriptors.set(descriptor, channel);
}

function* applyOne(shell: Shell, redirect: Redirect, saved: Saved[]): Task<void> {
  const { operator } = redirect;
  if (operator === "<<" || operator === "<<<") {
    const text = yield* expandText(shell, redirect.target);
    const bytes = encodeText(operator === "<<<" ? `${text}\n` : text);
    put(shell, descriptorOf(shell, redirect, 0), fromBytes(bytes), saved);
    return;
  }
  const target = yield* expandTarget(shell, redirect);
  if (operator === "<&" || operator === ">&") {
    duplicate(shell, redirect, target, saved);
    return;
  }
  if (operator === "&>" || operator === "&>>") {
    const channel = openPath(shell, target, operator === "&>" ? ">" : ">>");
    put(shell, 1, channel, saved);
    put(shell, 2, channel.hold(), saved);
    return;
  }
  const standard = operator === "<" || operator === "<>" ? 0 : 1;
  const channel = openPath(shell, target, operator);
  put(shell, descriptorOf(shell, redirect, standard), channel, saved);
}

function* expandTarget(shell: Shell, redirect: Redirect): Task<string> {
  const words: string[] = [];
  yield* expandArgument(shell, { kind: "words", expanded: [redirect.target], plain: redirect.target }, words);
  const [only] = words;
  if (words.length !== 1 || only === undefined)
    throw new RedirectProblem(`${redirect.target.text}: ambiguous redirect`);
  return only;
}

/** `{name}>` gets a new descriptor from 10 on, and the variable its number. */
function descriptorOf(shell: Shell, { descriptor }: Redirect, standard: number): number {
  if (typeof descriptor === "number") return descriptor;
  if (descriptor === undefined) return standard;
  const free = shell.descriptors.free(10);
  const match = /^([A-Za-z_]\w*)(?:\[(.*)\])?$/.exec(descriptor);
  assignOrDiscard(shell, match?.[1] ?? descriptor, match?.[2], String(free));
  return free;
}

function duplicate(shell: Shell, redirect: Redirect, target: string, saved: Saved[]): void {
  const standard = redirect.operator === "<&" ? 0 : 1;
  if (target === "-") {
    const descriptor =
      typeof redirect.descriptor === "string"
        ? Number(shell.variables.text(redirect.descriptor) ?? "-1")
        : (redirect.descriptor ?? standard);
    const channel = shell.descriptors.take(descriptor);
    if (typeof redirect.descriptor === "string") channel?.release();
    else saved.push({ descriptor, channel });
    return;
  }
  const move = /^(\d+)(-?)$/.exec(target);
  if (move === null) {
    if (redirect.operator === ">&" && (redirect.descriptor === undefined || redirect.descriptor === 1)) {
      const channel = openPath(shell, target, ">");
      put(shell, 1, channel, saved);
      put(shell, 2, channel.hold(), saved);
      return;
    }
    throw new RedirectProblem(`${target}: ambiguous redirect`);
  }
  const from = Number(move[1]);
  const channel = shell.descriptors.get(from);
  if (channel === undefined) throw new RedirectProblem(`${String(from)}: Bad file descriptor`);
  put(shell, descriptorOf(shell, redirect, standard), channel.hold(), saved);
  if (move[2] === "-") saved.push({ descriptor: from, channel: shell.descriptors.take(from) });
}

const MODES: Readonly<Record<string, OpenOptions>> = {
  "<": { read: true },
  ">": { write: true, create: true, truncate: true },
  ">|": { write: true, create: true, truncate: true },
  ">>": { write: true, create: true, append: true },
  "<>": { read: true, write: true, create: true },
};

/** Opens a file as a redirection does; `/dev/fd/N` is that descriptor. */
export function openPath(shell: Shell, path: string, operator: string): Channel {
  const special = /^\/dev\/(?:fd\/(\d+)|std(in|out|err))$/.exec(path);
  if (special !== null) {
    const number = Number(special[1] ?? { in: 0, out: 1, err: 2 }[special[2] ?? "in"]);
    const channel = shell.descriptors.get(number);
    if (channel === undefined) throw new RedirectProblem(`${path}: No such file or directory`);
    return channel.hold();
  }
  if (path === "") throw new RedirectProblem(": No such file or directory");
  const { fileSystem } = shell.runtime;
  const place = absolutePath(shell.cwd, path);
  try {
    if (operator === ">" && shell.has("noclobber") && fileSystemHas(shell, place)) {
      throw new RedirectProblem(`${path}: cannot overwrite existing file`);
    }
    return openFileChannel(fileSystem.open(place, { ...MODES[operator], mode: 0o666 & ~shell.umask }));
  } catch (error) {
    if (error instanceof FileSystemError) throw new RedirectProblem(`${path}: ${error.message}`);
    throw error;
  }
}

function fileSystemHas(shell: Shell, place: string): boolean {
  try {
    return shell.runtime.fileSystem.stat(place, "follow").kind === "file";
  } catch (error) {
    if (error instanceof FileSystemError) return false;
    throw error;
  }
}

/** A file of the file system behind a descriptor. */
function openFileChannel(file: OpenFile): Channel {
  let holders = 1;
  const channel: Channel = {
    readable: file.readable,
    writable: file.writable,
    isTerminal: false,
    read(max) {
      const buffer = new Uint8Array(Math.min(max, 65_536));
      return buffer.subarray(0, file.read(buffer));
    },
    write(bytes) {
      file.write(bytes);
    },
    unread(bytes) {
      if (bytes.length > 0 && file.kind === "file") file.seek(-bytes.length, "current");
    },
    hold() {
      holders += 1;
      return channel;
    },
    release() {
      holders -= 1;
      if (holders === 0) file.close();
    },
  };
  return channel;
}
