import { createHash } from "node:crypto";
import type { Clock } from "@deputy/kit";
import type { Delivery } from "../../inbox/inbox.ts";
import type { EventSource, SourceContext } from "../../sources/event-source.ts";
import { TasksError } from "../../tasks-error.ts";
import { openCursorFile, type CursorCodec } from "../cursor-file.ts";
import { type MailConnection, openMailConnection } from "./mail-connection.ts";
import { unreadableMail } from "./mail-payload.ts";
import type { MailSecret, MailSettings } from "./mail-settings.ts";
import { readMail } from "./read-mail.ts";

const mailCursorCodec: CursorCodec<MailCursor> = { parse, toJson: (cursor) => cursor };

/**
 * A mail that its server sends wrongly this often is delivered without its content, so that those after it do
 * not wait.
 */
const MOST_ATTEMPTS = 5;

/** The id of this source's deliveries: another mailbox under the same name has another id. */
export function mailSourceId(name: string, { host, port, user, mailbox }: MailSettings): string {
  return `imap:${createHash("sha256")
    .update(JSON.stringify([name, host, port, user, mailbox]))
    .digest("hex")}`;
}

/**
 * A mailbox, read without changing anything in it; each new mail is one delivery. The first opening starts
 * with mail that arrives from then on.
 */
export function createMailSource(deps: {
  readonly name: string;
  readonly settings: MailSettings;
  /** Read for each connection. Throws a coded error if there is none. */
  readonly secret: (signal: AbortSignal) => MailSecret | Promise<MailSecret>;
  readonly cursorFile: string;
  readonly clock: Clock;
}): EventSource {
  const { name, settings, clock } = deps;
  const id = mailSourceId(name, settings);
  const file = openCursorFile(deps.cursorFile, mailCursorCodec);
  let stuck: { readonly key: string; readonly times: number } | undefined;

  const begin = async (connection: MailConnection): Promise<MailCursor> => {
    const newest = await connection.newest();
    return {
      id,
      uidValidity: connection.uidValidity,
      uid: Math.max(newest?.uid ?? 0, connection.lastUid ?? 0),
      receivedMs: Math.min(newest?.receivedMs ?? clock.now(), clock.now()),
    };
  };

  /** Counts the server's faults with one mail, not the network's. */
  const readOrGiveUp = async (
    connection: MailConnection,
    uid: number,
    signal: AbortSignal,
  ): ReturnType<typeof readMail> => {
    const key = `${connection.uidValidity}:${uid}`;
    const times = stuck?.key === key ? stuck.times : 0;
    if (times >= MOST_ATTEMPTS) {
      const facts = { uid, bytes: 0, receivedMs: undefined };
      const payload = unreadableMail(facts, "The server does not hand it over.");
      return { payload, receivedMs: undefined, source: new Uint8Array() };
    }
    try {
      return await readMail(connection, uid, signal);
    } catch (error) {
      if (error instanceof TasksError && error.code === "source_misbehaved")
        stuck = { key, times: times + 1 };
      throw error;
    }
  };

  const deliver = async (
    connection: MailConnection,
    uid: number,
    context: SourceContext,
  ): Promise<number> => {
    const mail = await readOrGiveUp(connection, uid, context.signal);
    if (mail === undefined) return 0;
    const key = `${connection.uidValidity}:${uid}`;
    const delivery: Delivery = {
      hookId: id,
      hook: name,
      scheme: "imap",
      key,
      deliveryId: key,
      event: "mail.received",
      contentType: "message/rfc822",
      bytes: mail.payload.bytes,
      sha256: createHash("sha256").update(mail.source).digest("hex"),
      payload: mail.payload,
    };
    await context.accept(delivery);
    return Math.min(mail.receivedMs ?? 0, clock.now());
  };

  /** The server gave its mails new numbers: those that arrived after the newest one seen are new. */
  const renumber = async (
    connection: MailConnection,
    cursor: MailCursor,
    context: SourceContext,
  ): Promise<MailCursor> => {
    const begun = await begin(connection);
    for (const { uid, receivedMs } of await connection.arrivedSince(cursor.receivedMs))
      if (receivedMs > cursor.receivedMs && uid <= begun.uid) await deliver(connection, uid, context);
    return { ...begun, receivedMs: Math.max(begun.receivedMs, cursor.receivedMs) };
  };

  return {
    name,
    async open(context) {
      context.onState({ kind: "connecting" });
      const { signal } = context;
      const secret = await deps.secret(signal);
      await using connection = await openMailConnection({ settings, secret, clock, signal });
      const stored = await file.read();
      let cursor: MailCursor;
      if (stored?.id === id && stored.uidValidity === connection.uidValidity) cursor = stored;
      else {
        cursor = stored?.id === id ? await renumber(connection, stored, context) : await begin(connection);
        await file.write(cursor);
      }
      for (;;) {
        for (const uid of await connection.uidsAfter(cursor.uid)) {
          const receivedMs = Math.max(cursor.receivedMs, await deliver(connection, uid, context));
          cursor = { ...cursor, uid, receivedMs };
          await file.write(cursor);
        }
        context.onState({ kind: "watching", by: connection.by });
        await connection.news();
      }
    },
  };
}

/** How far a mailbox was read. Every mail up to `uid` is in the inbox, or was there before it was watched. */
interface MailCursor {
  /** Identifies the source: another server, user or mailbox starts over. */
  readonly id: string;
  readonly uidValidity: string;
  readonly uid: number;
  /** When the newest of them arrived. It identifies mails after the server has given them new numbers. */
  readonly receivedMs: number;
}

function parse(json: unknown): MailCursor | undefined {
  if (typeof json !== "object" || json === null) return undefined;
  const { id, uidValidity, uid, receivedMs } = json as Partial<Record<keyof MailCursor, unknown>>;
  if (typeof id !== "string" || typeof uidValidity !== "string") return undefined;
  if (!Number.isSafeInteger(uid) || typeof receivedMs !== "number") return undefined;
  return { id, uidValidity, uid: uid as number, receivedMs };
}
