import { defineTool, type ToolTree } from "@deputy/tools/plugin-api";
import { z } from "zod";
import { openService, type ServiceOptions } from "../ask-service.ts";

const name = z.string().regex(/^(?!\.{1,2}$)[\w.-]{1,100}$/, "must be a name as GitHub has them");
const repository = {
  owner: name.describe("Who owns the repository"),
  repo: name.describe("The repository's name"),
};
const number = z.int().positive().describe("The issue's number");
const paging = {
  limit: z.int().min(1).max(100).default(30),
  page: z.int().min(1).default(1),
};
const state = z.enum(["open", "closed", "all"]).default("open");

const user = z.object({ login: z.string() }).nullish();
const labels = z.array(z.union([z.string(), z.object({ name: z.string().nullish() })])).default([]);
const rawIssue = z.object({
  number: z.number(),
  title: z.string(),
  state: z.string(),
  state_reason: z.string().nullish(),
  body: z.string().nullish(),
  user,
  labels,
  comments: z.number().default(0),
  created_at: z.string(),
  updated_at: z.string(),
  html_url: z.string(),
  pull_request: z.unknown().optional(),
});
const rawPull = rawIssue.omit({ comments: true, pull_request: true }).extend({
  draft: z.boolean().default(false),
  head: z.object({ ref: z.string() }),
  base: z.object({ ref: z.string() }),
});
const rawRepository = z.object({
  full_name: z.string(),
  description: z.string().nullish(),
  stargazers_count: z.number(),
  language: z.string().nullish(),
  updated_at: z.string(),
  html_url: z.string(),
});

const issue = z.object({
  number: z.number(),
  title: z.string(),
  state: z.string(),
  author: z.string(),
  labels: z.array(z.string()),
  comments: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
  url: z.string(),
});

function toIssue(raw: z.infer<typeof rawIssue>): z.infer<typeof issue> {
  return {
    number: raw.number,
    title: raw.title,
    state: raw.state,
    author: raw.user?.login ?? "ghost",
    labels: raw.labels.map((label) => (typeof label === "string" ? label : (label.name ?? ""))),
    comments: raw.comments,
    createdAt: raw.created_at,
    updatedAt: raw.updated_at,
    url: raw.html_url,
  };
}

function toPull(raw: z.infer<typeof rawPull>) {
  const { comments: _none, ...told } = toIssue({ ...raw, comments: 0 });
  return { ...told, isDraft: raw.draft, from: raw.head.ref, into: raw.base.ref };
}

const pathOf = ({ owner, repo }: { owner: string; repo: string }): string =>
  `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}`;

const WHAT = "A token for api.github.com; to write, one that may write issues";

/**
 * `tools.github.*`, over GitHub's REST API. Reading just runs; opening, closing and commenting wait for approval and show
 * what will be written. GitHub vouches for numbers, states and times, and for nothing that people write.
 */
