import { makeVisible } from "@deputy/kit";
import { cut } from "@deputy/net/readable-text";
import type { Address, Email } from "postal-mime";

export interface MailAddress {
  readonly name: string;
  readonly address: string;
}

export interface MailAttachment {
  readonly name: string;
  readonly type: string;
  /** Of a large mail, an estimate from how it is written in the mail. */
  readonly bytes: number;
}

/** What a delivery says of a mail. All of it is what its sender wrote, but for `bytes`, `uid` and `receivedAt`. */
export interface MailPayload {
  readonly uid: number;
  readonly from?: MailAddress;
  readonly to: readonly MailAddress[];
  readonly subject: string;
  /** As the sender says; absent where it is none. */
  readonly date?: string;
  /** When the server had it. */
  readonly receivedAt?: string;
  readonly messageId?: string;
  readonly text: string;
  readonly attachments: readonly MailAttachment[];
  readonly bytes: number;
  /** Whether the mail has more text, recipients or attachments than are here. */
  readonly truncated: boolean;
  /** Why nothing of the mail itself is here. */
  readonly problem?: string;
}

export const MAX_TEXT_CHARS = 100_000;
const MAX_LINE_CHARS = 1_000;
const MAX_ENTRIES = 50;

/** What is known of a mail from its server. */
export interface MailFacts {
  readonly uid: number;
  readonly bytes: number;
  readonly receivedMs: number | undefined;
}

/** A mail as a delivery has it: bounded, on one line what belongs on one, and with nothing in it that nobody sees. */
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
  // What is written out takes more room.
  const text = readable(body.text);
  const isCut = body.isCut || text.length > MAX_TEXT_CHARS;
  return {
    ...factsOf(facts),
    ...(from === undefined ? {} : { from }),
    to: to.slice(0, MAX_ENTRIES),
    subject: oneLine(mail.subject ?? ""),
    ...dateOf(mail.date),
    ...(mail.messageId === undefined ? {} : { messageId: oneLine(mail.messageId) }),
    text: cut(text, MAX_TEXT_CHARS),
    attachments: attachments
      .slice(0, MAX_ENTRIES)
      .map(({ name, type, bytes }) => ({ name: oneLine(name), type: oneLine(type), bytes })),
    truncated: isCut || to.length > MAX_ENTRIES || attachments.length > MAX_ENTRIES,
  };
}

/** Of a mail that could not be had: it is told of all the same, once. */
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

/** A header has no second line, whatever its encoding hides. */
function oneLine(text: string): string {
  return cut(makeVisible(text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim()), MAX_LINE_CHARS);
}

/** Invisible characters that mails are filled up with, so that a list shows nothing of their text. */
const PADDING = /(?:(?:\u034f|[\u00ad\u200b-\u200f\u2060])\s*){3,}/g;

function readable(text: string): string {
  const lines = text.replaceAll(/\r\n?/g, "\n").replaceAll("\u00a0", " ").replaceAll(PADDING, " ");
  return makeVisible(lines).trim();
}
