import type { TurnId } from "@deputy/kit";
import type { NewEvent } from "@deputy/protocol";

/**
 * Text that comes with a message, such as a file's content. The agent sees it, but it does not count as anyone's
 * instruction.
 */
export interface QuotedText {
  /** The origin of the text, as the sender names it. */
  readonly source: string;
  readonly text: string;
}

/** The text as an event before its message: the agent sees it marked as quoted, and it is untrusted. */
export function quotedMessage(
  { source, text }: QuotedText,
  { channel, turnId }: { readonly channel: string; readonly turnId: TurnId },
): NewEvent {
  return {
    type: "user.message",
    turnId,
    data: {
      text: `[Not written by the user, came along with the next message, from ${source}:]\n${text}\n[The end of that.]`,
      attachments: [],
      channel,
      sender: "attachment",
      trust: "untrusted",
    },
  };
}
