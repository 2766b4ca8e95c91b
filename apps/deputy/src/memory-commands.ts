import { type Command, InvalidArgumentError, Option } from "commander";
import type { Act } from "./decision-commands.ts";

/** `deputy memory`: what was written down and said before. */
export function addMemoryCommands(program: Command, act: Act, agent: Option): void {
  const memory = program.command("memory").description("find what was noted and said before");
  memory
    .command("status", { isDefault: true })
    .description("say what is remembered, and how it is searched")
    .action(act(async () => (await import("./commands/memory.ts")).showMemoryStatus));
  memory
    .command("search <words...>")
    .description("find notes and conversations by words and by meaning, best match first")
    .addOption(agent)
    .addOption(
      new Option("--limit <n>", "show at most this many (default: memory.search.maxResults)").argParser(
        readCount,
      ),
    )
    .action(act(async () => (await import("./commands/memory.ts")).searchMemory));
  memory
    .command("show <path>")
    .description("show what is remembered of a document, as `search` names it")
    .addOption(agent)
    .action(act(async () => (await import("./commands/memory.ts")).showMemory));
  memory
    .command("index")
    .description("bring the index up to date now, and wait for it")
    .action(act(async () => (await import("./commands/memory.ts")).indexMemory));
}

function readCount(text: string): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1)
    throw new InvalidArgumentError("It must be a whole number from 1.");
  return count;
}
