import { readdirSync, readFileSync } from "node:fs";

const RULE = /^- \*\*([A-Z]+\d+)\*\*/gm;
const TITLE = /["'`]((?:\[[A-Z]+\d+\] ?)+)/g;

/**
 * Throws unless the rules of a SPEC.md (lines that begin `- **P3**`) and those cited by the tests
 * under the directories (titles that begin `[P3]`, or `[P3] [P4]`) are the same ones.
 */
export function assertSpecCited(spec: URL, ...testDirs: readonly URL[]): void {
  const rules = [...readFileSync(spec, "utf8").matchAll(RULE)].map(([, id]) => id ?? "");
  const cited = new Set(testDirs.flatMap(citedUnder));
  const problems = [
    ...rules.filter((id, index) => rules.indexOf(id) !== index).map((id) => `${id} is defined twice`),
    ...rules.filter((id) => !cited.has(id)).map((id) => `${id} is cited by no test`),
    ...[...cited]
      .filter((id) => !rules.includes(id))
      .map((id) => `${id} is cited but not in the specification`),
  ];
  if (rules.length === 0) problems.push("it has no rules");
  if (problems.length > 0) throw new Error(`${spec.pathname}: ${problems.join("; ")}`);
}

function citedUnder(dir: URL): readonly string[] {
  const sources = readdirSync(dir, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.includes("node_modules"))
    .map((path) => readFileSync(new URL(path, dir), "utf8"))
    .join("\n");
  const titles = [...sources.matchAll(TITLE)].map(([title]) => title).join(" ");
  return [...titles.matchAll(/[A-Z]+\d+/g)].map(([id]) => id);
}
