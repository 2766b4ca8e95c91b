import { isAbort } from "@deputy/kit";
import type * as Sdk from "@modelcontextprotocol/client";
import { NotSentError, ToolsError, type ToolsErrorCode } from "@deputy/tools";
import type { McpTransport } from "./mcp-transport.ts";
import { showHidden } from "./show-hidden.ts";

const MOST_CHARS = 4_000;

/** A server's own text for use in an error: invisible characters are shown, and its length is limited. */
export function serversWords(text: string): string {
  const shown = showHidden(text);
  return shown.length <= MOST_CHARS ? shown : `${shown.slice(0, MOST_CHARS)}…`;
}

/**
 * Converts a failure between Deputy and a server to a `ToolsError`. `during` says what was under way; `way`, what is
 * known of the server's process: how it has ended, or the last it said, tells more than that it does not answer.
 */
export function toFailure(
  sdk: typeof Sdk,
  name: string,
  during: "connect" | "request",
  error: unknown,
  way?: Pick<McpTransport, "ended" | "said">,
): ToolsError {
  const ended = way?.ended?.();
  const failure = (code: ToolsErrorCode, message: string, hint?: string): ToolsError =>
    new ToolsError(code, `${name}: ${message}`, { cause: error, ...(hint === undefined ? {} : { hint }) });
  const lost = during === "connect" ? "mcp_unreachable" : "mcp_disconnected";
  const unauthorized = (): ToolsError =>
    failure("mcp_unauthorized", "it wants you to sign in", `\`deputy tools auth ${name}\` does that.`);

  if (error instanceof ToolsError && error.code === "mcp_disconnected" && ended !== undefined)
    return failure(lost, ended);
  if (error instanceof NotSentError) return failure("mcp_unreachable", error.message);
  if (error instanceof ToolsError)
    return error.code.startsWith("mcp_")
      ? error
      : failure(codeOfNet(error.code, lost), error.message, error.hint);
  if (error instanceof sdk.UnauthorizedError || error instanceof sdk.InsufficientScopeError)
    return unauthorized();
  if (error instanceof sdk.OAuthClientFlowError || error instanceof sdk.OAuthError)
    return failure(
      "mcp_unauthorized",
      `signing in failed: ${serversWords(error.message)}`,
      `Nothing was kept. Begin again, on the page or with \`deputy tools auth ${name}\`.`,
    );
  if (error instanceof sdk.SdkHttpError) {
    const { status } = error.data;
    if (status === 401 || status === 403) return unauthorized();
    return failure(
      during === "connect" ? "mcp_unreachable" : "mcp_failed",
      `it answered with status ${status}`,
    );
  }
  if (error instanceof sdk.ProtocolError)
    return failure("mcp_failed", `it refused: ${serversWords(error.message)} (${error.code})`);
  if (error instanceof sdk.SdkError) {
    switch (error.code) {
      case sdk.SdkErrorCode.RequestTimeout:
        return during === "connect"
          ? failure("mcp_unreachable", unanswered(way?.said?.()))
          : failure("mcp_timeout", "it did not answer in time");
      case sdk.SdkErrorCode.CapabilityNotSupported:
        return failure("mcp_failed", "it does not offer that");
      case sdk.SdkErrorCode.InvalidResult:
      case sdk.SdkErrorCode.UnsupportedResultType:
      case sdk.SdkErrorCode.InputRequiredRoundsExceeded:
      case sdk.SdkErrorCode.ClientHttpUnexpectedContent:
        return failure("mcp_invalid", `its answer is invalid: ${serversWords(error.message)}`);
      default:
        return failure(lost, ended ?? serversWords(error.message));
    }
  }
  if (isAbort(error)) return failure(lost, "it did not answer in time");
  if (error instanceof SyntaxError) return failure("mcp_invalid", "its answer is not JSON");
  if (error instanceof RangeError) return failure("mcp_invalid", "its answer is nested too deeply");
  return failure(lost, error instanceof Error ? serversWords(error.message) : "it failed without a message");
}

/** A process that waits for what it misses may have said what that is. */
function unanswered(said: string | undefined): string {
  return `it did not answer in time${said === undefined ? "" : `; it said: ${said}`}`;
}

function codeOfNet(code: ToolsErrorCode, lost: "mcp_unreachable" | "mcp_disconnected"): ToolsErrorCode {
  if (code === "response_too_large" || code === "response_invalid") return "mcp_invalid";
  return code === "address_refused" ? code : lost;
}
