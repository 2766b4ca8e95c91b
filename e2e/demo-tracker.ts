import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Issues of the demo that are closed, as `owner/repository#number`. */
export function closedIssues(home: string): readonly string[] {
  const file = join(home, "demo/tracker.json");
  if (!existsSync(file)) return [];
  const { issues } = JSON.parse(readFileSync(file, "utf8")) as {
    issues: { repository: string; number: number; state: string }[];
  };
  return issues.flatMap(({ repository, number, state }) =>
    state === "closed" ? [`${repository}#${number}`] : [],
  );
}
