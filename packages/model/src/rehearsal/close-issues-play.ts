import type { ModelMessage } from "../model.ts";
import { DEMO_REPOSITORY, draftProgram, EXPECTED_MISTAKE, mendedProgram } from "./close-issues-programs.ts";
import type { CloseIssuesRequest } from "./close-issues-request.ts";
import { summariseClosing } from "./close-issues-summary.ts";
import { hasDemoTools } from "./demo-tools.ts";
import { lastStep, type PlayStep } from "./play-step.ts";
import { HOW_TO_CONNECT, type RehearsalAnswer, reportProgram } from "./rehearsal-answer.ts";

/** The tools the play is written for. */
const PATHS = ["github.issues.close", "github.issues.list"] as const;

/**
 * The next thing to say and do, decided only by what was said since the request: after a crash, the same
 * question gets the same answer.
 */
export function playCloseIssues(
  request: CloseIssuesRequest,
  since: readonly ModelMessage[],
): RehearsalAnswer {
  const step = lastStep(since);
  if (step === undefined) return { text: opening(request), call: search };
  switch (step.name) {
    case "search_tools":
      return hasDemoTools(step.result, PATHS)
        ? { text: "", call: { name: "describe_tools", input: { paths: PATHS } } }
        : { text: NO_DEMO };
    case "describe_tools":
      return { text: FIRST_DRAFT, call: { name: "run_code", input: { code: draftProgram(request) } } };
    default:
      return afterProgram(request, step);
  }
}

const search = { name: "search_tools", input: { query: "github issues list close" } } as const;

function opening(request: CloseIssuesRequest): string {
  const { owner, repo } = DEMO_REPOSITORY;
  const assumed = [
    ...(request.repository === undefined ? [`You named no repository, so I take ${owner}/${repo}.`] : []),
    ...(request.isDaysAssumed ? [`You named no age, so I take ${request.days} days.`] : []),
  ];
  return [
    "I am the rehearsal model: not a language model, but a script that knows this request. I play it on the " +
      "built-in demo tracker, a small service on this machine; it touches nothing outside. Everything else is " +
      "real: the typechecker, the sandbox, your approvals, the log.",
    ...assumed,
    "First I search for tools.",
  ].join(" ");
}

const NO_DEMO =
  "I can play this request only on the built-in demo tracker, and it is not available: tools of your own have " +
  "its name, and I know nothing about them. Put a program into a ```ts block, and I will run it. " +
  HOW_TO_CONNECT;

const FIRST_DRAFT =
  "Here is a first program, with a mistake that models often make. Deputy checks it before anything runs.";

function afterProgram(request: CloseIssuesRequest, { programs, result }: PlayStep): RehearsalAnswer {
  const mistake = result.text.split("\n").find((line) => line.includes(`(${EXPECTED_MISTAKE})`));
  if (programs === 1 && result.isError && mistake !== undefined) {
    return {
      text: `Nothing has run: ${mistake} Dates are text here, so the second program parses them first. Each close needs your approval.`,
      call: { name: "run_code", input: { code: mendedProgram(request) } },
    };
  }
  const summary = summariseClosing(request, result);
  return { text: `${summary ?? reportProgram(result)}\n\n${CLOSING}` };
}

const CLOSING =
  "That was the rehearsal, on demo data in the folder demo of Deputy's home. `deputy demo reset` starts it over. " +
  HOW_TO_CONNECT;
