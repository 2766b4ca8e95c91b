import type { Shell } from "../run/shell.ts";
import type { Declared } from "../run/trace.ts";
import { type Task, wait } from "../run/task.ts";
import { encodeText } from "../text/bytes.ts";

/**
 * A command that runs inside of the shell. `words` begins with its name; `declared` has the assignments that `declare`
 * and its like were given, for which the words hold marks. A number at once where nothing has to be waited for.
 */
export type Builtin = (
  shell: Shell,
  words: readonly string[],
  declared: readonly Declared[],
) => number | Task<number>;

export type BuiltinTable = Readonly<Record<string, Builtin>>;

/** Writes to stdout; the status is 1 if that is closed. */
export function say(shell: Shell, text: string, status = 0): number | Task<number> {
  if (text === "") return status;
  const channel = shell.channel(1);
  if (channel?.writable !== true) {
    shell.complain("write error: Bad file descriptor");
    return 1;
  }
  const room = channel.write(encodeText(text));
  return room === undefined ? status : waitThen(room, status);
}

function* waitThen(room: Promise<void>, status: number): Task<number> {
  yield* wait(room);
  return status;
}

/** `cd: message`, and the status. */
export function refuse(shell: Shell, name: string, message: string, status = 1): number {
  shell.complain(`${name}: ${message}`);
  return status;
}

/** Single-letter options before the operands. Undefined, with bash's words, if there is an unknown one. */
export function readFlags(
  shell: Shell,
  words: readonly string[],
  known: string,
  usage = "",
): { readonly flags: ReadonlyMap<string, string>; readonly rest: readonly string[] } | undefined {
  const flags = new Map<string, string>();
  let i = 1;
  while (i < words.length) {
    const word = words[i] ?? "";
    if (word === "--") {
      i += 1;
      break;
    }
    if (!word.startsWith("-") || word === "-") break;
    for (let k = 1; k < word.length; k += 1) {
      const letter = word.charAt(k);
      const at = known.indexOf(letter);
      if (at === -1 || letter === ":") {
        shell.complain(`${words[0] ?? ""}: -${letter}: invalid option`);
        if (usage !== "") shell.writeError(`${words[0] ?? ""}: usage: ${usage}\n`);
        return undefined;
      }
      if (known.charAt(at + 1) !== ":") {
        flags.set(letter, "");
        continue;
      }
      const attached = word.slice(k + 1);
      if (attached === "" && words[i + 1] === undefined) {
        shell.complain(`${words[0] ?? ""}: -${letter}: option requires an argument`);
        return undefined;
      }
      flags.set(letter, attached === "" ? (words[i + 1] ?? "") : attached);
      if (attached === "") i += 1;
      break;
    }
    i += 1;
  }
  return { flags, rest: words.slice(i) };
}
