import { join } from "node:path";
import type { Clock } from "@deputy/kit";
import { z } from "zod";
import { createDemoFile } from "../demo-file.ts";
import { inventIssues } from "./invent-issues.ts";

const commentSchema = z.object({
  id: z.int(),
  author: z.string(),
  text: z.string(),
  createdAt: z.iso.datetime(),
  /** The idempotency key of the request that wrote it. */
  key: z.string().optional(),
});

const issueSchema = z.object({
  /** `owner/repo`. */
  repository: z.string(),
  number: z.int(),
  title: z.string(),
  state: z.enum(["open", "closed"]),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  comments: z.array(commentSchema),
});
export type DemoIssue = z.infer<typeof issueSchema>;
type DemoComment = z.infer<typeof commentSchema>;

const fileSchema = z.object({ issues: z.array(issueSchema) });

/** A small issue tracker in a file. Every method throws when the file cannot be used. */
export interface Tracker {
  /** All, in the order in which they were opened. */
  repositories(): readonly { readonly name: string; readonly openIssues: number }[];
  /** Oldest first; empty when there is no such repository. Its name may be written in either case. */
  issues(repository: string): readonly DemoIssue[];
  /** Closing twice changes nothing. */
  close(issue: DemoIssue): DemoIssue;
  /** The same `key` again writes no second one. */
  comment(issue: DemoIssue, text: string, key: string | undefined): DemoComment;
}

export function createTracker({
  folder,
  clock,
}: {
  readonly folder: string;
  readonly clock: Pick<Clock, "now">;
}): Tracker {
  const file = createDemoFile(join(folder, "tracker.json"), fileSchema, () => ({
    issues: inventIssues(clock.now()),
  }));
  const now = (): string => new Date(clock.now()).toISOString();
  const replace = (changed: DemoIssue): void => {
    const isIt = (one: DemoIssue): boolean =>
      one.repository === changed.repository && one.number === changed.number;
    file.write({ issues: file.read().issues.map((one) => (isIt(one) ? changed : one)) });
  };
  return {
    repositories() {
      const byName = Map.groupBy(file.read().issues, ({ repository }) => repository);
      return [...byName].map(([name, issues]) => {
        return { name, openIssues: issues.filter(({ state }) => state === "open").length };
      });
    },
    issues(repository) {
      const wanted = repository.toLowerCase();
      const found = file.read().issues.filter((issue) => issue.repository.toLowerCase() === wanted);
      return found.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
    },
    close(issue) {
      if (issue.state === "closed") return issue;
      const closed: DemoIssue = { ...issue, state: "closed", updatedAt: now() };
      replace(closed);
      return closed;
    },
    comment(issue, text, key) {
      const before = issue.comments.find((one) => key !== undefined && one.key === key);
      if (before !== undefined) return before;
      const createdAt = now();
      const comment: DemoComment = { id: issue.comments.length + 1, author: "you", text, createdAt, key };
      replace({ ...issue, updatedAt: createdAt, comments: [...issue.comments, comment] });
      return comment;
    },
  };
}
