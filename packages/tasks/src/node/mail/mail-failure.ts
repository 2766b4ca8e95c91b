import { CodedError, cutText, makeVisible } from "@deputy/kit";
import type { ImapFlowError } from "imapflow";
import { TasksError, type TasksErrorCode } from "../../tasks-error.ts";
import type { MailSettings } from "./mail-settings.ts";

const MAX_SAID_CHARS = 200;
const BAD_CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL|EPROTO/;
/** Messages of the library when it cannot parse an answer. */
const NONSENSE =
  /^(?:ParserError.*|UnexpectedTag|InvalidResponse|ResponseProcessingFailed|LineTooLarge|LiteralTooLarge|ResponseTooLarge|MAX_IMAP_NESTING_REACHED|COMPRESS_TRAILING_DATA)$/;

/**
 * Describes a failure of a mail server for the user, and what to do. It quotes the server, with invisible characters
 * made visible. `ended`: what is known of the connection, if it is gone; `goodbye` is the server's last word.
 */
export function mailFailure(
  error: unknown,
  { host, user, mailbox, encryption }: MailSettings,
  ended: { readonly wasSignedIn: boolean; readonly goodbye?: string | undefined } = { wasSignedIn: false },
): CodedError<string> {
  if (error instanceof CodedError) return error;
  const told: Partial<ImapFlowError> = error instanceof Error ? error : {};
  const { code = "" } = told;
  const said = saidBy(told);
  const fail = (kind: TasksErrorCode, message: string, hint: string): TasksError =>
    new TasksError(kind, message, { cause: error, hint });

  if (told.tlsFailed === true || BAD_CERTIFICATE.test(code))
    return fail(
      "source_refused",
      `No safe connection to ${host}${code === "" ? "" : ` (${code})`}`,
      encryption === "starttls"
        ? "The server must offer STARTTLS with a certificate for its name; or use `tls`, with its port."
        : "Its certificate must be valid for its name and trusted by this machine (NODE_EXTRA_CA_CERTS adds your own).",
    );
  if (told.authenticationFailed === true)
    return fail(
      "source_refused",
      `${host} does not let ${makeVisible(user)} in${said}`,
      "Check user and password, or the access token, which ends after a time. Many providers want a password made for one app.",
    );
  if (told.mailboxMissing === true)
    return fail(
      "source_refused",
      `${host} has no mailbox ${makeVisible(mailbox)}${said}`,
      "Write its name as the server has it, such as `INBOX` or `INBOX/Orders`.",
    );
  if (NONSENSE.test(code))
    return fail(
      "source_misbehaved",
      `${host} sent an invalid answer (${code})`,
      "It is asked again. If it stays so, check that host and port are those of an IMAP server.",
    );
  if (told.responseStatus === "NO" || told.responseStatus === "BAD")
    return fail("source_misbehaved", `${host} refused a request${said}`, "It is asked again.");
  if (ended.goodbye !== undefined || ended.wasSignedIn)
    return fail(
      "source_unreachable",
      `${host} ended the connection${saidBy({ responseText: ended.goodbye ?? "" })}`,
      ended.goodbye === undefined
        ? "Host, port and sign-in are right. Deputy connects again."
        : "The server says why. Deputy connects again, after a growing pause.",
    );
  return fail(
    "source_unreachable",
    `No connection to ${host}${code === "" ? "" : ` (${code})`}`,
    "Check host and port, and that this machine is online. Deputy tries again.",
  );
}

/** The server's own text, added to ours. */
function saidBy({ responseText, response }: Partial<ImapFlowError>): string {
  const text = responseText ?? (typeof response === "string" ? response : "");
  // Without the stop at its end: more may follow.
  const line = cutText(makeVisible(text.replaceAll(/\s+/g, " ").trim().replace(/\.$/, "")), MAX_SAID_CHARS);
  return line === "" ? "" : `: ${line}`;
}
