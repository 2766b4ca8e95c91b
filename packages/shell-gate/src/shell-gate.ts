import { findGitRisk } from "./commands/git-repository.ts";
import { createWordEvaluator } from "./words/evaluate-word.ts";
import { createCommandJudge } from "./judge-command.ts";
import { createPathJudge, judgeTogether } from "./paths/judge-path.ts";
import { createScriptJudge } from "./judge-script.ts";
import { createJudgement, type Judgement } from "./judgement.ts";
import { MAX_COMMAND_CHARS, MAX_DEPTH } from "./limits.ts";
import { parseScript } from "./parse-script.ts";
import type { PathFacts } from "./paths/path-facts.ts";
import { createResolver } from "./paths/resolve-path.ts";
import type { Scope } from "./scope.ts";
import type { ShellVerdict } from "./shell-verdict.ts";
import { createZones, type Directories } from "./paths/zones.ts";
import { fileCommands } from "./commands/file-commands.ts";
import { filterCommands } from "./commands/filter-commands.ts";
import { find } from "./commands/find-command.ts";
import { createGit } from "./commands/git-command.ts";
import { plainCommands } from "./commands/plain-commands.ts";
import { shellBuiltins } from "./commands/shell-builtins.ts";
import { tar } from "./commands/tar-command.ts";
import { textCommands } from "./commands/text-commands.ts";
import { wrapperCommands } from "./commands/wrapper-commands.ts";
import type { CommandTable } from "./command-spec.ts";

/** Control, format, private and unassigned characters, lone surrogates, and every space that is none to a shell. */
const HIDDEN = /(?![\n\t ])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0\u2800]/u;

export interface ShellGate {
  /**
   * What may be said of a command line before it runs in bash, in the workspace, with an environment that Deputy
   * made. Never throws and never runs anything; whatever is not fully understood asks.
   */
  readonly judge: (command: string) => ShellVerdict;
}

export interface ShellGateDeps {
  readonly facts: PathFacts;
  readonly directories: Directories;
  /** Names; or whole command lines, words separated by one space, that are allowed exactly so. */
  readonly allowedCommands: readonly string[];
  readonly commandsNeedingExtraValidation: readonly string[];
  /** The value of `~`. */
  readonly homeDirectory?: string | undefined;
  /** The directory that the command starts in; default the workspace. */
  readonly startDirectory?: string | undefined;
}

export function createShellGate(deps: ShellGateDeps): ShellGate {
  const lists: Lists = {
    allowed: new Set(deps.allowedCommands),
    lines: deps.allowedCommands.map((line) => line.split(" ")).filter((line) => line.length > 1),
    extra: new Set(deps.commandsNeedingExtraValidation),
  };
  return {
    judge(command) {
      const judgement = createJudgement();
      if (command.length > MAX_COMMAND_CHARS)
        judgement.ask(`it is longer than ${MAX_COMMAND_CHARS} characters`);
      else judgeCommand(deps, lists, judgement, command);
      return judgement.verdict();
    },
  };
}

interface Lists {
  readonly allowed: ReadonlySet<string>;
  readonly lines: readonly (readonly string[])[];
  readonly extra: ReadonlySet<string>;
}

function judgeCommand(
  deps: ShellGateDeps,
  { allowed, lines, extra }: Lists,
  judgement: Judgement,
  command: string,
): void {
  const { facts, directories } = deps;
  const resolver = createResolver(facts);
  const zones = createZones(directories, resolver);
  const paths = createPathJudge({ judgement, resolver, zones });
  const table = createCommandTable({
    gitRiskIn: (directory) => findGitRisk(directory, facts, (path) => zones.of(path) === "write"),
    noteGitRun: () => void (judgement.effects.gitRuns += 1),
  });
  let depth = 0;

  const judgeSource = (source: string, scope: Scope): void => {
    if (depth >= MAX_DEPTH) return judgement.ask("commands are nested too deeply");
    const hidden = findHiddenCharacter(source);
    if (hidden !== undefined)
      return judgement.ask(`it holds the character ${hidden}, which is not what it looks like`);
    const parsed = parseScript(source);
    if (parsed.kind === "unclear") return judgement.ask(`it cannot be read for certain: ${parsed.why}`);
    depth += 1;
    judgement.effects.scripts += 1;
    scripts.judge(parsed.script, scope);
    depth -= 1;
  };
  const words = createWordEvaluator({
    judgement,
    facts,
    paths,
    homeDirectory: deps.homeDirectory,
    judgeSource,
  });
  const commands = createCommandJudge({
    judgement,
    paths,
    table,
    isAllowed: (name) => allowed.has(name),
    allowedLines: lines,
    needsExtraValidation: (name) => extra.has(name),
    judgeSource,
  });
  const scripts = createScriptJudge({ judgement, words, paths, commands });

  const start = resolver.resolve(deps.startDirectory ?? directories.workspace, "follow")?.path;
  if (start === undefined) return judgement.ask("the workspace cannot be found");
  judgeSource(command, { directories: [start], variables: new Map() });
  judgeTogether(judgement);
}

/** Every command whose arguments are understood. A command that is not here always asks. */
function createCommandTable(deps: {
  readonly gitRiskIn: (directory: string) => string | undefined;
  readonly noteGitRun: () => void;
}): CommandTable {
  return {
    ...textCommands,
    ...plainCommands,
    ...fileCommands,
    ...filterCommands,
    ...wrapperCommands,
    ...shellBuiltins,
    find,
    tar,
    git: createGit(deps.gitRiskIn, deps.noteGitRun),
    // What it changes is in judge-builtin.ts.
    cd: () => undefined,
  };
}

/** The first character that people cannot see, or that a shell and a reader take differently; named by its code. */
function findHiddenCharacter(command: string): string | undefined {
  const found = HIDDEN.exec(command)?.[0];
  if (found === undefined) return undefined;
  return `U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
