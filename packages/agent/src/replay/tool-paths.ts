import type { RecordedCell } from "./recorded-cell.ts";

/** How a program names a tool, nearly always. */
const NAMED = /\btools((?:\s*\??\.\s*[A-Za-z_$][\w$]*)+)/g;

/**
 * What the program may have found in `tools` then, which nobody wrote down: today's tools, those that the
 * session called, and those that a program names which was found to typecheck against them.
 */
export function toolPathsOf(cell: RecordedCell, known: ReadonlySet<string>): readonly string[] {
  if (cell.journal.kind === "lost" || cell.checked === undefined) return [...known];
  const named = [...cell.journal.program.code.matchAll(NAMED)].map(([, path = ""]) =>
    path.replaceAll(/[\s?]/g, "").slice(1),
  );
  const isNew = (path: string): boolean =>
    ![...known].some((other) => other.startsWith(`${path}.`) || path.startsWith(`${other}.`));
  return [...new Set([...known, ...named.filter(isNew)])];
}
