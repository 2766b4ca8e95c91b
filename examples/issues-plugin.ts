import { defineTool } from "@deputy/tools";
import { z } from "zod";

// A plugin is a file whose default export is a tree of tools. This one is a small issue tracker that
// lives in memory: it starts anew with every run of Deputy, and nothing outside is touched.

const DAY_MS = 24 * 60 * 60 * 1000;

interface Issue {
  readonly number: number;
  readonly title: string;
  state: "open" | "closed";
  readonly updatedAt: string;
}

const issueNamed = (number: number, title: string, daysOld: number): Issue => ({
  number,
  title,
  state: "open",
  updatedAt: new Date(Date.now() - daysOld * DAY_MS).toISOString(),
});

const issues: readonly Issue[] = [
  issueNamed(1, "Search finds nothing on Safari", 212),
  issueNamed(2, "Typo on the pricing page", 95),
  issueNamed(3, "Dark mode flickers", 61),
  issueNamed(4, "Upload fails above 2 GB", 34),
  issueNamed(5, "Add a dashboard for teams", 12),
  issueNamed(6, "Sign-in loops after password reset", 1),
];

const repository = {
  owner: z.string().default("acme").describe("Who owns the repository"),
  repo: z.string().default("demo").describe("The repository's name"),
};

export default {
  github: {
    issues: {
      list: defineTool({
        description: "List the issues of a repository, oldest first",
        approval: "auto",
        args: z.object({ ...repository, state: z.enum(["open", "closed", "all"]).default("open") }),
        returns: z.array(
          z.object({
            number: z.number(),
            title: z.string(),
            state: z.enum(["open", "closed"]),
            updatedAt: z.iso.datetime().describe("When it was last changed"),
          }),
        ),
        run: ({ state }) => issues.filter((issue) => state === "all" || issue.state === state),
      }),

      close: defineTool({
        description: "Close an issue",
        approval: "required",
        idempotent: true,
        args: z.object({ ...repository, issueNumber: z.int().describe("The issue's number") }),
        returns: z.object({ number: z.number(), title: z.string(), state: z.string() }),
        run: ({ issueNumber }) => {
          const issue = issues.find(({ number }) => number === issueNumber);
          if (issue === undefined) throw new Error(`There is no issue #${issueNumber}`);
          issue.state = "closed";
          return { number: issue.number, title: issue.title, state: issue.state };
        },
        formatApproval: ({ owner, repo, issueNumber }) => {
          const title = issues.find(({ number }) => number === issueNumber)?.title;
          return {
            title: `Close ${owner}/${repo}#${issueNumber}`,
            ...(title === undefined ? {} : { details: title }),
          };
        },
      }),
    },
  },
};
