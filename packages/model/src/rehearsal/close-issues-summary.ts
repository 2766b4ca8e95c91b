import type { ToolResult } from "../model.ts";
import { countIn, isObject, listIn, textIn } from "../wire/json.ts";
import { DEMO_REPOSITORY } from "./close-issues-programs.ts";
import type { CloseIssuesRequest } from "./close-issues-request.ts";
import { resultIn } from "./play-step.ts";

/** The program's result in words. Undefined if the turn's report has no such result. */
export function summariseClosing(request: CloseIssuesRequest, report: ToolResult): string | undefined {
  const outcome = readOutcome(report);
  if (outcome === undefined) return undefined;
  const { open, closed, kept } = outcome;
  const { owner, repo } = request.repository ?? DEMO_REPOSITORY;
  const age = request.since === "createdAt" ? "older than" : "untouched for more than";
  const found = closed.length + kept.length;
  const heading = `${owner}/${repo} had ${countOf(open, "open issue")}; ${areOf(found)} ${age} ${countOf(request.days, "day")}.`;
  return [
    heading,
    ...listed(`Closed ${closed.length}:`, closed),
    ...listed(`Left open ${kept.length}:`, kept),
    ...(found === 0 ? ["Nothing was closed."] : []),
  ].join("\n");
}

interface Outcome {
  readonly open: number;
  readonly closed: readonly Issue[];
  readonly kept: readonly Issue[];
}

interface Issue {
  readonly number: number;
  readonly title: string;
  readonly why: string;
}

function readOutcome(report: ToolResult): Outcome | undefined {
  const result = resultIn(report);
  const open = countIn(result, "open");
  if (!isObject(result) || open === undefined) return undefined;
  return {
    open,
    closed: listIn(result, "closed").map(readIssue),
    kept: listIn(result, "kept").map(readIssue),
  };
}

function readIssue(value: unknown): Issue {
  const issue = isObject(value) ? value : {};
  return { number: countIn(issue, "number") ?? 0, title: textIn(issue, "title"), why: textIn(issue, "why") };
}

function listed(heading: string, issues: readonly Issue[]): readonly string[] {
  if (issues.length === 0) return [];
  return [
    heading,
    ...issues.map(({ number, title, why }) => `- #${number} ${title}${why === "" ? "" : `: ${why}`}`),
  ];
}

function countOf(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function areOf(count: number): string {
  if (count === 0) return "none is";
  return count === 1 ? "1 is" : `${count} are`;
}