export function createGitHubPlugin(options: ServiceOptions = {}): ToolTree {
  const { ask, needed } = openService(
    {
      name: "GitHub",
      credential: "github",
      what: WHAT,
      baseUrl: "https://api.github.com",
      headers: { accept: "application/vnd.github+json", "x-github-api-version": "2022-11-28" },
    },
    options,
  );
  return {
    github: {
      issues: {
        list: defineTool({
          description: "List the issues of a repository, the newest first; pull requests are left out",
          approval: "auto",
          effect: "read",
          ...needed,
          trust: { values: ["*.number", "*.state", "*.createdAt", "*.updatedAt"] },
          args: z.object({
            ...repository,
            ...paging,
            state,
            labels: z
              .array(z.string().regex(/^[^,]+$/))
              .default([])
              .describe("All of them"),
          }),
          returns: z.array(issue),
          source: ({ owner, repo }) => `GitHub ${owner}/${repo}`,
          run: async (input, context) => {
            const query = {
              state: input.state,
              per_page: String(input.limit),
              page: String(input.page),
              ...(input.labels.length === 0 ? {} : { labels: input.labels.join(",") }),
            };
            const request = { path: `${pathOf(input)}/issues`, query };
            const found = await ask(request, z.array(rawIssue), context);
            return found.filter(({ pull_request }) => pull_request === undefined).map(toIssue);
          },
        }),

        get: defineTool({
          description: "One issue, with its text",
          approval: "auto",
          effect: "read",
          ...needed,
          trust: { values: ["number", "state", "createdAt", "updatedAt"] },
          args: z.object({ ...repository, number }),
          returns: issue.extend({ body: z.string() }),
          source: ({ owner, repo }) => `GitHub ${owner}/${repo}`,
          run: async (input, context) => {
            const request = { path: `${pathOf(input)}/issues/${input.number}` };
            const found = await ask(request, rawIssue, context);
            return { ...toIssue(found), body: found.body ?? "" };
          },
        }),

        create: defineTool({
          description: "Open an issue",
          approval: "required",
          effect: "egress",
          ...needed,
          idempotent: false,
          args: z.object({
            ...repository,
            title: z.string().min(1).max(256),
            body: z.string().max(65_536).default(""),
            labels: z.array(z.string().min(1)).max(100).default([]),
          }),
          returns: issue,
          run: async (input, context) => {
            const body = { title: input.title, body: input.body, labels: input.labels };
            const path = `${pathOf(input)}/issues`;
            const request = { method: "POST", path, body } as const;
            return toIssue(await ask(request, rawIssue, context));
          },
          formatApproval: (input) => ({
            title: `Open an issue in ${input.owner}/${input.repo}: ${input.title}`,
            details: [
              input.body === "" ? "(no text)" : input.body,
              ...(input.labels.length === 0 ? [] : ["", `Labels: ${input.labels.join(", ")}`]),
            ].join("\n"),
          }),
        }),

        close: defineTool({
          description: "Close an issue",
          approval: "required",
          effect: "write",
          ...needed,
          idempotent: true,
          args: z.object({
            ...repository,
            number,
            reason: z.enum(["completed", "not_planned"]).default("completed"),
          }),
          returns: issue,
          run: async (input, context) => {
            const body = { state: "closed", state_reason: input.reason };
            const path = `${pathOf(input)}/issues/${input.number}`;
            const request = { method: "PATCH", path, body } as const;
            return toIssue(await ask(request, rawIssue, context));
          },
          formatApproval: (input) => ({
            title: `Close ${input.owner}/${input.repo}#${input.number} as ${input.reason.replace("_", " ")}`,
          }),
        }),

        comment: defineTool({
          description: "Comment on an issue or a pull request",
          approval: "required",
          effect: "egress",
          ...needed,
          idempotent: false,
          args: z.object({ ...repository, number, body: z.string().min(1).max(65_536) }),
          returns: z.object({ id: z.number(), url: z.string() }),
          run: async (input, context) => {
            const path = `${pathOf(input)}/issues/${input.number}/comments`;
            const body = { body: input.body };
            const request = { method: "POST", path, body } as const;
            const comment = z.object({ id: z.number(), html_url: z.string() });
            const made = await ask(request, comment, context);
            return { id: made.id, url: made.html_url };
          },
          formatApproval: (input) => ({
            title: `Comment on ${input.owner}/${input.repo}#${input.number}`,
            details: input.body,
          }),
        }),
      },

      pulls: {
        list: defineTool({
          description: "List the pull requests of a repository, the newest first",
          approval: "auto",
          effect: "read",
          ...needed,
          trust: { values: ["*.number", "*.state", "*.createdAt", "*.updatedAt"] },
          args: z.object({ ...repository, ...paging, state }),
          returns: z.array(
            issue
              .omit({ comments: true })
              .extend({ isDraft: z.boolean(), from: z.string(), into: z.string() }),
          ),
          source: ({ owner, repo }) => `GitHub ${owner}/${repo}`,
          run: async (input, context) => {
            const query = { state: input.state, per_page: String(input.limit), page: String(input.page) };
            const request = { path: `${pathOf(input)}/pulls`, query };
            const found = await ask(request, z.array(rawPull), context);
            return found.map(toPull);
          },
        }),
      },

      repos: {
        search: defineTool({
          description: "Search all public repositories, the best match first",
          approval: "auto",
          effect: "read",
          ...needed,
          args: z.object({ query: z.string().min(1).max(256), limit: z.int().min(1).max(100).default(10) }),
          returns: z.array(
            z.object({
              name: z.string(),
              description: z.string(),
              stars: z.number(),
              language: z.string(),
              updatedAt: z.string(),
              url: z.string(),
            }),
          ),
          source: () => "GitHub's search",
          run: async (input, context) => {
            const query = { q: input.query, per_page: String(input.limit) };
            const request = { path: "/search/repositories", query };
            const { items } = await ask(request, z.object({ items: z.array(rawRepository) }), context);
            return items.map((raw) => ({
              name: raw.full_name,
              description: raw.description ?? "",
              stars: raw.stargazers_count,
              language: raw.language ?? "",
              updatedAt: raw.updated_at,
              url: raw.html_url,
            }));
          },
        }),
      },
    },
  };
}
