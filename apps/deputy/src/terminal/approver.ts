import type { ApprovalAnswer, TaskEvent } from "@deputy/protocol";
import type { ApproveMode } from "./approve-modes.ts";
import type { LineReader } from "./line-reader.ts";

/** Answers approval requests for the person at the terminal. */
export interface Approver {
  answer(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer>;
}

type ApprovalRequest = Extract<TaskEvent, { type: "approval_request" }>;

/** `ask` reads one line per request; when the input has ended there is nobody to ask, and the answer is no. */
export function createApprover(mode: ApproveMode, reader: LineReader): Approver {
  return {
    async answer(_request, signal) {
      if (mode === "all") return { decision: "approved" };
      if (mode === "none") return { decision: "denied", reason: "Denied by --approve none." };
      for (;;) {
        const line = await reader.next("  Approve? [y]es, [n]o, [s]ession: ", signal);
        if (line === undefined) return { decision: "denied", reason: "Nobody was there to answer." };
        const answer = parseAnswer(line);
        if (answer !== undefined) return answer;
      }
    },
  };
}

/** `n because …` carries a reason. */
function parseAnswer(line: string): ApprovalAnswer | undefined {
  const [word = "", ...rest] = line.trim().split(/\s+/);
  const reason = rest.join(" ");
  switch (word.toLowerCase()) {
    case "y":
    case "yes":
      return { decision: "approved" };
    case "s":
    case "session":
      return { decision: "approved", scope: "session" };
    // Only for a call whose outcome is unknown: the user has looked.
    case "h":
    case "happened":
      return gave(reason);
    case "n":
    case "no":
      return reason === "" ? { decision: "denied" } : { decision: "denied", reason };
    default:
      return undefined;
  }
}

/** Undefined for what is no JSON; nothing at all counts as null. */
function gave(json: string): ApprovalAnswer | undefined {
  try {
    return { decision: "denied", result: { value: json === "" ? null : JSON.parse(json) } };
  } catch {
    return undefined;
  }
}
