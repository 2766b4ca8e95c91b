import { abortReason, type Clock, throwIfAborted } from "@deputy/kit";
import type { FetchMessageObject, FetchQueryObject, ImapFlow } from "imapflow";
import { TasksError } from "../../tasks-error.ts";
import { mailFailure } from "./mail-failure.ts";
import type { MailSecret, MailSettings } from "./mail-settings.ts";

/**
 * A mailbox that was opened read-only. Everything rejects like `EventSource.open`; then it can no longer be
 * used.
 */
export interface MailConnection extends AsyncDisposable {
  /** Numbers of mails are valid only together with it. */
  readonly uidValidity: string;
  /** The newest mail when it was opened; undefined for an empty mailbox. */
  newest(): Promise<{ readonly uid: number; readonly receivedMs: number | undefined } | undefined>;
  /** One less than the smallest UID that the next mail can get. */
  readonly lastUid: number | undefined;
  /** Ascending. */
  uidsAfter(uid: number): Promise<readonly number[]>;
  /** Mails that arrived on this day or later, possibly with those of neighbouring days. Ascending. */
  arrivedSince(timeMs: number): Promise<readonly { readonly uid: number; readonly receivedMs: number }[]>;
  /** Undefined for a mail that no longer exists. */
  read(uid: number, query: FetchQueryObject): Promise<FetchMessageObject | undefined>;
  /** `polling` when the server does not announce new mail. */
  readonly by: "push" | "polling";
  /** Resolves when there may be something new. */
  news(): Promise<void>;
}

const CONNECT_MS = 30_000;
/** The time for one answer. An answer that trickles in byte by byte counts as none. */
const ANSWER_MS = 60_000;
/** Routers forget connections that are silent for longer. */
const IDLE_MS = 240_000;
const POLL_MS = 60_000;
const PAUSE_MS = 1_000;
/** Larger than any answer that we request. */
const MAX_LITERAL_BYTES = 2 * 1024 * 1024;
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
const DAY_MS = 86_400_000;
const DATES_AT_ONCE = 500;

