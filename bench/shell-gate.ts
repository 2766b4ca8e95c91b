import { createPathFacts } from "@deputy/shell-gate/node";
import { createShellGate, DEFAULT_ALLOWED_COMMANDS, DEFAULT_EXTRA_VALIDATION } from "@deputy/shell-gate";
import { createScratchWorkspace } from "@deputy/testing";
import { parse } from "unbash";
import { reportPeer } from "./report.ts";
import { sized } from "./sized.ts";

const ROUNDS = sized(15, 1);
const RUNS_PER_ROUND = sized(200, 2);
const LINES: Readonly<Record<string, string>> = {
  "one command": "ls -la",
  "a pipe": "cat a.txt | sort | uniq -c | head -5",
  "a pattern and a loop": 'for f in sub/*.txt; do wc -l "$f"; done',
  git: "git log --oneline -n 5",
  "a line that asks": "cat a.txt && sort --compress-prog=./x ../out/secret.txt",
};

/** What a verdict costs, beside only parsing the same line. */
export function benchShellGate(): Promise<void> {
  using place = createScratchWorkspace();
  const gate = createShellGate({
    facts: createPathFacts(),
    directories: { workspace: place.workspace, read: [], write: [], protected: [] },
    allowedCommands: DEFAULT_ALLOWED_COMMANDS,
    commandsNeedingExtraValidation: DEFAULT_EXTRA_VALIDATION,
  });
  for (const [what, line] of Object.entries(LINES)) {
    const ours = measure(() => gate.judge(line));
    const rounds = measure(() => JSON.stringify(parse(line)));
    reportPeer(`shell verdict, ${what}`, "ms", ours, { name: "unbash's parse", rounds });
  }
  return Promise.resolve();
}

/** Milliseconds per run, by round. */
function measure(run: () => unknown): readonly number[] {
  run();
  return Array.from({ length: ROUNDS }, () => {
    const begin = performance.now();
    for (let index = 0; index < RUNS_PER_ROUND; index++) run();
    return (performance.now() - begin) / RUNS_PER_ROUND;
  });
}
