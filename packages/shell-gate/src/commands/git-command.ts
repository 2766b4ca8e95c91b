import { type Argument, isKnown, known, textOf } from "../words/argument.ts";
import type { CommandContext, CommandRule, CommandSpec, ReadArguments } from "../command-spec.ts";
import { hasOption, valuesOf } from "../command-spec.ts";
import { judgeOperands, readArguments } from "../words/read-arguments.ts";

const DIFF: CommandSpec = {
  flags: "pusWwbaRz",
  values: { U: "data", S: "data", G: "data", l: "data" },
  optional: "MCBX",
  long: "shortstat numstat name-only name-status patch no-patch raw summary cached staged no-color minimal patience histogram ignore-all-space ignore-space-change ignore-space-at-eol ignore-blank-lines ignore-cr-at-eol no-renames check full-index exit-code quiet no-ext-diff no-textconv function-context merge-base text binary no-prefix patch-with-stat compact-summary pickaxe-all reverse",
  longValues: {
    unified: "data",
    "diff-filter": "data",
    "word-diff-regex": "data",
    "diff-algorithm": "data",
    "inter-hunk-context": "data",
    "src-prefix": "data",
    "dst-prefix": "data",
  },
  longOptional:
    "stat color color-words word-diff find-renames abbrev relative dirstat ignore-submodules submodule color-moved",
  operands: judgeRevisions,
};
const LOG: CommandSpec = {
  ...DIFF,
  flags: `${DIFF.flags}gicmEFPt`,
  values: { ...DIFF.values, n: "data", L: "data" },
  long: `${DIFF.long} oneline graph all abbrev-commit no-abbrev-commit no-merges merges first-parent reverse follow topo-order date-order author-date-order left-right cherry-pick cherry-mark no-decorate no-walk full-history simplify-by-decoration all-match invert-grep regexp-ignore-case relative-date parents children boundary walk-reflogs source`,
  longValues: {
    ...DIFF.longValues,
    "max-count": "data",
    skip: "data",
    since: "data",
    after: "data",
    until: "data",
    before: "data",
    author: "data",
    committer: "data",
    grep: "data",
    date: "data",
    format: "known",
    exclude: "data",
  },
  longOptional: `${DIFF.longOptional} decorate pretty branches tags remotes glob`,
  takesNumber: true,
  also: (context, read) => {
    if (valuesOf(read, "--format", "--pretty").some((format) => (textOf(format) ?? "%G").includes("%G")))
      context.ask("`git log` with `%G` runs a program that checks signatures");
  },
};
const listing = (spec: Omit<CommandSpec, "operands">, ...lists: readonly string[]): CommandSpec => ({
  ...spec,
  operands: (context, read) => {
    if (read.operands.length > 0 && !hasOption(read, ...lists))
      context.ask(`\`${context.name}\` changes the repository`);
  },
});

