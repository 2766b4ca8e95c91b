import { isRecord, makeVisible } from "@deputy/kit";
import type { EventData } from "@deputy/protocol";
import type { Asked } from "./approval-binding.ts";
import type { GatedCall } from "../gate/gated-call.ts";
import { type CallEnd, denied } from "../gate/receipt.ts";

type Answer = EventData<"approval.resolved">;

/** Names an answer's author where no person gave it, such as the withdrawal of a question that nobody waits for. */
const NOBODY = "deputy";
const MOST_NAMED = 3;
const LONGEST_VALUE = 80;

/**
 * The end of a call that the user declined. It names the call and keeps the user's own words apart, so that the model
 * is told who said no, and what else they said counts as said by the user.
 */
export function declinedEnd(
  { tool, input }: Pick<GatedCall, "tool" | "input">,
  asked: Pick<Asked, "calls">,
  answer: Answer,
): CallEnd {
  const message = refusalOf(answer);
  if (answer.by === NOBODY) return denied(message);
  const said = answer.reason?.trim() ?? "";
  // The program ends at the first call: the model would not know that the others were on the card, too.
  const planned = answer.decision === "denied" ? (asked.calls?.length ?? 1) : 1;
  const rest = planned > 1 ? `, and with it the whole plan of ${planned} calls` : "";
  const call = `${tool.path}${describeTarget(input.json)}${rest}`;
  const declined = said === "" ? { call } : { call, said };
  return { status: "denied", error: { code: "denied", message, declined } };
}

export function refusalOf({ reason, decision }: Answer): string {
  return reason ?? (decision === "denied" ? "The user said no." : "The user did not select this call.");
}

/** What a call is about, in a few words: ` for #2, repo "acme/web"`. Empty where that cannot be said shortly. */
function describeTarget(input: unknown): string {
  if (!isRecord(input)) return "";
  const named = Object.entries(input).flatMap(([name, value]) => {
    const isShort = typeof value === "number" || (typeof value === "string" && value.length <= LONGEST_VALUE);
    if (!isShort || value === "") return [];
    return [isNumbered(name, value) ? `#${value}` : `${name} ${inQuotes(value)}`];
  });
  return named.length === 0 || named.length > MOST_NAMED ? "" : ` for ${named.join(", ")}`;
}

function isNumbered(name: string, value: string | number): boolean {
  return /(?:^|_|[a-z])(?:id|number|issue|no)$/i.test(name) && /^\d{1,9}$/.test(String(value));
}

/** In quotes, and on one line: a value must not read like a part of the sentence. */
function inQuotes(value: string | number): string {
  return typeof value === "number" ? String(value) : makeVisible(JSON.stringify(value));
}
