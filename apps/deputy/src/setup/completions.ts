/** A command with everything that can follow it. */
export interface CommandTree {
  readonly name: string;
  readonly does: string;
  readonly options: readonly CommandOption[];
  readonly commands: readonly CommandTree[];
}

export interface CommandOption {
  /** The long one, with its dashes. */
  readonly name: string;
  /** The possible values; empty when the list is open. */
  readonly choices: readonly string[];
}

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

/** The script that a shell sources to complete this program's words. */
export function completionsFor(shell: Shell, tree: CommandTree): string {
  switch (shell) {
    case "bash":
      return bash(tree);
    case "zsh":
      return `#compdef deputy\nautoload -U +X compinit bashcompinit && compinit -u && bashcompinit\n${bash(tree)}`;
    case "fish":
      return fish(tree);
    default:
      return shell satisfies never;
  }
}

interface Place {
  /** The parent commands, separated by spaces; empty at the top. */
  readonly path: string;
  readonly command: CommandTree;
}

function placesOf(command: CommandTree, path = ""): readonly Place[] {
  const inner = command.commands.flatMap((one) =>
    placesOf(one, path === "" ? one.name : `${path} ${one.name}`),
  );
  return [{ path, command }, ...inner];
}

function bash(tree: CommandTree): string {
  const places = placesOf(tree);
  const steps = places.flatMap(({ path }) => (path === "" ? [] : [`      "${path}") at="${path}" ;;`]));
  const words = places.map(({ path, command }) => {
    const offered = [...command.commands, ...command.options, ...tree.options].map(({ name }) => name);
    return `    "${path}") words="${[...new Set(offered)].join(" ")}" ;;`;
  });
  const values = places.flatMap(({ path, command }) =>
    command.options
      .filter(({ choices }) => choices.length > 0)
      .map(({ name, choices }) => `    "${path} ${name}") words="${choices.join(" ")}" ;;`),
  );
  return [
    "_deputy() {",
    '  local at="" next="" words="" i',
    "  for ((i = 1; i < COMP_CWORD; i++)); do",
    '    next="${at:+$at }${COMP_WORDS[i]}"',
    '    case "$next" in',
    ...steps,
    "    esac",
    "  done",
    '  case "$at" in',
    ...words,
    "  esac",
    '  case "$at ${COMP_WORDS[COMP_CWORD-1]}" in',
    ...values,
    "  esac",
    '  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))',
    "}",
    "complete -o default -F _deputy deputy",
    "",
  ].join("\n");
}

function fish(tree: CommandTree): string {
  const quote = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const lines = placesOf(tree).flatMap(({ path, command }) => {
    const inner = command.commands.map(({ name }) => name).join(" ");
    const seen = path
      .split(" ")
      .flatMap((word) => (word === "" ? [] : `__fish_seen_subcommand_from ${word}`));
    const open = path === "" ? "__fish_use_subcommand" : `not __fish_seen_subcommand_from ${inner}`;
    const when = inner === "" ? seen : seen.concat(open);
    const condition = when.length === 0 ? "" : ` -n ${quote(when.join("; and "))}`;
    const commands = command.commands.map(
      ({ name, does }) => `complete -c deputy${condition} -a ${name} -d ${quote(does)}`,
    );
    const options = command.options.map(({ name, choices }) => {
      const values = choices.length === 0 ? "" : ` -x -a ${quote(choices.join(" "))}`;
      return `complete -c deputy${path === "" ? "" : condition} -l ${name.slice(2)}${values}`;
    });
    return commands.concat(options);
  });
  return `${lines.join("\n")}\n`;
}