/** What git may do without asking: look, add and commit. */
const SUBCOMMANDS: Readonly<Record<string, CommandSpec>> = {
  status: {
    flags: "sbvz",
    optional: "u",
    long: "short branch long verbose show-stash ahead-behind no-ahead-behind no-renames",
    longOptional: "porcelain untracked-files ignored column find-renames",
    operands: judgeRevisions,
  },
  diff: DIFF,
  log: LOG,
  show: LOG,
  shortlog: { ...LOG, flags: `${LOG.flags}sne`, long: `${LOG.long} summary numbered email` },
  blame: {
    flags: "sewltnfpbc",
    values: { L: "data" },
    optional: "CM",
    long: "porcelain show-email show-name root",
    longValues: { since: "data", date: "data" },
    operands: judgeRevisions,
  },
  "rev-parse": {
    flags: "q",
    long: "verify show-toplevel git-dir absolute-git-dir is-inside-work-tree is-bare-repository quiet show-prefix show-cdup symbolic-full-name symbolic all",
    longOptional: "short abbrev-ref",
    operands: judgeRevisions,
  },
  "rev-list": { ...LOG, long: `${LOG.long} count`, operands: judgeRevisions },
  "merge-base": { flags: "a", long: "all is-ancestor", operands: judgeRevisions },
  "ls-files": {
    flags: "cdmoisuztv",
    values: { x: "data" },
    long: "cached deleted modified others ignored stage exclude-standard error-unmatch full-name directory unmerged",
    longValues: { exclude: "data" },
    operands: judgeRevisions,
  },
  "ls-tree": {
    flags: "rdtlz",
    long: "name-only name-status full-tree full-name long",
    operands: judgeRevisions,
  },
  "cat-file": { flags: "ptse", operands: judgeRevisions },
  describe: {
    long: "tags all long always exact-match",
    longValues: { match: "data", exclude: "data" },
    longOptional: "dirty abbrev",
    operands: judgeRevisions,
  },
  grep: {
    flags: "nilcwvEFGPhHoqIaprW",
    values: { e: "data", A: "data", B: "data", C: "data", m: "data" },
    long: "ignore-case line-number files-with-matches name-only count word-regexp invert-match extended-regexp fixed-strings perl-regexp only-matching quiet cached untracked heading break all-match column and or not show-function",
    longValues: { "max-depth": "data", "after-context": "data", "before-context": "data", context: "data" },
    longOptional: "color",
    operands: judgeRevisions,
  },
  branch: listing(
    {
      flags: "arvl",
      long: "all remotes verbose list show-current",
      longValues: { sort: "data", format: "data" },
      longOptional: "contains merged no-merged points-at color",
    },
    "l",
    "--list",
  ),
  tag: listing(
    {
      flags: "l",
      optional: "n",
      long: "list",
      longValues: { sort: "data", format: "data" },
      longOptional: "contains merged points-at",
    },
    "l",
    "--list",
  ),
  remote: { flags: "v", long: "verbose", operands: ["known", "data"], also: onlySubcommand("get-url") },
  stash: {
    ...LOG,
    operands: ["known", "data"],
    also: (context, read) =>
      read.operands.length === 0
        ? context.ask("`git stash` puts changes away")
        : onlySubcommand("list", "show")(context, read),
  },
  reflog: { ...LOG, operands: ["known", "data"], also: onlySubcommand("show") },
  add: { flags: "AuvnN", long: "all update verbose dry-run intent-to-add", operands: judgeRevisions },
  commit: {
    flags: "aqv",
    values: { m: "data" },
    long: "all quiet allow-empty",
    longValues: { message: "data" },
    operands: judgeRevisions,
    also: (context, read) => {
      if (!hasOption(read, "m", "--message")) context.ask("`git commit` without a message opens an editor");
    },
  },
};

/** `riskIn` says why git is not to be trusted with a directory. */
export function createGit(
  riskIn: (directory: string) => string | undefined,
  noteRun: () => void,
): CommandRule {
  return (context, words) => {
    noteRun();
    const own = readArguments(
      context,
      {
        flags: "PC",
        long: "no-pager no-optional-locks literal-pathspecs",
        stopsAtOperand: true,
        operands: "data",
      },
      spreadC(words),
    );
    if (hasOption(own, "--version", "--help") && own.operands.length === 0) return;
    const place = hasOption(own, "C") ? own.operands[0] : undefined;
    const rest = own.operands.slice(place === undefined ? 0 : 1);
    const places = place === undefined ? [] : context.path(place, "read tree");
    const directories = place === undefined ? context.scope.directories : places.map(({ path }) => path);
    if (places.some(({ entry }) => entry?.kind !== "directory"))
      context.ask(`\`git -C ${textOf(place) ?? ""}\` goes to what is no directory yet`);
    for (const directory of directories) {
      const risk = riskIn(directory);
      if (risk !== undefined) context.ask(`\`git\` is not to be trusted here: ${risk}`);
    }
    const name = textOf(rest[0]) ?? "";
    const spec = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined;
    if (spec === undefined)
      return context.ask(`\`git ${name}\` is not one of the git commands that are known to be harmless`);
    const inner: CommandContext = {
      ...context,
      name: `git ${name}`,
      scope: { ...context.scope, directories },
    };
    const read = readArguments(inner, spec, rest.slice(1));
    judgeOperands(inner, spec, read);
    spec.also?.(inner, read);
  };
}

/** `-C dir` first, and once: its directory becomes the first operand. */
function spreadC(words: readonly Argument[]): readonly Argument[] {
  const [first, place, ...rest] = words;
  return isKnown(first, "-C") && place !== undefined ? [known("-C"), known("--"), place, ...rest] : words;
}

/** Revisions and paths look alike; whatever names a file outside is no revision. */
function judgeRevisions(context: CommandContext, { operands }: ReadArguments): void {
  for (const word of operands) {
    const text = textOf(word);
    if (text === undefined)
      context.ask(`\`${context.name}\` is given a revision or path that is not known before it runs`);
    else if (text !== "--") context.path(known(text), "look at name");
  }
}

function onlySubcommand(...names: readonly string[]) {
  return (context: CommandContext, { operands }: ReadArguments): void => {
    const name = textOf(operands[0]);
    if (operands.length > 0 && !names.includes(name ?? ""))
      context.ask(`\`${context.name} ${name ?? ""}\` is not known to be harmless`);
  };
}
