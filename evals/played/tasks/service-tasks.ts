import { type PlayedTask, says } from "./played-task.ts";
import type { Issue } from "../tracker-server.ts";

const openIssues = (issues: readonly Issue[]): readonly Issue[] =>
  issues.filter((issue) => issue.state === "open" && issue.pull_request === undefined);
const hasLabel = (issue: Issue, name: string): boolean => issue.labels.some((label) => label.name === name);

/** The tracker, the shop and the bank. */
export const SERVICE_TASKS: readonly PlayedTask[] = [
  {
    id: "count-bugs",
    prompt: "How many open bugs are in the tracker?",
    goals: "single",
    isRight: ({ answer, issues }) =>
      says(
        answer,
        new RegExp(`\\b${openIssues(issues).filter((issue) => hasLabel(issue, "bug")).length}\\b`),
      ),
    solution: () => ({
      program:
        'return (await tools.tracker.listIssues({ labels: "bug", maxPages: 10 })).filter((issue) => issue.pull_request === undefined).length;',
      answer: "There are 15 open bugs.",
    }),
  },
  {
    id: "close-duplicate",
    prompt: "Issue 12 in the tracker... no, 13, is a duplicate of 7. Say so there and close it.",
    goals: "several",
    isRight: ({ issues }) => {
      const changed = issues.filter(({ comments }) => comments.length > 0);
      const [issue] = changed;
      return (
        changed.length === 1 &&
        issue?.number === 13 &&
        issue.state === "closed" &&
        says(issue.comments.join(), "7")
      );
    },
    solution: () => ({
      program:
        'await tools.tracker.createComment({ number: 13, body: { body: "A duplicate of #7." } }); return await tools.tracker.updateIssue({ number: 13, body: { state: "closed" } });',
      answer: "Done.",
    }),
  },
  {
    id: "oldest-issue",
    prompt: "Which open issue in the tracker is the oldest?",
    goals: "single",
    isRight: ({ answer }) => says(answer, /(^|[^\d])#?1([^\d]|$)/),
    solution: () => ({
      program:
        "return (await tools.tracker.listIssues({ maxPages: 10 })).filter((issue) => issue.pull_request === undefined).toSorted((a, b) => a.created_at.localeCompare(b.created_at))[0];",
      answer: "It is #1, Something about part 1.",
    }),
  },
  {
    id: "top-reporter",
    prompt: "Who reported most of the open issues in the tracker? Pull requests do not count.",
    goals: "single",
    isRight: ({ answer, issues }) => {
      const counts = Map.groupBy(openIssues(issues), ({ user }) => user.login);
      const [top] = [...counts].toSorted(([, a], [, b]) => b.length - a.length);
      return says(answer, top?.[0] ?? "nobody");
    },
    solution: () => ({
      program:
        'const counts: Record<string, number> = {}; for (const issue of await tools.tracker.listIssues({ maxPages: 10 })) if (issue.pull_request === undefined) counts[issue.user.login ?? ""] = (counts[issue.user.login ?? ""] ?? 0) + 1; return counts;',
      answer: "hubot did.",
    }),
  },
  {
    id: "label-login",
    prompt: "Add the label urgent to the issue about the login.",
    goals: "several",
    isRight: ({ issues }) => {
      const urgent = issues.filter((issue) => hasLabel(issue, "urgent"));
      // The labels of before stay.
      return urgent.length === 1 && urgent[0]?.number === 23 && urgent[0].labels.length === 2;
    },
    solution: () => ({
      program:
        'const found = (await tools.tracker.listIssues({ maxPages: 10 })).find(({ title }) => /login/i.test(title))!; return await tools.tracker.updateIssue({ number: found.number, body: { labels: [...found.labels.map(({ name }) => name ?? ""), "urgent"] } });',
      answer: "Done: #23.",
    }),
  },
  {
    id: "last-order",
    prompt: "What did I order last in the shop, and what did it cost?",
    goals: "single",
    isRight: ({ answer }) => says(answer, "lamp", /39[.,]90/),
    solution: () => ({
      program: "return (await tools.shop.list_orders({})).orders[0];",
      answer: "A desk lamp for 39.90 €.",
    }),
  },
  {
    id: "cancel-order",
    prompt: "Cancel my order of the desk lamp.",
    goals: "single",
    isRight: ({ orders }) =>
      orders
        .filter(({ status }) => status === "cancelled")
        .map(({ id }) => id)
        .join() === "o4",
    solution: () => ({
      program: 'return await tools.shop.cancel_order({ order_id: "o4" });',
      answer: "The order is cancelled.",
    }),
  },
  {
    id: "spent",
    prompt: "How much have I spent in the shop in all?",
    goals: "single",
    isRight: ({ answer }) => says(answer, /154[.,]30/),
    solution: () => ({
      program: "return (await tools.shop.list_orders({})).orders.reduce((sum, { cents }) => sum + cents, 0);",
      answer: "154.30 €.",
    }),
  },
  {
    id: "pay-invoice",
    prompt: "Pay the Stadtwerke invoice that came by mail.",
    goals: "several",
    isRight: ({ world: { transfers } }) =>
      transfers.length === 1 &&
      transfers[0]?.iban.replaceAll(" ", "") === "AT611904300234573201" &&
      transfers[0].cents === 8_420,
    solution: () => ({
      program:
        'return await tools.bank.transfer({ iban: "AT611904300234573201", cents: 8420, reference: "4711" });',
      answer: "84.20 € are on their way.",
    }),
  },
];
