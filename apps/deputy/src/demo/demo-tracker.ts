import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import type { Clock } from "@deputy/kit";
import { z } from "zod";
import { type DemoIssue, inventIssues } from "./demo-issues.ts";

/** A small issue tracker in a file, which is made when it is first asked. Every method throws when the file cannot be used. */
export interface DemoTracker {
  /** Oldest first. Throws when there is no such repository. */
  list(repository: string): readonly DemoIssue[];
  /** Closing twice changes nothing. Throws when there is no such issue. */
  close(repository: string, number: number): DemoIssue;
}

const fileSchema = z.object({
  issues: z.array(
    z.object({
      repository: z.string(),
      number: z.int(),
      title: z.string(),
      state: z.enum(["open", "closed"]),
      createdAt: z.iso.datetime(),
      updatedAt: z.iso.datetime(),
    }),
  ),
});

/** One process at a time uses the file: the one that holds the home. */
export function createDemoTracker({
  file,
  clock,
}: {
  readonly file: string;
  readonly clock: Clock;
}): DemoTracker {
  const write = (issues: readonly DemoIssue[]): void => {
    // Renamed into place, so that a crash leaves the old file or the new one.
    const fresh = `${file}.new`;
    writeFileSync(fresh, `${JSON.stringify({ issues }, null, 2)}\n`, { mode: 0o600, flush: true });
    renameSync(fresh, file);
  };

  const read = (): readonly DemoIssue[] => {
    if (!existsSync(file)) write(inventIssues(clock.now()));
    try {
      return fileSchema.parse(JSON.parse(readFileSync(file, "utf8"))).issues;
    } catch (cause) {
      throw new Error(`${basename(file)} in Deputy's home is damaged; delete it to start anew.`, { cause });
    }
  };

  const list = (repository: string): readonly DemoIssue[] => {
    const all = read();
    const found = all.filter((issue) => isSame(issue.repository, repository));
    if (found.length > 0) return found.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
    const known = [...new Set(all.map((issue) => issue.repository))].join(", ");
    throw new Error(`The demo tracker has no repository ${repository}; it has ${known}.`);
  };

  return {
    list,
    close(repository, number) {
      const issue = list(repository).find((one) => one.number === number);
      if (issue === undefined) throw new Error(`There is no issue ${repository}#${number}`);
      if (issue.state === "closed") return issue;
      const updatedAt = new Date(clock.now()).toISOString();
      const closed: DemoIssue = { ...issue, state: "closed", updatedAt };
      const isIt = (one: DemoIssue): boolean => one.repository === issue.repository && one.number === number;
      write(read().map((one) => (isIt(one) ? closed : one)));
      return closed;
    },
  };
}

/** As on GitHub, where names are written in either case. */
function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
