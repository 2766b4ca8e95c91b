import { showOnOneLine } from "@deputy/kit";
import type { StandingGrant } from "../wire/approval.ts";
import { scopeWords } from "./scope-words.ts";

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
