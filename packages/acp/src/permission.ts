import type {
  PermissionOption,
  RequestPermissionOutcome,
  RequestPermissionRequest,
  ToolCallContent,
} from "@agentclientprotocol/sdk";
import type { ApprovalAnswer, EventData } from "@deputy/protocol";
import { showApproval } from "@deputy/terminal";
import { fenced, kindOf, titleOf } from "./tool-content.ts";

type Question = EventData<"approval.requested">;

/** The whole question, to the end of every input, with nothing in it invisible. */
export function cardOf({ approvalId, toolPath, input, preview }: Question): ToolCallContent {
  return fenced(showApproval({ type: "approval_request", id: approvalId, toolPath, input, preview }));
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
  // The outcome of one call says nothing about the next, so there is nothing to allow for longer.
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
    { optionId: "once", kind: "allow_once", name: question.calls === undefined ? "Allow once" : "Allow all" },
    { optionId: "session", kind: "allow_always", name: forSession(question) },
    { optionId: "reject", kind: "reject_once", name: "Reject" },
  ];
}

/** Says how far it reaches: any call of the tool, or no more than the very same. */
function forSession({ calls, grantable, toolPath }: Question): string {
  if (calls !== undefined) {
    const isNarrow = calls.every((call) => call.grantable === "input");
    return isNarrow
      ? "Allow all, and the same again in this session"
      : "Allow all, and these tools for this session";
  }
  return grantable === "input"
    ? "Allow the very same for this session"
    : `Allow ${titleOf(toolPath)} for this session`;
}

/** Everything except one of the offered ways to allow it is a no. */
export function answerOf(question: Question, outcome: RequestPermissionOutcome): ApprovalAnswer {
  if (outcome.outcome === "cancelled")
    return { decision: "denied", reason: "The editor took the question away." };
  const isOffered = optionsFor(question).some(({ optionId }) => optionId === outcome.optionId);
  if (isOffered && outcome.optionId === "once") return { decision: "approved", scope: "once" };
  if (isOffered && outcome.optionId === "session") return { decision: "approved", scope: "session" };
  return { decision: "denied" };
}
