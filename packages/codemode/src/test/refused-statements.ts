import type { TypeChecker } from "../type-checker.ts";

/**
 * Which of these statements, one per line, TypeScript refuses. A checker limits what it reports, so
 * statements it did not name are checked again without the others.
 */
export async function refusedStatements(
  checker: TypeChecker,
  declarations: string,
  statements: readonly string[],
): Promise<ReadonlySet<number>> {
  const refused = new Set<number>();
  for (;;) {
    const open = [...statements.keys()].filter((index) => !refused.has(index));
    const code = open.map((index) => statements[index]).join("\n");
    const found = await checker.check({ code, declarations }, new AbortController().signal);
    const lines = new Set(found.map(({ line }) => line));
    if (lines.size === 0) return refused;
    for (const [line, index] of open.entries()) if (lines.has(line + 1)) refused.add(index);
  }
}
