/** Prompts that the user keeps in files, to be used by name. */
export interface SlashCommands {
  list(signal: AbortSignal): Promise<readonly SlashCommandHead[]>;
  /** Its prompt with the arguments in it; undefined when there is none of that name. */
  expand(name: string, args: string, signal: AbortSignal): Promise<string | undefined>;
}

export interface SlashCommandHead {
  readonly name: string;
  readonly description: string;
  /** What is to follow its name. */
  readonly argumentHint: string;
}
