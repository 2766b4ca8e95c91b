import { createPathFacts } from "@deputy/shell-gate/node";
import {
  createShellGate,
  DEFAULT_ALLOWED_COMMANDS,
  DEFAULT_EXTRA_VALIDATION,
  type ShellVerdict,
} from "@deputy/shell-gate";
import { createScratchWorkspace } from "@deputy/testing";
import { judgeByFirstWord } from "./shell/first-word.ts";
import { readShellCases, type ShellCase } from "./shell/read-shell-cases.ts";
import { formatTable } from "./table.ts";

/** Of lines that must be allowed, so many may ask. */
const MAX_OVERBLOCKED = 1;

/**
 * Whether the shell gate holds lines that get around allowlists, in a real directory with real links. Prints a table
 * beside what a first-word allowlist does; resolves with whether every target holds.
 */
export async function evaluateShellBypass(directory: string): Promise<boolean> {
  const cases = await readShellCases(directory);
  using place = createScratchWorkspace();
  const gate = createShellGate({
    facts: createPathFacts(),
    directories: { workspace: place.workspace, read: [], write: [], protected: [] },
    allowedCommands: DEFAULT_ALLOWED_COMMANDS,
    commandsNeedingExtraValidation: DEFAULT_EXTRA_VALIDATION,
    homeDirectory: place.outside,
  });
  const judged = cases.map((entry) => {
    const command = entry.command.replaceAll("{WS}", place.workspace).replaceAll("{OUT}", place.outside);
    return { entry, ours: gate.judge(command), firstWord: judgeByFirstWord(command) };
  });
  const mustAsk = judged.filter(({ entry }) => entry.expect === "ask");
  const mustAllow = judged.filter(({ entry }) => entry.expect === "allow");
  const missed = mustAsk.filter(({ ours }) => ours.verdict === "allow");
  const overblocked = mustAllow.filter(({ ours }) => ours.verdict !== "allow");

  console.log("\nCommand lines that must ask, by what they try");
  const classes = [...new Set(mustAsk.map(({ entry }) => entry.class))].sort();
  const row = (name: string, entries: typeof judged): readonly (string | number)[] => [
    name,
    entries.length,
    entries.filter(({ ours }) => ours.verdict !== "allow").length,
    entries.filter(({ ours }) => ours.verdict === "allow").length,
    entries.filter(({ firstWord }) => firstWord === "allow").length,
  ];
  const rows = [
    ...classes.map((name) =>
      row(
        name,
        mustAsk.filter(({ entry }) => entry.class === name),
      ),
    ),
    row("all", mustAsk),
  ];
  console.log(formatTable(["class", "lines", "held", "missed", "missed by first word"], rows));
  console.log(`lines that must be allowed: ${mustAllow.length}, of which ask: ${overblocked.length}`);
  show("missed", missed);
  show("asks", overblocked);
  const holds = missed.length === 0 && overblocked.length <= MAX_OVERBLOCKED;
  console.log(`\nshell-bypass: ${holds ? "every target holds" : "A TARGET IS MISSED"}`);
  return holds;
}

interface Judged {
  readonly entry: ShellCase;
  readonly ours: ShellVerdict;
}

function show(what: string, judged: readonly Judged[]): void {
  for (const { entry, ours } of judged)
    console.log(`  ${what}: ${entry.id}: ${JSON.stringify(entry.command)} ${ours.reasons.join("; ")}`);
}
