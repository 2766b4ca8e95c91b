import { createHash } from "node:crypto";
import { throwIfAborted, showOnOneLine } from "@deputy/kit";
import { type ApprovalId, cardLines, type PendingApproval } from "@deputy/protocol";
import { type Channel, ChannelFailure } from "@deputy/tasks";
import { createTransport } from "nodemailer";
import type { AnswerCodes } from "./answer-codes.ts";

export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** `starttls`: nothing is said before the connection is encrypted. */
  readonly encryption: "tls" | "starttls" | "none";
  readonly user?: string | undefined;
  /** Read at each connection. Throws if there is none. */
  readonly password?: (() => string) | undefined;
}

export interface MailOptions {
  readonly server: MailServer;
  readonly from: string;
  readonly to: readonly string[];
  /** Where answers go, if not to `from`. */
  readonly replyTo?: string | undefined;
  /** The page, at that question. To fetch it does nothing. */
  readonly pageOf: (approval?: ApprovalId) => string;
  /** A question that still waits. */
  readonly question: (approval: ApprovalId) => Promise<PendingApproval | undefined>;
  /** Absent: nothing is answered by mail. */
  readonly codes?: AnswerCodes | undefined;
}

export interface MailChannel extends Channel {
  /** Signs in, and sends nothing. Rejects with a `ChannelFailure`. */
  check(signal: AbortSignal): Promise<void>;
}

const CONNECT_MS = 20_000;
const SILENT_MS = 30_000;
const CARD_WIDTH = 72;
const SUBJECT_CHARS = 150;

/** Mail to the owner, by SMTP. The same key is the same `Message-ID`, by which mail programs show a mail once. */
export function createMailChannel(options: MailOptions): MailChannel {
  const { from, to, replyTo, pageOf, codes } = options;

  const withServer = async <Value>(
    work: (transport: ReturnType<typeof connect>) => Promise<Value>,
    signal: AbortSignal,
  ): Promise<Value> => {
    throwIfAborted(signal);
    const transport = connect(options.server);
    const aborted = Promise.withResolvers<never>();
    const stop = (): void => aborted.reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    try {
      return await Promise.race([work(transport), aborted.promise]);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw mailFailure(error);
    } finally {
      signal.removeEventListener("abort", stop);
      transport.close();
    }
  };

  return {
    name: "mail",
    async check(signal) {
      await withServer((transport) => transport.verify(), signal);
    },
    async send({ key, from: who, text, asks }, signal) {
      const question = asks === undefined ? undefined : await options.question(asks);
      const title = question?.card?.title ?? text;
      const subject = asks === undefined ? `Deputy: ${who}` : `Deputy asks: ${title}`;
      const mail = {
        from,
        to: [...to],
        ...(replyTo !== undefined && { replyTo }),
        subject: showOnOneLine(subject).slice(0, SUBJECT_CHARS),
        text: [text, ...lines(question), ...waysToAnswer(asks, question)].join("\n"),
        messageId: `<${createHash("sha256").update(key).digest("hex").slice(0, 40)}@deputy.invalid>`,
        headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
        disableFileAccess: true,
        disableUrlAccess: true,
      };
      const { messageId } = await withServer((transport) => transport.sendMail(mail), signal);
      return { providerId: messageId };
    },
  };

  function waysToAnswer(asks: ApprovalId | undefined, question: PendingApproval | undefined): string[] {
    if (asks === undefined) return ["", `Deputy's page: ${pageOf()}`];
    const open = ["", `Look at it and answer on Deputy's page: ${pageOf(asks)}`];
    if (codes === undefined || question === undefined) return open;
    const code = codes.issue(asks);
    return [
      ...open,
      "",
      "Or answer this mail within an hour. Its first line must be one of these:",
      "",
      `approve ${code}`,
      "",
      `deny ${code}`,
      "",
      "After the second you can say why. Whoever has the code can answer: do not pass it on.",
    ];
  }
}

function lines(question: PendingApproval | undefined): readonly string[] {
  if (question?.card === undefined) return [];
  return ["", ...cardLines(question.card, CARD_WIDTH).map(({ text }) => text)];
}

function connect({ host, port, encryption, user, password }: MailServer) {
  return createTransport({
    host,
    port,
    secure: encryption === "tls",
    requireTLS: encryption === "starttls",
    ignoreTLS: encryption === "none",
    ...(user !== undefined && { auth: { user, pass: password?.() ?? "" } }),
    pool: true,
    maxConnections: 1,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENT_MS,
  });
}

/** Its message never has the password: it says what the server said, or less. */
function mailFailure(error: unknown): unknown {
  if (!(error instanceof Error) || !("code" in error)) return error;
  const { code, responseCode = 0 } = error as { readonly code: unknown; readonly responseCode?: number };
  const options = { cause: error };
  if (code === "EAUTH")
    return new ChannelFailure("not_accepted", "The mail server does not accept the sign-in", {
      ...options,
      hint: "`deputy channels add mail` takes the password anew. Many providers want one made for the purpose.",
    });
  if (code === "ETLS" || (code === "ESOCKET" && /tls|ssl|certificate/i.test(error.message)))
    return new ChannelFailure("not_accepted", "The mail server offers no encryption that can be trusted", {
      ...options,
      hint: "Look at `adapters.mail.secure`, and whether its certificate names the host.",
    });
  if (responseCode >= 500)
    return new ChannelFailure("not_accepted", `The mail server does not take it (${responseCode})`, options);
  if (responseCode >= 400)
    return new ChannelFailure("not_taken", `The mail server does not take it now (${responseCode})`, options);
  return new ChannelFailure("not_taken", "The mail server cannot be reached", options);
}
