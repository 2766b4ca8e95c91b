import type { SuiteTool } from "./suite.ts";
import { wordsOf } from "./slots.ts";

// Which clauses ask for nothing that a tool does. Used by the oracle, which shares nothing with the gate.

const LEAD = String.raw`^\W*(?:(?:and|but|then|so|also|first|next|now|oh|please|kindly|hey|hi|just|only|again|(?:can|could|would|will) you|if you can|i (?:want|need|would like) (?:you )?to|help me(?: to)?)\b\W*)*`;
const LOOKS = new RegExp(
  String.raw`${LEAD}(?:look|read|show|list|find|search|check|summari[sz]e|sum up|describe|explain|review|open|view|inspect|examine|compare|count|translate|analy[sz]e|tell me|let me (?:see|know)|give me|get me|fetch)\b`,
  "i",
);
const TAKES_AWAY = new RegExp(
  String.raw`${LEAD}(?:block|hide|revoke|unshare|decline|reject|mute|withdraw|unfollow|deny|disinvite|uninvite|report|draft|archive|label|star|file)\b`,
  "i",
);
/** With one of these it asks for more than that, or says of what is said elsewhere. */
const ACTS =
  /\b(?:send|share|pay|post|mail|email|e-mail|message|text|invite|add|transfer|forward|book|reserve|schedule|create|write|reply|answer|respond|tell (?!me)|inform|notify|publish|update|change|set|move|delete|remove|cancel|make|refund|order|buy|put|submit|save|append|use|them|him|her|it|this|that|there|those|these|one)\b/i;
const LOOKING: ReadonlySet<string> = new Set(
  "get fetch read open browse view visit navigate search find list".split(" "),
);

/** The clauses, a line each, that may ask for what a tool does: not those that only ask to look, or for the opposite. */
export function actingLines(text: string, { path, effect }: SuiteTool): string {
  const words = wordsOf(path.split(".").at(-1) ?? "");
  if (effect === "read" || words.some((word) => LOOKING.has(word))) return text;
  const lines = text.split("\n");
  const isIdle = (line: string): boolean => {
    const head = LOOKS.exec(line)?.[0] ?? (effect === "egress" ? TAKES_AWAY.exec(line)?.[0] : undefined);
    if (head === undefined || ACTS.test(line.slice(head.length))) return false;
    return !words.some((word) => head.toLowerCase().includes(word));
  };
  return lines.filter((line, at) => !isIdle(line) || ACTS_BACK.test(lines[at + 1] ?? "")).join("\n");
}

const ACTS_BACK = /\b(?:them|him|her|it|its|this|that|there|those|these|one|ones|both|all|everything)\b/i;
