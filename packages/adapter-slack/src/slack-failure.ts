import { ChannelsError } from "@deputy/channels";
import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from "@slack/web-api";

const NO_TOKEN: ReadonlySet<string> = new Set([
  "invalid_auth",
  "not_authed",
  "account_inactive",
  "token_revoked",
  "token_expired",
  "not_allowed_token_type",
  "missing_scope",
  "no_permission",
]);
const GONE: ReadonlySet<string> = new Set([
  "channel_not_found",
  "is_archived",
  "not_in_channel",
  "message_not_found",
  "thread_not_found",
  "user_not_found",
  "cant_update_message",
]);
/** Slack has not done it, and may later. */
const LATER: ReadonlySet<string> = new Set([
  "ratelimited",
  "rate_limited",
  "service_unavailable",
  "team_added_to_org",
]);
const UNSURE: ReadonlySet<string> = new Set(["internal_error", "fatal_error", "request_timeout"]);
/** A connection that was never made has sent nothing. */
const NOT_CONNECTED: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);

/** What a failure of Slack's means for a message. `again`: it does no harm to repeat it. Never has a token in its text. */
export function slackFailure(error: unknown, what: "post" | "again"): ChannelsError {
  const unsure = what === "post" ? "unknown" : "not_sent";
  const options = { cause: error };
  if (error instanceof ChannelsError) return error;
  if (error instanceof WebAPIRateLimitedError)
    return new ChannelsError("not_sent", "Slack wants fewer messages", {
      ...options,
      retryAfterMs: error.retryAfter * 1_000,
    });
  if (error instanceof WebAPIHTTPError)
    return new ChannelsError(unsure, `Slack has a problem of its own (${error.statusCode})`, options);
  if (error instanceof WebAPIPlatformError) {
    const code: unknown = error.data.error;
    // The library takes whatever came as the answer for Slack's word.
    if (typeof code !== "string" || !/^[a-z_]+$/.test(code))
      return new ChannelsError(unsure, "Slack cannot be reached", options);
    if (NO_TOKEN.has(code))
      return new ChannelsError("refused", `Slack does not accept the token (${code})`, {
        ...options,
        hint: "`deputy channels add slack` takes the tokens anew; docs/slack.md says where Slack shows them.",
      });
    if (GONE.has(code))
      return new ChannelsError(
        "gone",
        "There is no such place any more, or Deputy was put out of it",
        options,
      );
    if (LATER.has(code)) return new ChannelsError("not_sent", `Slack is busy (${code})`, options);
    if (UNSURE.has(code))
      return new ChannelsError(unsure, `Slack has a problem of its own (${code})`, options);
    return new ChannelsError("refused", `Slack does not take it: ${code}`, options);
  }
  const cause = error instanceof WebAPIRequestError ? codeIn(error.original) : undefined;
  const isNotSent = cause !== undefined && NOT_CONNECTED.has(cause);
  return new ChannelsError(isNotSent ? "not_sent" : unsure, "Slack cannot be reached", options);
}

/** `fetch` hides what went wrong in the cause of its error. */
function codeIn(error: unknown): string | undefined {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++)
    if ("code" in at && typeof at.code === "string") return at.code;
  return undefined;
}
