import type { Script } from "../parse/script.ts";
import { linesOf } from "./read-script.ts";
import type { FreshRun, Shell } from "./shell.ts";
import type { Task } from "./task.ts";

/** A script, and before it what an interactive shell prepares. */
export function* runAll(shell: Shell, { text, rcFile }: FreshRun): Task<number> {
  const { runLines, runWords } = shell.engine;
  if (!shell.startFlags.includes("i")) return yield* runLines(shell, text);
  const home = shell.variables.text("HOME") ?? "";
  if (shell.variables.find("HISTFILE") === undefined)
    shell.variables.setText("HISTFILE", `${home}/.bash_history`);
  shell.options.add("emacs");
  if (rcFile !== undefined && rcFile !== "/dev/null") {
    yield* runWords(shell, ["source", rcFile]);
    shell.flow = undefined;
  }
  if (!shell.startFlags.includes("s")) return yield* runLines(shell, text);
  yield* runWords(shell, ["history", "-r"]);
  shell.historySaved = shell.history.length;
  const status = yield* runLines(shell, text);
  yield* runWords(shell, ["history", "-a"]);
  return status;
}

/** What an interactive shell does before it reads the next command. */
export function* beforePrompt(shell: Shell, script: Script | undefined): Task<void> {
  if (!shell.startFlags.includes("i") || !shell.startFlags.includes("s")) return;
  const command = shell.variables.text("PROMPT_COMMAND");
  const { status } = shell;
  if (command !== undefined && command !== "") yield* shell.engine.runText(shell, command);
  shell.status = status;
  if (script !== undefined && script.statements.length > 0)
    shell.history = [...shell.history, linesOf(script)];
}
