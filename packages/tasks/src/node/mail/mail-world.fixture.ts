import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHash } from "node:crypto";
import { createIdSource, createSystemClock } from "@deputy/kit";
import {
  createFakeClock,
  createMemoryEventLog,
  type FakeImapServer,
  openFakeImapServer,
} from "@deputy/testing";
import { onTestFinished } from "vitest";
import type { Delivery } from "../../inbox/inbox.ts";
import { createInboxReader } from "../../inbox/inbox-reader.ts";
import { createLogInbox } from "../../inbox/log-inbox.ts";
import type { SourceProgress } from "../../sources/event-source.ts";
import type { MailPayload } from "./mail-payload.ts";
import type { MailSecret, MailSettings } from "./mail-settings.ts";
import { createMailSource } from "./mail-source.ts";

type ServerOptions = Parameters<typeof openFakeImapServer>[0];

/** A mail server, a log, and a home that outlives every source that is opened in it. */
export async function openMailWorld(options: ServerOptions = {}) {
  const server = await openFakeImapServer(options);
  onTestFinished(() => server[Symbol.asyncDispose]());
  const home = mkdtempSync(join(tmpdir(), "deputy-mail-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const clock = createFakeClock({ startMs: Date.UTC(2026, 0, 1) });
  const log = createMemoryEventLog({ clock, ids: createIdSource({ clock: createSystemClock() }) });
  const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
  const inbox = createLogInbox({ log, sha256, redact: (value) => value });
  const reader = createInboxReader(log);
  const cursorFile = join(home, "events", "mail.json");
  const settings: MailSettings = {
    host: "127.0.0.1",
    port: server.port,
    encryption: "none",
    user: "ada",
    mailbox: "INBOX",
  };

  /** The lifetime of a process with the source in it. */
  const open = (
    over: Partial<MailSettings> = {},
    secret: MailSecret | ((signal: AbortSignal) => Promise<MailSecret>) = {
      kind: "password",
      value: "secret-1",
    },
    accept: (delivery: Delivery) => ReturnType<typeof inbox.accept> = inbox.accept,
  ) => {
    const stop = new AbortController();
    const states: SourceProgress[] = [];
    const source = createMailSource({
      name: "mail",
      settings: { ...settings, ...over },
      secret: typeof secret === "function" ? secret : () => secret,
      cursorFile,
      clock,
    });
    const context = {
      accept,
      onState: (state: SourceProgress) => void states.push(state),
      signal: stop.signal,
    };
    const ended = source.open(context).catch((error: unknown) => error);
    const close = async (): Promise<unknown> => {
      stop.abort();
      return await ended;
    };
    onTestFinished(async () => void (await close()));
    return { source, context, states, ended, close, isWatching: () => states.at(-1)?.kind === "watching" };
  };
  const payloads = async (): Promise<readonly MailPayload[]> => {
    const received = await reader.newest({ limit: 1_000 });
    return received.toReversed().map(({ data }) => data.payload as MailPayload);
  };
  const subjects = async () => (await payloads()).map(({ subject }) => subject);
  return { server, clock, inbox, reader, home, cursorFile, open, payloads, subjects };
}

export type MailWorld = Awaited<ReturnType<typeof openMailWorld>>;

export function mailOf(subject: string, more = ""): Buffer {
  const head = `From: "Grace Hopper" <grace@example.org>\r\nTo: Ada <ada@example.org>, b@example.org\r\nSubject: ${subject}\r\nDate: Tue, 14 Jul 2026 09:30:00 +0200\r\nMessage-ID: <${subject}@example.org>\r\n`;
  return Buffer.from(more === "" ? `${head}\r\nHello from ${subject}.\r\n` : head + more);
}

export function put(server: FakeImapServer, ...subjects: readonly string[]): void {
  for (const subject of subjects) server.deliver({ source: mailOf(subject) });
}
