import type { Argument } from "./words/argument.ts";
import type { Endless } from "./judgement.ts";
import type { PathUse } from "./paths/judge-path.ts";
import type { Resolved } from "./paths/resolve-path.ts";
import type { Scope } from "./scope.ts";

/** What a value is to a command: plain data of any kind, data that must be known, or a path. */
export type Role = "data" | "known" | PathUse;

/** What every command's rules may use. */
export interface CommandContext {
  readonly name: string;
  readonly scope: Scope;
  readonly ask: (reason: string) => void;
  readonly path: (argument: Argument, use: PathUse) => readonly Resolved[];
  /** Notes that links or trees may appear there, so that the rest of the line must not rely on it. */
  readonly reshapes: (at: readonly Resolved[]) => void;
  /** Notes that this command may print without end, or more than a file should become. */
  readonly endless: (why: string, comesIn?: Endless["comesIn"]) => void;
  /** Notes that this command lets only so much through of what it reads. */
  readonly limits: (what: "bytes" | "lines") => void;
  /** Judges a command that this one starts. */
  readonly start: (words: readonly Argument[]) => void;
  /** Judges a script that this one starts. */
  readonly startScript: (source: string) => void;
  readonly extraValidation: boolean;
}

/** A command line, read by the command's own rules. */
export interface ReadArguments {
  /** Options by name without dashes, in order. */
  readonly options: readonly { readonly name: string; readonly value: Argument | undefined }[];
  readonly operands: readonly Argument[];
}

/**
 * Everything that is known to be harmless of one command. What is not named here asks: an option, an abbreviation
 * of one, a second operand.
 */
export interface CommandSpec {
  /** Letters of options without a value. */
  readonly flags?: string;
  /** Options whose value is their rest or the next word. */
  readonly values?: Readonly<Record<string, Role>>;
  /** Letters of options whose value, if any, is their rest. */
  readonly optional?: string;
  /** Long options without a value, separated by spaces. */
  readonly long?: string;
  /** Long options with a value. */
  readonly longValues?: Readonly<Record<string, Role>>;
  /** Long options with a value only behind `=`. */
  readonly longOptional?: string;
  /** `-5`. */
  readonly takesNumber?: true;
  /** None of its options does harm, so a word that is not known may well be one. */
  readonly anyWord?: true;
  /** Options end at the first operand. */
  readonly stopsAtOperand?: true;
  /** What operands are: all the same, or one by one with the last for all that follow (`…`). */
  readonly operands:
    | Role
    | readonly Role[]
    | "none"
    | ((context: CommandContext, read: ReadArguments) => void);
  /** More that must hold, besides the operands. */
  readonly also?: (context: CommandContext, read: ReadArguments) => void;
}

/** Reads its arguments by itself. */
export type CommandRule = (context: CommandContext, words: readonly Argument[]) => void;

export type CommandTable = Readonly<Record<string, CommandSpec | CommandRule>>;

export function hasOption({ options }: ReadArguments, ...names: readonly string[]): boolean {
  return options.some(({ name }) => names.includes(name));
}

export function valuesOf({ options }: ReadArguments, ...names: readonly string[]): readonly Argument[] {
  return options.flatMap(({ name, value }) => (value !== undefined && names.includes(name) ? [value] : []));
}
