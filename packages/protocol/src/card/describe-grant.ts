import { showOnOneLine } from "@deputy/kit";
import type { StandingGrant } from "../wire/approval.ts";
import type { ApprovalScope } from "../events/call-events.ts";

/** A grant in words, with nothing in it invisible. */
export interface DescribedGrant {
  /** What is allowed, in one line. */
  readonly title: string;
  /** The tools, each once. */
  readonly tools: readonly string[];
  /** How far it reaches, and until when. */
  readonly scope: string;
  /** What was on the card. */
  readonly lines: readonly string[];
  /** True if no value is looked at any more. */
  readonly isAnyValues: boolean;
}

export function describeGrant(grant: StandingGrant): DescribedGrant {
  const { bindings, scope, expiresAt } = grant;
  const tools = [...new Set(bindings.map(({ toolPath }) => showOnOneLine(toolPath)))];
  return {
    title: showOnOneLine(grant.title),
    tools,
    scope: scopeWords(scope, {
      expiresAt,
      sameOnly: bindings.every(({ inputHash }) => inputHash !== undefined),
    }),
    lines: grant.lines.map(showOnOneLine),
    isAnyValues: bindings.some(({ anyValues }) => anyValues === true),
  };
}

const WORDS: Readonly<Record<ApprovalScope, string>> = {
  once: "this call",
  plan: "this plan",
  session: "this tool for this conversation",
  "session-any": "this tool for this conversation, whatever the values",
  task: "for this task",
};

/** Where only the very same call is allowed again. */
const SAME: Partial<Record<ApprovalScope, string>> = {
  session: "the very same for this conversation",
  task: "the very same for this task",
};

/**
 * How far an approval reaches, in the words that every client uses; with when it ends, if it does. `sameOnly`: other
 * calls of the tool ask again.
 */
export function scopeWords(
  scope: ApprovalScope,
  {
    expiresAt,
    sameOnly = false,
  }: { readonly expiresAt?: string | undefined; readonly sameOnly?: boolean } = {},
): string {
  const words = (sameOnly ? SAME[scope] : undefined) ?? WORDS[scope];
  return expiresAt === undefined ? words : `${words} until ${minuteOf(expiresAt)}`;
}

function minuteOf(timestamp: string): string {
  return `${timestamp.slice(0, 10)} ${timestamp.slice(11, 16)} UTC`;
}
