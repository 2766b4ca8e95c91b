import { type AliasTable, expandAliases, usesAliases } from "../parse/expand-aliases.ts";
import { parseScript } from "../parse/parse-script.ts";
import type { Script, Statement } from "../parse/script.ts";
import type { Shell } from "./shell.ts";

/**
 * A text line by line, as bash reads it: what one line does to the aliases counts from the next line on, so the next
 * piece is asked for when the one before has run. A syntax error is in the last piece.
 */
export function* readScript(shell: Shell, text: string, firstLine = 1): Generator<Script, void> {
  let rest = text;
  let line = firstLine;
  for (;;) {
    const aliases = activeAliases(shell);
    const version = versionOf(shell);
    const isAliased = aliases.size > 0 && usesAliases(rest, aliases);
    const own = isAliased ? expandAliases(rest, aliases, "first") : rest;
    const script = parseScript(own, line, aliases);
    let next: Statement | undefined;
    let at = 0;
    while (at < script.statements.length) {
      const end = endOfLine(script.statements, at);
      const statements = script.statements.slice(at, end);
      yield { statements, error: undefined, source: script.source };
      at = end;
      next = script.statements[at];
      if (next !== undefined && (isAliased || versionOf(shell) !== version)) break;
    }
    if (next === undefined) {
      const problem = script.error;
      const wasRun = script.statements.length > 0;
      if (problem === undefined) return;
      // An alias that was defined a line ago may mend what comes.
      const from = problem.fromPos;
      if (wasRun && from > 0 && (isAliased || versionOf(shell) !== version)) {
        rest = script.source.slice(from);
        line = problem.fromLine;
        continue;
      }
      yield { statements: [], error: problem, source: script.source };
      return;
    }
    rest = script.source.slice(next.pos);
    ({ line } = next);
  }
}

function endOfLine(statements: readonly Statement[], from: number): number {
  let end = from + 1;
  while (end < statements.length && (statements[end]?.line ?? 0) <= (statements[end - 1]?.endLine ?? 0)) {
    end += 1;
  }
  return end;
}

const NONE: AliasTable = new Map();

/** The aliases that count now: scripts have none unless they ask for them. */
function activeAliases(shell: Shell): AliasTable {
  return shell.shopts.has("expand_aliases") || shell.has("posix") ? shell.aliases : NONE;
}

function versionOf(shell: Shell): number {
  return activeAliases(shell) === NONE ? -1 : shell.aliasVersion;
}

/** The lines of a piece as they were read. */
export function linesOf({ statements, source }: Script): string {
  const [first, last] = [statements[0], statements.at(-1)];
  if (first === undefined || last === undefined) return "";
  const from = source.lastIndexOf("\n", first.pos - 1) + 1;
  const to = source.indexOf("\n", Math.max(first.pos, last.end - 1));
  return source.slice(from, to === -1 ? undefined : to);
}
