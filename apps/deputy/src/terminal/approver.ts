import type { CallId } from "@deputy/kit";
import { type ApprovalAnswer, readPlanCard, type TaskEvent } from "@deputy/protocol";
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
    async answer(request, signal) {
      if (mode === "all") return { decision: "approved" };
      if (mode === "none") return { decision: "denied", reason: "Denied by --approve none." };
      const calls = readPlanCard(request)?.calls.map(({ callId }) => callId);
      const question = calls === undefined ? ASK : ASK_PLAN;
      for (;;) {
        const line = await reader.next(question, signal);
        if (line === undefined) return { decision: "denied", reason: "Nobody was there to answer." };
        const answer = (calls && parseSome(line, calls)) ?? parseAnswer(line);
        if (answer !== undefined) return answer;
      }
    },
  };
}

const ASK = "  Approve? [y]es, [n]o, [s]ession: ";
const ASK_PLAN = "  Approve? [y]es to all, [n]o, [s]ession, or some, as in 1,3-5: ";

/** `1,3-5 because …` approves those of a plan; the reason is for the others. Undefined for anything else. */
export function parseSome(line: string, calls: readonly CallId[]): ApprovalAnswer | undefined {
  const [, list, reason = ""] =
    /^\s*(\d+(?:\s*-\s*\d+)?(?:\s*,\s*\d+(?:\s*-\s*\d+)?)*)(?:\s+(.*))?$/.exec(line) ?? [];
  if (list === undefined) return undefined;
  const chosen = new Set<CallId>();
  for (const range of list.split(",")) {
    const [from = 0, to = from] = range.split("-").map(Number);
    if (from < 1 || to < from || to > calls.length) return undefined;
    for (const callId of calls.slice(from - 1, to)) chosen.add(callId);
  }
  const given = reason.trim();
  return { decision: "approved", calls: [...chosen], ...(given === "" ? {} : { reason: given }) };
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
