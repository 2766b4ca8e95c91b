import type { CallId } from "@deputy/kit";
import { type ApprovalAnswer, type ApprovalScope, readPlanCard } from "@deputy/protocol";
import type { ApprovalRequest } from "../chat/chat-block.ts";
import { createFormFilling, lacksValues } from "./fill-form.ts";

/** What a plain yes means where it reaches further than the question. */
const FAR_YES: Partial<Record<ApprovalScope, string>> = {
  session: ", for this conversation",
  "session-any": ", for this conversation, whatever the values",
};

/** The end of a question: how it can be answered, and what a yes means. */
export function askFor(request: ApprovalRequest): string {
  if (request.form !== undefined && createFormFilling(request.form) !== undefined) {
    const yes = lacksValues(request.form) ? [] : ["[y]es to what is proposed"];
    return `Answer? ${["[f]ill it in", ...yes, "[n]o", "[d]etails"].join(", ")}:`;
  }
  const { scopes = [], scope, sameOnly } = request.card ?? {};
  const isPlan = readPlanCard(request) !== undefined;
  const far = scope === undefined ? undefined : FAR_YES[scope];
  const choices = [
    isPlan ? `[y]es to all${far === undefined ? "" : ` (what asks once${far})`}` : `[y]es${far ?? ""}`,
    "[n]o",
    ...(far === undefined ? [] : ["[o]nce"]),
    ...(scopes.includes("session")
      ? [
          `[s] ${sameOnly === true ? "the very same" : isPlan ? "these tools" : "this tool"} for this conversation`,
        ]
      : []),
    ...(scopes.includes("session-any") ? ["[sa] … whatever the values"] : []),
    "[d]etails",
    ...(isPlan ? ["or some, as in 1,3-5"] : []),
  ];
  return `Approve? ${choices.join(", ")}:`;
}

/** True for the wish to see all of a question before it is answered. */
export function asksForDetails(line: string): boolean {
  return /^\s*d(?:etails)?\s*$/i.test(line);
}

/** Undefined for what is no answer to that question. */
export function parseApproval(line: string, request: ApprovalRequest): ApprovalAnswer | undefined {
  const calls = readPlanCard(request)?.calls.map(({ callId }) => callId);
  return (calls && parseSome(line, calls)) ?? parseAnswer(line);
}

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
    // Nothing after it: a sentence that begins with yes is no answer.
    case "y":
    case "yes":
      return reason === "" ? { decision: "approved" } : undefined;
    case "o":
    case "once":
      return reason === "" ? { decision: "approved", scope: "once" } : undefined;
    case "s":
    case "session":
      return reason === "" ? { decision: "approved", scope: "session" } : undefined;
    case "sa":
    case "session-any":
      return reason === "" ? { decision: "approved", scope: "session-any" } : undefined;
    // Only for a call that asks something while it runs: what it is told.
    case "a":
    case "answer":
      return told(reason);
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

/** Undefined for what is no JSON. */
function told(json: string): ApprovalAnswer | undefined {
  try {
    return { decision: "approved", scope: "once", result: { value: JSON.parse(json) } };
  } catch {
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
