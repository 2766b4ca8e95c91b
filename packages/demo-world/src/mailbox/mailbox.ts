import { join } from "node:path";
import type { Clock } from "@deputy/kit";
import { z } from "zod";
import { createDemoFile } from "../demo-file.ts";
import { inventMessages } from "./invent-messages.ts";

const messageSchema = z.object({
  id: z.string(),
  folder: z.enum(["inbox", "archive", "trash"]),
  from: z.string(),
  to: z.array(z.string()),
  subject: z.string(),
  receivedAt: z.iso.datetime(),
  unread: z.boolean(),
  text: z.string(),
  /** Names of files. */
  attachments: z.array(z.string()),
});
export type DemoMessage = z.infer<typeof messageSchema>;

const sentSchema = z.object({
  id: z.string(),
  to: z.array(z.string()),
  subject: z.string(),
  text: z.string(),
  sentAt: z.iso.datetime(),
  /** The idempotency key of the request that sent it. */
  key: z.string().optional(),
});
type SentMessage = z.infer<typeof sentSchema>;

/** A mailbox in two files: what came, and what was sent. Every method throws when they cannot be used. */
export interface Mailbox {
  /** The messages that have arrived by now, newest first. */
  messages(): readonly DemoMessage[];
  /** When the next one arrives; undefined if no more do. */
  nextAt(): string | undefined;
  /** Moving one twice changes nothing. */
  move(message: DemoMessage, folder: "archive" | "trash"): DemoMessage;
  /** Ends in the outbox. The same `key` again sends no second one. */
  send(message: Pick<SentMessage, "to" | "subject" | "text">, key: string | undefined): SentMessage;
}

export function createMailbox({
  folder,
  clock,
}: {
  readonly folder: string;
  readonly clock: Pick<Clock, "now">;
}): Mailbox {
  const inbox = createDemoFile(
    join(folder, "mailbox.json"),
    z.object({ messages: z.array(messageSchema) }),
    () => ({ messages: inventMessages(clock.now()) }),
  );
  const outbox = createDemoFile(join(folder, "outbox.json"), z.object({ sent: z.array(sentSchema) }), () => ({
    sent: [],
  }));
  /** Later messages are in the file from the beginning, with the time at which they come. */
  const isHere = ({ receivedAt }: DemoMessage): boolean => Date.parse(receivedAt) <= clock.now();
  return {
    messages: () =>
      inbox
        .read()
        .messages.filter(isHere)
        .toSorted((a, b) => (a.receivedAt < b.receivedAt ? 1 : -1)),
    nextAt: () =>
      inbox
        .read()
        .messages.filter((message) => !isHere(message))
        .map(({ receivedAt }) => receivedAt)
        .toSorted()[0],
    move(message, into) {
      const moved: DemoMessage = { ...message, folder: into, unread: false };
      const { messages } = inbox.read();
      inbox.write({ messages: messages.map((one) => (one.id === message.id ? moved : one)) });
      return moved;
    },
    send({ to, subject, text }, key) {
      const { sent } = outbox.read();
      const before = sent.find((one) => key !== undefined && one.key === key);
      if (before !== undefined) return before;
      const sentAt = new Date(clock.now()).toISOString();
      const message: SentMessage = { id: `s${sent.length + 1}`, to, subject, text, sentAt, key };
      outbox.write({ sent: [...sent, message] });
      return message;
    },
  };
}
