import type { IdSource, TurnId } from "@deputy/kit";
import type { DeliveryStream, EventData, NewEvent } from "@deputy/protocol";
import { firingPrompt } from "./firing-prompt.ts";
import { quotedMessage, type QuotedText } from "../conversations/quoted-text.ts";

export interface NewFiring {
  readonly firingId: string;
  readonly dueAt: string;
  readonly reason: string;
  /** The stream of the delivery that made it run. */
  readonly delivery?: DeliveryStream;
  /** What was reported. */
  readonly quoted?: QuotedText;
}

const CHANNEL = "task";

/**
 * A task runs: what it was asked for begins a turn of its own. What somebody reported comes before that, and
 * is nobody's word.
 */
export function firingEvents(
  created: EventData<"task.created">,
  { firingId, dueAt, reason, delivery, quoted }: NewFiring,
  ids: IdSource,
): readonly NewEvent[] {
  const { taskId, requesterId, writtenBy } = created;
  const turnId: TurnId = ids.next("turn");
  const fired = { taskId, dueAt, reason, firingId, turnId, ...(delivery === undefined ? {} : { delivery }) };
  const isUsers = writtenBy === undefined;
  return [
    { type: "task.fired", turnId, data: fired },
    ...(quoted === undefined ? [] : [quotedMessage(quoted, { channel: CHANNEL, turnId })]),
    {
      type: "user.message",
      turnId,
      data: {
        text: firingPrompt(created, dueAt),
        attachments: [],
        channel: CHANNEL,
        sender: requesterId ?? (isUsers ? "owner" : "client"),
        trust: isUsers ? "user" : "untrusted",
      },
    },
  ];
}
