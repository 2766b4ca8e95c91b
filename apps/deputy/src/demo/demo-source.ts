import { join } from "node:path";
import type { Clock } from "@deputy/kit";
import type { ModelRef } from "@deputy/model";
import { defineTool, type ToolSource, type ToolTree } from "@deputy/tools";
import { z } from "zod";
import { createDemoTracker, type DemoTracker } from "./demo-tracker.ts";

const FILE = "demo-issues.json";
const NAMESPACE = "github";

/**
 * What the rehearsal model plays on. None for any other model, and none beside tools of the user in the same
 * namespace: nobody shall wonder which tracker is real.
 */
export function demoSources(
  model: ModelRef,
  sources: readonly ToolSource[],
  deps: { readonly home: string; readonly clock: Clock },
): readonly ToolSource[] {
  if (model.provider !== "rehearsal") return [];
  if (sources.some(({ tree }) => Object.hasOwn(tree, NAMESPACE))) return [];
  const tracker = createDemoTracker({ file: join(deps.home, FILE), clock: deps.clock });
  return [{ source: "the demo", tree: { [NAMESPACE]: { issues: issueTools(tracker) } } }];
}

const repository = {
  owner: z.string().min(1).describe("Who owns the repository"),
  repo: z.string().min(1).describe("The repository's name"),
};

/** Their descriptions say that it is a demo: by that the rehearsal model knows them. */
function issueTools(tracker: DemoTracker): ToolTree {
  return {
    list: defineTool({
      description: `List the issues of a repository, oldest first (demo: ${FILE} in Deputy's home, not GitHub)`,
      approval: "auto",
      args: z.object({ ...repository, state: z.enum(["open", "closed", "all"]).default("open") }),
      returns: z.array(
        z.object({
          number: z.int(),
          title: z.string(),
          state: z.enum(["open", "closed"]),
          createdAt: z.iso.datetime().describe("When it was opened"),
          updatedAt: z.iso.datetime().describe("When somebody last touched it"),
        }),
      ),
      run: ({ owner, repo, state }) =>
        tracker.list(`${owner}/${repo}`).filter((issue) => state === "all" || issue.state === state),
    }),

    close: defineTool({
      description: `Close an issue (demo: ${FILE} in Deputy's home, not GitHub)`,
      approval: "required",
      idempotent: true,
      args: z.object({ ...repository, issueNumber: z.int().describe("The issue's number") }),
      returns: z.object({ number: z.int(), title: z.string(), state: z.enum(["open", "closed"]) }),
      run: ({ owner, repo, issueNumber }) => tracker.close(`${owner}/${repo}`, issueNumber),
      formatApproval: ({ owner, repo, issueNumber }) => {
        const issue = tracker.list(`${owner}/${repo}`).find(({ number }) => number === issueNumber);
        const title = `Close ${owner}/${repo}#${issueNumber} in the demo tracker`;
        if (issue === undefined) return { title };
        const [opened, touched] = [issue.createdAt.slice(0, 10), issue.updatedAt.slice(0, 10)];
        return { title, details: `${issue.title}\nOpened ${opened}, last touched ${touched}` };
      },
    }),
  };
}
