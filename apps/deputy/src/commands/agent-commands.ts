import { type Command, InvalidArgumentError, Option } from "commander";
import { type Act, readCount } from "./command-groups.ts";

/** `deputy agents`. */
export function addAgentCommands(program: Command, act: Act): void {
  const agents = program.command("agents").description("list agents, and add some to begin with");
  agents
    .command("list", { isDefault: true })
    .description("list the agents there are, with their models")
    .action(act(async () => (await import("./setup/agents.ts")).listAgents));
  agents
    .command("presets")
    .description("list the agents that can be added")
    .action(act(async () => (await import("./setup/agents.ts")).listPresets));
  agents
    .command("add [name]")
    .description("add one of them: a folder and settings of its own; overwrites nothing")
    .action(act(async () => (await import("./setup/agents.ts")).addAgent));
}

/** `deputy memory`: what was written down and said before. */
export function addMemoryCommands(program: Command, act: Act, agent: Option): void {
  const memory = program.command("memory").description("find what was noted and said before");
  memory
    .command("status", { isDefault: true })
    .description("say what is remembered, and how it is searched")
    .action(act(async () => (await import("./memory/memory.ts")).showMemoryStatus));
  memory
    .command("search <words...>")
    .description("find notes and conversations by words and by meaning, best match first")
    .addOption(agent)
    .addOption(
      new Option("--limit <n>", "show at most this many (default: memory.search.maxResults)").argParser(
        readCount,
      ),
    )
    .action(act(async () => (await import("./memory/memory.ts")).searchMemory));
  memory
    .command("show <path>")
    .description("show what is remembered of a document, as `search` names it")
    .addOption(agent)
    .action(act(async () => (await import("./memory/memory.ts")).showMemory));
  memory
    .command("changes")
    .description("list what was written into notes, newest first")
    .addOption(new Option("--limit <n>", "show at most this many (default: 20)").argParser(readCount))
    .action(act(async () => (await import("./memory/memory-changes.ts")).listChanges));
  memory
    .command("undo <change>")
    .description("take a change of a note back, by its number in `changes` or its id")
    .action(act(async () => (await import("./memory/memory-changes.ts")).undoChange));
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
    .action(act(async () => (await import("./memory/memory-changes.ts")).forgetMemory));
  memory
    .command("index")
    .description("bring the index up to date now, and wait for it")
    .action(act(async () => (await import("./memory/memory.ts")).indexMemory));
  memory
    .command("condense")
    .description("add a task that reads the notes on a schedule, and proposes what MEMORY.md should keep")
    .requiredOption("--schedule <text>", 'when, such as "sundays at 20:00"')
    .addOption(new Option("--tokens <n>", "what one run may take (default: 40000)").argParser(readCount))
    .addOption(
      new Option("--money <dollars>", "what one run may cost, if the price of the model is known").argParser(
        readMoney,
      ),
    )
    .addOption(
      new Option("--calls <n>", "how many calls one run may make (default: 30)").argParser(readCount),
    )
    .addOption(agent)
    .action(act(async () => (await import("./tasks/add-task.ts")).addConsolidation));
  memory
    .command("download <url>")
    .description("fetch a model for llama-server, such as EmbeddingGemma; goes on where it stopped")
    .requiredOption("--sha256 <hash>", "what the file must be")
    .action(act(async () => (await import("./memory/memory-download.ts")).downloadEmbeddingModel));
}

/** Throws what the parser shows as wrong usage. */
function readMoney(text: string): number {
  if (/^\d{1,6}(?:\.\d{1,6})?$/.test(text) && Number(text) > 0) return Number(text);
  throw new InvalidArgumentError("It must be dollars, such as 0.10.");
}
