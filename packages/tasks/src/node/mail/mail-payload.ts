import { cutText, makeVisible } from "@deputy/kit";
import type { Address, Email } from "postal-mime";

export interface MailAddress {
  readonly name: string;
  readonly address: string;
}

export interface MailAttachment {
  readonly name: string;
  readonly type: string;
  /** For a large mail, an estimate from its encoded size. */
  readonly bytes: number;
}

/** A delivery's facts about a mail. The sender wrote all of it, except `bytes`, `uid` and `receivedAt`. */
export interface MailPayload {
  readonly uid: number;
  readonly from?: MailAddress;
  readonly to: readonly MailAddress[];
  readonly subject: string;
  /** The date that the sender gives; absent when it is not a date. */
  readonly date?: string;
  /** When the server received it. */
  readonly receivedAt?: string;
  readonly messageId?: string;
  readonly text: string;
  readonly attachments: readonly MailAttachment[];
  readonly bytes: number;
  /** True when the mail has more text, recipients or attachments than are included here. */
  readonly truncated: boolean;
  /** Why the mail's own content is missing. */
  readonly problem?: string;
}

export const MAX_TEXT_CHARS = 100_000;
const MAX_LINE_CHARS = 1_000;
const MAX_ENTRIES = 50;

/** The server's facts about a mail. */
export interface MailFacts {
  readonly uid: number;
  readonly bytes: number;
  readonly receivedMs: number | undefined;
}

/**
 * A mail as the payload of a delivery: limited in size, with single-line fields on one line, and without invisible
 * characters.
 */
export function mailPayload(
  facts: MailFacts,
  mail: Pick<Email, "from" | "to" | "subject" | "date" | "messageId">,
  body: {
    readonly text: string;
    readonly isCut: boolean;
    readonly attachments: readonly MailAttachment[];
  },
): MailPayload {
  const from = mail.from === undefined ? undefined : flatten(mail.from)[0];
  const to = (mail.to ?? []).flatMap(flatten);
  const { attachments } = body;
  // Invisible characters that are written out take more room.
  const text = readable(body.text);
  const isCut = body.isCut || text.length > MAX_TEXT_CHARS;
  return {
    ...factsOf(facts),
    ...(from === undefined ? {} : { from }),
    to: to.slice(0, MAX_ENTRIES),
    subject: oneLine(mail.subject ?? ""),
    ...dateOf(mail.date),
    ...(mail.messageId === undefined ? {} : { messageId: oneLine(mail.messageId) }),
    text: cutText(text, MAX_TEXT_CHARS),
    attachments: attachments
      .slice(0, MAX_ENTRIES)
      .map(({ name, type, bytes }) => ({ name: oneLine(name), type: oneLine(type), bytes })),
    truncated: isCut || to.length > MAX_ENTRIES || attachments.length > MAX_ENTRIES,
  };
}

/** The payload for a mail that could not be read: it is still reported, once. */
export function unreadableMail(facts: MailFacts, problem: string): MailPayload {
  return { ...factsOf(facts), to: [], subject: "", text: "", attachments: [], truncated: true, problem };
}

function factsOf({ uid, bytes, receivedMs }: MailFacts): Pick<MailPayload, "uid" | "bytes" | "receivedAt"> {
  return {
    uid,
    bytes,
    ...(receivedMs === undefined ? {} : { receivedAt: new Date(receivedMs).toISOString() }),
  };
}

function flatten(address: Address): readonly MailAddress[] {
  if (address.group !== undefined) return address.group.flatMap(flatten);
  return [{ name: oneLine(address.name), address: oneLine(address.address) }];
}

function dateOf(date: string | undefined): { readonly date?: string } {
  const ms = Date.parse(date ?? "");
  return Number.isNaN(ms) ? {} : { date: new Date(ms).toISOString() };
}

/** A header has no second line, even if its encoding hides one. */
function oneLine(text: string): string {
  return cutText(makeVisible(text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim()), MAX_LINE_CHARS);
}

/** Invisible characters that fill up mails so that a preview shows nothing of their text. */
const PADDING = /(?:(?:\u034f|[\u00ad\u200b-\u200f\u2060])\s*){3,}/g;

function readable(text: string): string {
  const lines = text.replaceAll(/\r\n?/g, "\n").replaceAll("\u00a0", " ").replaceAll(PADDING, " ");
  return makeVisible(lines).trim();
}
