import { ChannelsError } from "@deputy/channels";
import { DiscordAPIError, HTTPError, RateLimitError } from "@discordjs/rest";

/** Unknown channel, guild, message, user; no access; closed to messages; no permission; an archived thread. */
const GONE: ReadonlySet<number> = new Set([
  10_003, 10_004, 10_008, 10_013, 50_001, 50_007, 50_013, 50_083, 50_278,
]);
/** A connection that was never made has sent nothing. */
const NOT_CONNECTED: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);
/** The gateway's reasons that no further attempt will change. */
const FATAL: ReadonlyMap<number, string> = new Map([
  [4_004, "Discord does not accept the token"],
  [4_010, "Discord does not take the connection (4010)"],
  [4_011, "Discord wants this bot in parts, which Deputy does not do"],
  [4_012, "Discord does not know this version of its gateway any more"],
  [4_013, "Discord does not know what Deputy wants to hear (4013)"],
  [4_014, "Discord does not let this bot hear what Deputy needs"],
]);
const HINT =
  "`deputy channels add discord` takes the token anew; docs/discord.md says where Discord shows it.";

/** What a failure of Discord's means for a message. `again`: it does no harm to repeat it. Never has a token in its text. */
export function discordFailure(error: unknown, what: "post" | "again"): ChannelsError {
  const unsure = what === "post" ? "unknown" : "not_sent";
  const options = { cause: error };
  if (error instanceof ChannelsError) return error;
  if (error instanceof RateLimitError) {
    const retryAfterMs = Math.max(error.retryAfter, error.timeToReset, 0);
    return new ChannelsError("not_sent", "Discord wants fewer messages", { ...options, retryAfterMs });
  }
  if (error instanceof HTTPError)
    return new ChannelsError(unsure, `Discord has a problem of its own (${error.status})`, options);
  if (error instanceof DiscordAPIError) {
    if (error.status === 401)
      return new ChannelsError("refused", "Discord does not accept the token", { ...options, hint: HINT });
    if (GONE.has(Number(error.code)))
      return new ChannelsError(
        "gone",
        "There is no such place any more, or Deputy may not write there",
        options,
      );
    const { message: why } = error.rawError as { readonly message?: string };
    return new ChannelsError("refused", `Discord does not take it: ${why ?? error.code}`, options);
  }
  const isNotSent = NOT_CONNECTED.has(codeIn(error) ?? "");
  return new ChannelsError(isNotSent ? "not_sent" : unsure, "Discord cannot be reached", options);
}

/** What the end of a connection to the gateway means, if it is the end for good. */
export function fatalClose(code: number): ChannelsError | undefined {
  const message = FATAL.get(code);
  return message === undefined ? undefined : new ChannelsError("refused", message, { hint: HINT });
}

/** True if Discord had an answer to this interaction already, from before a restart. */
export function isAnswered(error: unknown): boolean {
  return error instanceof DiscordAPIError && error.code === 40_060;
}

/** `fetch` hides what went wrong in the cause of its error. */
function codeIn(error: unknown): string | undefined {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++)
    if ("code" in at && typeof at.code === "string") return at.code;
  return undefined;
}
