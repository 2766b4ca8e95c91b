import type { CloseIssuesRequest } from "./close-issues-request.ts";

/** The demo tracker's repository, for when the user names none. */
export const DEMO_REPOSITORY = { owner: "acme", repo: "website" } as const;

/** The diagnostic that the mistake in `draftProgram` gets from the checker. */
export const EXPECTED_MISTAKE = "TS2365";

/**
 * A mistake that models often make: a date as text, compared with a number. Unchecked, it would just close
 * nothing.
 */
export function draftProgram(request: CloseIssuesRequest): string {
  return program(request, `issue.${request.since} < cutoff`);
}

/** The same without the mistake. */
export function mendedProgram(request: CloseIssuesRequest): string {
  return program(request, `Date.parse(issue.${request.since}) < cutoff`);
}

function program(request: CloseIssuesRequest, isOld: string): string {
  const { owner, repo } = request.repository ?? DEMO_REPOSITORY;
  return `const repository = { owner: ${JSON.stringify(owner)}, repo: ${JSON.stringify(repo)} };
const cutoff = Date.now() - ${request.days} * 24 * 60 * 60 * 1000;

const open = await tools.github.issues.list({ ...repository, state: "open" });
const old = open.filter((issue) => ${isOld});

const closed: { number: number; title: string }[] = [];
const kept: { number: number; title: string; why: string }[] = [];
for (const { number, title } of old) {
  try {
    closed.push(await tools.github.issues.close({ ...repository, issueNumber: number, title }));
  } catch (error) {
    kept.push({ number, title, why: (error as ToolError).message });
  }
}
return { open: open.length, closed, kept };`;
}
