import { ChannelsError } from "@deputy/channels";
import { GrammyError, HttpError } from "grammy";

/** A connection that was never made has sent nothing. */
const NOT_CONNECTED: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);

/** What a failure of Telegram's means for a message. Texts never have the address, which has the token in it. */
export function telegramFailure(error: unknown, what: "post" | "again"): ChannelsError {
  const unsure = what === "post" ? "unknown" : "not_sent";
  if (error instanceof GrammyError) {
    const { error_code: code, description, parameters } = error;
    const options = { cause: error };
    // What answered was not Telegram.
    if (typeof code !== "number") return new ChannelsError(unsure, "Telegram cannot be reached", options);
    if (code === 429) {
      const retryAfterMs = (parameters.retry_after ?? 1) * 1_000;
      return new ChannelsError("not_sent", "Telegram wants fewer messages", { ...options, retryAfterMs });
    }
    if (code === 401 || code === 404)
      return new ChannelsError("refused", "Telegram does not accept the token", {
        ...options,
        hint: "@BotFather shows the bot's current token: `deputy channels add telegram` takes it.",
      });
    if (code === 403)
      return new ChannelsError("gone", "They have blocked the bot, or it may not write there", options);
    if (code === 409)
      return new ChannelsError("not_sent", "Another program uses the same bot", {
        ...options,
        retryAfterMs: 5_000,
      });
    if (code >= 500) return new ChannelsError(unsure, `Telegram has a problem of its own (${code})`, options);
    const isGone = /chat not found|message to edit not found|thread not found/i.test(description);
    return new ChannelsError(
      isGone ? "gone" : "refused",
      `Telegram does not take it: ${description}`,
      options,
    );
  }
  const cause = error instanceof HttpError ? (error.error as { readonly code?: string }) : undefined;
  const isNotSent = NOT_CONNECTED.has(cause?.code ?? "");
  return new ChannelsError(isNotSent ? "not_sent" : unsure, "Telegram cannot be reached", { cause: error });
}
