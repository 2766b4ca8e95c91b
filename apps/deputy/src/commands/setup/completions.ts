import { EXIT, type ExitCode } from "@deputy/terminal/output";
import type { Invocation } from "../../invocation.ts";
import { type CommandTree, completionsFor, type Shell } from "../../setup/completions.ts";

/** `deputy completions SHELL`: on stdout, to be sourced. */
export async function printCompletions(
  { output }: Invocation,
  shell: Shell,
  tree: CommandTree,
): Promise<ExitCode> {
  const text = completionsFor(shell, tree);
  output.result(text.trimEnd());
  output.object({ type: "completions", shell, text });
  return EXIT.done;
}
