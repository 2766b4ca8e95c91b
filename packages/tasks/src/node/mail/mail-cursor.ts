import type { CursorCodec } from "../cursor-file.ts";

/** How far a mailbox was read. Every mail up to `uid` is in the inbox, or was there before it was watched. */
export interface MailCursor {
  /** Of the source: another server, user or mailbox begins anew. */
  readonly id: string;
  readonly uidValidity: string;
  readonly uid: number;
  /** When the newest of them arrived: how mails are told apart once the server numbers them anew. */
  readonly receivedMs: number;
}

export const mailCursorCodec: CursorCodec<MailCursor> = { parse, toJson: (cursor) => cursor };

function parse(json: unknown): MailCursor | undefined {
  if (typeof json !== "object" || json === null) return undefined;
  const { id, uidValidity, uid, receivedMs } = json as Partial<Record<keyof MailCursor, unknown>>;
  if (typeof id !== "string" || typeof uidValidity !== "string") return undefined;
  if (!Number.isSafeInteger(uid) || typeof receivedMs !== "number") return undefined;
  return { id, uidValidity, uid: uid as number, receivedMs };
}
