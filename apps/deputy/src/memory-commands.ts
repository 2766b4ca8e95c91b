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
    .command("changes")
    .description("list what was written into notes, newest first")
    .addOption(new Option("--limit <n>", "show at most this many (default: 20)").argParser(readCount))
    .action(act(async () => (await import("./commands/memory-changes.ts")).listChanges));
  memory
    .command("undo <change>")
    .description("take a change of a note back, by its number in `changes` or its id")
    .action(act(async () => (await import("./commands/memory-changes.ts")).undoChange));
  memory
    .command("forget")
    .description(
      "forget for good: what contains a text, names a person, comes from a source, or is of a time",
    )
    .option("--text <text>", "whatever contains this, in any case")
    .option("--person <name>", "whatever names them, or was sent by them")
    .option("--source <name>", "a note or conversation as `search` names it, or whoever wrote something")
    .option("--since <time>", "from then on: 2026-11-01 or 2026-11-01T09:00Z")
    .option("--until <time>", "before then")
    .addOption(agent)
    .option("--yes", "do it; without this, only say what would be removed")
    .action(act(async () => (await import("./commands/memory-changes.ts")).forgetMemory));
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
