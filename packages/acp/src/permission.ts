import type {
  PermissionOption,
  RequestPermissionOutcome,
  RequestPermissionRequest,
  ToolCallContent,
} from "@agentclientprotocol/sdk";
import type { ApprovalAnswer, EventData } from "@deputy/protocol";
import { showApproval } from "@deputy/terminal/show";
import { fenced, kindOf, titleOf } from "./tool-content.ts";

type Question = EventData<"approval.requested">;

/** The question with nothing in it invisible. What it leaves out of long values is in the request's raw input. */
export function cardOf(question: Question): ToolCallContent {
  return fenced(showApproval(question));
}

/** One request for one question; a plan is one question, about every call on its card. */
export function permissionFor(sessionId: string, question: Question): RequestPermissionRequest {
  const { approvalId, toolPath, preview, input } = question;
  return {
    sessionId,
    toolCall: {
      toolCallId: approvalId,
      title: titleOf(preview.title),
      name: toolPath,
      kind: kindOf(toolPath),
      status: "pending",
      content: [cardOf(question)],
      rawInput: input,
    },
    options: optionsFor(question),
  };
}

function optionsFor(question: Question): PermissionOption[] {
  // An approval of one call's outcome says nothing about the next, so there is nothing to allow for longer.
  if (question.unknownCall !== undefined)
    return [
      { optionId: "once", kind: "allow_once", name: "Run it again" },
      { optionId: "reject", kind: "reject_once", name: "Leave it" },
    ];
  if (question.askedBy !== undefined)
    return [
      { optionId: "once", kind: "allow_once", name: "Yes" },
      { optionId: "reject", kind: "reject_once", name: "No" },
    ];
  return [
    {
      optionId: "once",
      kind: "allow_once",
      name: question.calls === undefined ? "Allow this call" : "Allow this plan",
    },
    { optionId: "session", kind: "allow_always", name: forSession(question) },
    ...(takesAnyValues(question) ? [ANY_VALUES] : []),
    { optionId: "reject", kind: "reject_once", name: "Reject" },
  ];
}

const ANY_VALUES: PermissionOption = {
  optionId: "session-any",
  kind: "allow_always",
  name: "Allow for this conversation, whatever the values",
};

function takesAnyValues({ anyValues, calls }: Question): boolean {
  return anyValues === true || calls?.some((call) => call.anyValues === true) === true;
}

/** Says how far it reaches: any call of the tool, or only the same input. */
function forSession({ calls, grantable, toolPath }: Question): string {
  if (calls !== undefined) {
    const isNarrow = calls.every((call) => call.grantable === "input");
    return isNarrow
      ? "Allow this plan, and the same again in this conversation"
      : "Allow these tools for this conversation";
  }
  return grantable === "input"
    ? "Allow the very same in this conversation"
    : `Allow ${titleOf(toolPath)} for this conversation`;
}

/** Anything but an offered way to allow it is a no. */
export function answerOf(question: Question, outcome: RequestPermissionOutcome): ApprovalAnswer {
  if (outcome.outcome === "cancelled")
    return { decision: "denied", reason: "The editor took the question away." };
  const isOffered = optionsFor(question).some(({ optionId }) => optionId === outcome.optionId);
  if (isOffered && outcome.optionId === "once") return { decision: "approved", scope: "once" };
  if (isOffered && (outcome.optionId === "session" || outcome.optionId === "session-any"))
    return { decision: "approved", scope: outcome.optionId };
  return { decision: "denied" };
}
