/**
 * Files that are not about what scripts do. Everything else counts as core: the language, expansions, arrays,
 * redirections, errors, traps, jobs and the builtins of scripts.
 */
const OTHERS: ReadonlySet<string> = new Set([
  // What somebody types at a terminal.
  "builtin-bind",
  "builtin-completion",
  "builtin-fc",
  "builtin-history",
  "interactive",
  "interactive-parse",
  "prompt",
  // What Oils adds to a shell, and its own tests of itself.
  "errexit-osh",
  "hay",
  "hay-isolation",
  "hay-meta",
  "osh-bugs",
  "spec-harness-bug",
  "strict-options",
  // Collections of what single shells or programs do.
  "ble-features",
  "ble-idioms",
  "ble-unset",
  "blog-other1",
  "blog1",
  "blog2",
  "divergence",
  "explore-parsing",
  "known-differences",
  "nix-idioms",
  "shell-bugs",
  "toysh",
  "toysh-posix",
  "zsh-assoc",
  "zsh-idioms",
]);

/** By the name of a file without its ending. */
export const isCore = (file: string): boolean => !OTHERS.has(file);
