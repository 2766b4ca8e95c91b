import { Command, type ErrorOptions } from "commander";
import { editDistance } from "./nearest-names.ts";

/** A command whose guesses at what was meant are near: the library's own are not. */
export class CommandLine extends Command {
  override createCommand(name?: string): Command {
    return new CommandLine(name);
  }

  override error(message: string, options?: ErrorOptions): never {
    super.error(withoutFarGuess(message), options);
  }
}

/** Fingers slip, but hardly ever at the first letter: `--session` is not meant to be `--version`. */
export function withoutFarGuess(message: string): string {
  const [, said, given = "", guess = ""] =
    /^(.*'-*([^']+)')\n\(Did you mean -*(\S+)\?\)$/s.exec(message) ?? [];
  if (said === undefined || given[0] === guess[0] || editDistance(given, guess) <= 1) return message;
  return said;
}
