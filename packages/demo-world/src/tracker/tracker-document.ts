import { demoMark, answers, KEY, list, object, parameter, ref, takes, text, time } from "../demo-mark.ts";

const mark = demoMark("GitHub");
const state = { type: "string", enum: ["open", "closed"] } as const;

const repository = [
  parameter("owner", "path", text("Who owns the repository")),
  parameter("repo", "path", text("The repository's name")),
];
const issue = [
  ...repository,
  parameter("issueNumber", "path", { type: "integer", description: "The issue's number" }),
];

const summary = {
  number: { type: "integer" },
  title: { type: "string" },
  state,
  createdAt: time("When it was opened"),
  updatedAt: time("When it was last changed"),
};

/** The OpenAPI document of the tracker's service. */
export const trackerDocument = {
  openapi: "3.1.0",
  info: { title: "Demo tracker", version: "1" },
  paths: {
    "/repos": {
      get: {
        tags: ["repositories"],
        operationId: "list",
        summary: `List the repositories ${mark}`,
        responses: answers(list(object({ name: text("owner/repo"), openIssues: { type: "integer" } }))),
      },
    },
    "/repos/{owner}/{repo}/issues": {
      get: {
        tags: ["issues"],
        operationId: "list",
        summary: `List the issues of a repository, oldest first ${mark}`,
        parameters: [
          ...repository,
          parameter("state", "query", { type: "string", enum: ["open", "closed", "all"], default: "open" }),
        ],
        responses: answers(list(ref("Issue"))),
      },
    },
    "/repos/{owner}/{repo}/issues/{issueNumber}": {
      get: {
        tags: ["issues"],
        operationId: "get",
        summary: `Get an issue with its comments ${mark}`,
        parameters: issue,
        responses: answers(object({ ...summary, comments: list(ref("Comment")) })),
      },
    },
    "/repos/{owner}/{repo}/issues/{issueNumber}/close": {
      post: {
        tags: ["issues"],
        operationId: "close",
        summary: `Close an issue ${mark}`,
        "x-deputy-preview": "Close {owner}/{repo}#{issueNumber} in the demo tracker\n{title}",
        parameters: [
          ...issue,
          parameter("title", "query", text("Its title as you know it: with another one it stays open")),
          KEY,
        ],
        responses: answers(object({ number: { type: "integer" }, title: { type: "string" }, state })),
      },
    },
    "/repos/{owner}/{repo}/issues/{issueNumber}/comments": {
      post: {
        tags: ["issues"],
        operationId: "comment",
        summary: `Comment on an issue ${mark}`,
        "x-deputy-preview": "Comment on {owner}/{repo}#{issueNumber} in the demo tracker\n{body.text}",
        parameters: [...issue, KEY],
        requestBody: takes(object({ text: text("What to say") })),
        responses: answers(ref("Comment"), 201),
      },
    },
  },
  components: {
    schemas: {
      Issue: object(summary),
      Comment: object({
        id: { type: "integer" },
        author: { type: "string" },
        text: { type: "string" },
        createdAt: time("When it was written"),
      }),
    },
  },
} as const;
