import { expect, test } from "vitest";
import { parseCloseIssues } from "./close-issues-request.ts";

const opened = { since: "createdAt", isDaysAssumed: false } as const;
const touched = { since: "updatedAt", isDaysAssumed: false } as const;
const repository = (owner: string, repo: string) => ({ repository: { owner, repo } });

test.each([
  [
    "On AnswerOverflow/AnswerOverflow, close all issues older than 30 days",
    { ...opened, days: 30, ...repository("AnswerOverflow", "AnswerOverflow") },
  ],
  ["Close all issues older than 90 days", { ...opened, days: 90 }],
  ["close every open issue older than 2 weeks.", { ...opened, days: 14 }],
  ["Can you please close the issues that are older than a year?", { ...opened, days: 365 }],
  ["Close issues opened more than 3 months ago, please", { ...opened, days: 90 }],
  [
    "Please close all GitHub issues in acme/web.site older than 1 day!",
    { ...opened, days: 1, ...repository("acme", "web.site") },
  ],
  ["close  all issues\n older than 7 days on a/b.", { ...opened, days: 7, ...repository("a", "b") }],
  ["Close old issues", { since: "createdAt", days: 90, isDaysAssumed: true }],
  ["close all stale issues", { since: "updatedAt", days: 90, isDaysAssumed: true }],
  [
    "In acme/website: close my inactive issues",
    { since: "updatedAt", days: 90, isDaysAssumed: true, ...repository("acme", "website") },
  ],
  ["Close all issues with no activity in 60 days", { ...touched, days: 60 }],
  ["close issues that haven’t been updated for a month", { ...touched, days: 30 }],
  ["Close any issues nobody has touched in the last 2 weeks", { ...touched, days: 14 }],
])("[MR1] recognizes: %s", (message, request) => {
  expect(parseCloseIssues(message)).toEqual({ repository: undefined, ...request });
});

test.each([
  "",
  "Hello",
  "Close all issues",
  "Do not close issues older than 90 days",
  "Never close old issues",
  "How do I close old issues?",
  "Every Monday close all issues older than 90 days",
  "When an issue is older than 90 days, close it",
  "Close all issues older than 90 days every week",
  "Close all issues older than 90 days except the security ones",
  "Close all issues older than 90 days that are labelled wontfix",
  "Close all issues older than 90 days and write to their authors",
  "Close all issues newer than 90 days",
  "Close all pull requests older than 90 days",
  "Delete all issues older than 90 days",
  "On a/b, close all issues in c/d older than 90 days",
  "Close all issues older than 99999 days",
  `Close all issues ${" ".repeat(300)} older than 90 days`,
])("[MR1] does not recognize: %s", (message) => {
  expect(parseCloseIssues(message)).toBeUndefined();
});
