import { CodedError } from "@deputy/kit";
import type { CallToolResult } from "@modelcontextprotocol/server";

export function textResult(text: string, structuredContent?: Record<string, unknown>): CallToolResult {
  return { content: [{ type: "text", text }], ...(structuredContent && { structuredContent }) };
}

/** An error that the client's model can correct, or report to its user. */
export function errorResult(text: string, structuredContent?: Record<string, unknown>): CallToolResult {
  return { ...textResult(text, structuredContent), isError: true };
}

/** Gives the result of `work`. If it throws a coded error, gives that message, and hides any other. */
export async function tellErrors<T>(
  onBug: (error: unknown) => void,
  work: () => Promise<T>,
): Promise<T | CallToolResult> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CodedError) return errorResult(`${error.message} (${String(error.code)})`);
    if (error instanceof Error && error.name === "AbortError")
      return errorResult("Deputy is shutting down. Try again in a moment. (shutting_down)");
    onBug(error);
    return errorResult("Something went wrong inside Deputy. (internal)");
  }
}
