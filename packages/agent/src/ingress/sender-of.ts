import type { EventData } from "@deputy/protocol";

/** The name that labels and questions give to the sender of a message that is not the user's own. */
export function senderOf({ channel, sender }: Pick<EventData<"user.message">, "channel" | "sender">): string {
  return `${channel} ${sender}`;
}
