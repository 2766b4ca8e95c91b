import { Command, type ErrorOptions } from "commander";

/** A command that suggests only similar names; the library also suggests distant ones. */
export class CommandLine extends Command {
  override createCommand(name?: string): Command {
    return new CommandLine(name);
  }

  override error(message: string, options?: ErrorOptions): never {
    super.error(withoutFarGuess(this.#misspelt(options) ?? message), options);
  }

  /** What is no command of a group ends up as an argument of the group's default command. */
  #misspelt(options: ErrorOptions | undefined): string | undefined {
    const [typed] = this.parent?.args ?? [];
    if (options?.code !== "commander.excessArguments" || typed === undefined || typed === this.name())
      return undefined;
    return unknownCommand(typed, this.parent?.commands ?? []);
  }
}

/** In the library's words, with the command that was probably meant. */
export function unknownCommand(typed: string, commands: readonly Command[]): string {
  const [near] = nearestNames(
    typed,
    commands.map((command) => command.name()),
  );
  return `error: unknown command '${typed}'${near === undefined ? "" : `\n(Did you mean ${near}?)`}`;
}

/** Typos rarely affect the first letter: `--session` does not mean `--version`. */
export function withoutFarGuess(message: string): string {
  const [, said, given = "", guess = ""] =
    /^(.*'-*([^']+)')\n\(Did you mean -*(\S+)\?\)$/s.exec(message) ?? [];
  if (said === undefined || given[0] === guess[0] || editDistance(given, guess) <= 1) return message;
  return said;
}

/** At most this many are worth reading. */
const MAX_NAMES = 3;

/**
 * The dotted names that were probably meant, nearest first; empty if all are far. A name with matching last
 * parts counts too, so that `close` finds `github.issues.close`.
 */
export function nearestNames(wanted: string, names: Iterable<string>): readonly string[] {
  const parts = wanted.split(".").length;
  const farthest = Math.max(2, Math.floor(wanted.length / 3));
  return [...names]
    .map((name) => {
      const end = name.split(".").slice(-parts).join(".");
      return { name, distance: Math.min(editDistance(wanted, name), editDistance(wanted, end)) };
    })
    .filter(({ distance }) => distance <= farthest)
    .sort((a, b) => a.distance - b.distance || a.name.length - b.name.length)
    .slice(0, MAX_NAMES)
    .map(({ name }) => name);
}

/** How many letters must be added, removed, changed or swapped with their neighbour; ignores case. */
function editDistance(from: string, to: string): number {
  const a = from.toLowerCase();
  const b = to.toLowerCase();
  let twoBefore: number[] = [];
  let before = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        (before[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (before[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (twoBefore[column - 2] ?? 0) + 1 : Infinity,
      );
    }
    twoBefore = before;
    before = current;
  }
  return before[b.length] ?? 0;
}
