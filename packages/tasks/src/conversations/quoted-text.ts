import type { TurnId } from "@deputy/kit";
import type { NewEvent } from "@deputy/protocol";

/** Text that comes along with what somebody says, such as a file's: the agent sees it, and it is nobody's word. */
export interface QuotedText {
  /** Where it is from, as whoever sent it says. */
  readonly source: string;
  readonly text: string;
}

/** As an event before the message it came with: shown to the agent as what it is, and untrusted. */
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