export async function openMailConnection(deps: {
  readonly settings: MailSettings;
  readonly secret: MailSecret;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}): Promise<MailConnection> {
  const { settings, clock, signal } = deps;
  const client = await createClient(settings, deps.secret);
  let broken: unknown;
  let isNewsDue = false;
  let wasSignedIn = false;
  let wake = (): void => undefined;
  const closed = new Promise<void>((resolve) => client.once("close", resolve));
  client.on("error", (error: Error) => (broken ??= error));
  client.on("exists", () => {
    isNewsDue = true;
    wake();
  });
  const close = (): void => client.close();
  throwIfAborted(signal);
  signal.addEventListener("abort", close, { once: true });

  /** Races the library's work with the connection's end, with a deadline, and with the signal. */
  const within = async <T>(limitMs: number, work: () => Promise<T>): Promise<T> => {
    const done = new AbortController();
    let isLate = false;
    const deadline = clock.sleep(limitMs, done.signal).then(
      () => {
        isLate = true;
        client.close();
      },
      () => undefined,
    );
    try {
      throwIfAborted(signal);
      return await Promise.race([work(), closed.then(() => Promise.reject(broken))]);
    } catch (error) {
      if (signal.aborted) throw abortReason(signal);
      if (isLate)
        throw new TasksError("source_unreachable", `${settings.host} takes too long to answer`, {
          cause: error,
          hint: "Check that this machine is online. Deputy tries again.",
        });
      throw mailFailure(broken ?? error, settings, { wasSignedIn, goodbye: goodbyeOf(client) });
    } finally {
      done.abort();
      await deadline;
    }
  };
  const search = async (query: Parameters<ImapFlow["search"]>[0]): Promise<readonly number[]> => {
    const found = await within(ANSWER_MS, () => client.search(query, { uid: true }));
    if (Array.isArray(found)) return found.toSorted((a, b) => a - b);
    throw new TasksError("source_misbehaved", `${settings.host} does not say which mails there are`, {
      hint: "It is asked again.",
    });
  };

  try {
    await within(CONNECT_MS, () => client.connect());
    wasSignedIn = true;
    const mailbox = await within(ANSWER_MS, () => client.mailboxOpen(settings.mailbox, { readOnly: true }));
    if (typeof mailbox.uidValidity !== "bigint")
      throw new TasksError("source_refused", `${settings.host} does not number the mails of this mailbox`, {
        hint: "Without UIDVALIDITY, Deputy cannot tell mails apart. Watch another mailbox.",
      });
    let by: "push" | "polling" = client.capabilities.has("IDLE") ? "push" : "polling";

    return {
      uidValidity: String(mailbox.uidValidity),
      lastUid: typeof mailbox.uidNext === "number" ? mailbox.uidNext - 1 : undefined,
      get by() {
        return by;
      },
      async newest() {
        const query = { uid: true, internalDate: true };
        const last = await within(ANSWER_MS, () => client.fetchOne("*", query));
        return last ? { uid: last.uid, receivedMs: msOf(last.internalDate) } : undefined;
      },
      async uidsAfter(uid) {
        // A range that ends with `*` always contains the last mail.
        return (await search({ uid: `${uid + 1}:*` })).filter((found) => found > uid);
      },
      async arrivedSince(timeMs) {
        // The server compares days in its own time zone.
        const uids = await search({ since: new Date(timeMs - 2 * DAY_MS) });
        const found: { readonly uid: number; readonly receivedMs: number }[] = [];
        for (let at = 0; at < uids.length; at += DATES_AT_ONCE) {
          const some = uids.slice(at, at + DATES_AT_ONCE).join(",");
          const query = { uid: true, internalDate: true };
          for (const mail of await within(ANSWER_MS, () => client.fetchAll(some, query, { uid: true })))
            found.push({ uid: mail.uid, receivedMs: msOf(mail.internalDate) ?? 0 });
        }
        return found.toSorted((a, b) => a.uid - b.uid);
      },
      async read(uid, query) {
        const asked = { ...query, uid: true };
        const mails = await within(ANSWER_MS, () => client.fetchAll(String(uid), asked, { uid: true }));
        // Servers also send unrequested data, such as flags that changed.
        const found = mails.find((mail) => mail.uid === uid);
        // The library skips answers that it cannot parse. Only the server can say whether there was one.
        if (found === undefined && (await search({ uid: String(uid) })).includes(uid))
          throw new TasksError(
            "source_misbehaved",
            `${settings.host} has a mail, but does not hand it over`,
            {
              hint: "Deputy tries again; after several attempts it reports the mail without its content.",
            },
          );
        return found;
      },
      async news() {
        const done = new AbortController();
        const woken = new Promise<void>((resolve) => (wake = resolve));
        const pause = clock.sleep(by === "push" ? IDLE_MS : POLL_MS, done.signal).catch(() => undefined);
        try {
          if (!isNewsDue) {
            const idled = by === "push" ? client.idle().catch(() => undefined) : pause;
            const ended = await Promise.race([woken.then(() => "woken"), pause, closed, idled]);
            // The server refused IDLE; poll from now on.
            if (ended === false && !client.isClosed) by = "polling";
            // Pause before trying again with a server that ends IDLE by itself.
            if (ended !== "woken") await Promise.race([woken, closed, clock.sleep(PAUSE_MS, signal)]);
          }
        } finally {
          wake = () => undefined;
          done.abort();
          await pause;
        }
        isNewsDue = false;
        // Ends the waiting. New mail counts only once the server has announced it.
        await within(ANSWER_MS, () => client.noop());
      },
      async [Symbol.asyncDispose]() {
        signal.removeEventListener("abort", close);
        client.close();
        await closed;
      },
    };
  } catch (error) {
    signal.removeEventListener("abort", close);
    client.close();
    throw error;
  }
}

async function createClient(settings: MailSettings, secret: MailSecret): Promise<ImapFlow> {
  const { ImapFlow } = await import("imapflow");
  const { host, port, encryption, user } = settings;
  return new ImapFlow({
    host,
    port: port ?? (encryption === "tls" ? 993 : 143),
    secure: encryption === "tls",
    // Without this, the library would continue unencrypted if a server offers no encryption.
    ...(encryption === "tls" ? {} : { doSTARTTLS: encryption === "starttls" }),
    auth: secret.kind === "password" ? { user, pass: secret.value } : { user, accessToken: secret.value },
    logger: false,
    disableAutoIdle: true,
    disableCompression: true,
    clientInfo: { name: "deputy", version: false, vendor: false, "support-url": false },
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    // We have our own deadlines; the library would end an idle connection.
    socketTimeout: 2 * IDLE_MS,
    maxLineLength: MAX_LITERAL_BYTES,
    maxLiteralSize: MAX_LITERAL_BYTES,
    maxResponseSize: MAX_ANSWER_BYTES,
  });
}

/** What the server said when it ended the connection; the library keeps it without declaring it. */
function goodbyeOf(client: ImapFlow): string | undefined {
  const said: unknown = Reflect.get(client, "byeReason");
  return typeof said === "string" && said.trim() !== "" ? said : undefined;
}

function msOf(date: Date | string | undefined): number | undefined {
  return date instanceof Date ? date.getTime() : undefined;
}
