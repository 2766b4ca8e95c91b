import type { CodedError } from "@deputy/kit";
import type { Problem } from "@deputy/protocol";
import { type ToolsErrorCode, ToolsError, toolsErrorCodes } from "@deputy/tools";
import { ClientError } from "./client-error.ts";

/**
 * Converts the daemon's refusal. A plugin that cannot be loaded has the same code in both processes; anything else is
 * `daemon_refused`, with the daemon's own message.
 */
export function refusalOf(
  problem: Pick<Problem, "code" | "detail" | "hint" | "title"> | undefined,
  status: number,
): CodedError<string> {
  const message = problem?.detail ?? problem?.title ?? `The daemon answered ${status}`;
  const options = problem?.hint === undefined ? {} : { hint: problem.hint };
  const code = problem?.code ?? "";
  return isToolsErrorCode(code)
    ? new ToolsError(code, message, options)
    : new ClientError("daemon_refused", message, options);
}

function isToolsErrorCode(code: string): code is ToolsErrorCode {
  return toolsErrorCodes.some((known) => known === code);
}
