import type { ModelMessage, ToolResult } from "../model.ts";
import { isObject, parseJson, textIn } from "../wire/json.ts";
import { DEMO_REPOSITORY, draftProgram, EXPECTED_MISTAKE, mendedProgram } from "./close-issues-programs.ts";
import type { CloseIssuesRequest } from "./close-issues-request.ts";
import { summariseClosing } from "./close-issues-summary.ts";
import { HOW_TO_CONNECT, type RehearsalAnswer, reportProgram } from "./rehearsal-answer.ts";

/** The tools the play is written for, and by what their descriptions own up to being a demo. */
const PATHS = ["github.issues.close", "github.issues.list"] as const;
const DEMO_MARK = "demo: the folder demo in Deputy's home";

/**
 * The next thing to say and do, from what has been said since the request and nothing else: whoever asks
 * again after a crash gets the same answer.
 */
export function playCloseIssues(
  request: CloseIssuesRequest,
  since: readonly ModelMessage[],
): RehearsalAnswer {
  const step = lastStep(since);
  if (step === undefined) return { text: opening(request), call: search };
  switch (step.name) {
    case "search_tools":
      return hasDemo(step.result)
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
    "I am the rehearsal model: no language model, but a script that knows this one request. I play it on the " +
      "built-in demo tracker, a small service on this machine; nothing outside is touched. Everything else is " +
      "real: the typechecker, the sandbox, your approvals, the log.",
    ...assumed,
    "First I look for tools.",
  ].join(" ");
}

const NO_DEMO =
  "I can play this request only on the built-in demo tracker, and I do not find it: it gives way to tools of " +
  "your own, and of those I know nothing. Put a program into a ```ts block, and I run it. " +
  HOW_TO_CONNECT;

const FIRST_DRAFT =
  "A first program, with a mistake that models often make. It is checked before anything runs.";

function afterProgram(request: CloseIssuesRequest, { programs, result }: Step): RehearsalAnswer {
  const mistake = result.text.split("\n").find((line) => line.includes(`(${EXPECTED_MISTAKE})`));
  if (programs === 1 && result.isError && mistake !== undefined) {
    return {
      text: `Nothing has run: ${mistake} Dates are text here, so the second program reads them first. Each close waits for you.`,
      call: { name: "run_code", input: { code: mendedProgram(request) } },
    };
  }
  const summary = result.isError ? undefined : summariseClosing(request, result.text);
  return { text: `${summary ?? reportProgram(result)}\n\n${CLOSING}` };
}

const CLOSING =
  "That was the rehearsal, on demo data: the folder demo in Deputy's home. Delete it to start over. " +
  HOW_TO_CONNECT;

interface Step {
  /** The last call that has its result, with it. */
  readonly name: string;
  readonly result: ToolResult;
  /** How many programs there were so far. */
  readonly programs: number;
}

function lastStep(messages: readonly ModelMessage[]): Step | undefined {
  const calls = messages.flatMap((message) =>
    message.role === "assistant" ? message.parts.filter((part) => part.kind === "tool_call") : [],
  );
  const result = messages.flatMap((message) => (message.role === "tool" ? message.results : [])).at(-1);
  const call = calls.findLast(({ id }) => id === result?.callId);
  if (call === undefined || result === undefined) return undefined;
  return { name: call.name, result, programs: calls.filter(({ name }) => name === "run_code").length };
}

/** Whether the tools found are the demo's own: those of the user must not be played with. */
function hasDemo(found: ToolResult): boolean {
  const tools = found.isError ? undefined : parseJson(found.text);
  if (!Array.isArray(tools)) return false;
  return PATHS.every((path) =>
    tools.some(
      (tool) =>
        isObject(tool) && textIn(tool, "path") === path && textIn(tool, "description").includes(DEMO_MARK),
    ),
  );
}
