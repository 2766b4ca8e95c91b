/** Prompts that the user keeps in files, to be used by name. */
export interface SlashCommands {
  list(signal: AbortSignal): Promise<readonly SlashCommandHead[]>;
  /** The command's prompt with the arguments in it; undefined when there is no command of that name. */
  expand(name: string, args: string, signal: AbortSignal): Promise<string | undefined>;
}

export interface SlashCommandHead {
  readonly name: string;
  readonly description: string;
  /** A hint at the arguments that follow its name. */
  readonly argumentHint: string;
}
