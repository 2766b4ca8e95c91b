import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";

export interface ReceivedMail {
  /** The envelope's. */
  readonly from: string;
  readonly to: readonly string[];
  /** As it came, headers and all. */
  readonly source: string;
}

/** A mail server that takes mail of whoever signs in. */
export interface SmtpService extends AsyncDisposable {
  readonly port: number;
  readonly mails: readonly ReceivedMail[];
  /** How many connections there were. */
  readonly connections: number;
  /** The next mail gets this answer; `after`: it is taken all the same, and the answer is lost. */
  fail(how: { readonly code: number } | "cut_after"): void;
}

export const SMTP_USER = "ada@example.org";
export const SMTP_PASSWORD = "correct horse battery";

/** A real SMTP server, on this machine. Without `tls` it offers no encryption. */
export async function serveSmtp(
  options: { readonly tls?: { readonly key: string; readonly cert: string } } = {},
): Promise<SmtpService> {
  const mails: ReceivedMail[] = [];
  const faults: Parameters<SmtpService["fail"]>[0][] = [];
  let connections = 0;
  const server = new SMTPServer({
    authOptional: false,
    disableReverseLookup: true,
    ...options.tls,
    disabledCommands: options.tls === undefined ? ["STARTTLS"] : [],
    allowInsecureAuth: true,
    onConnect(_session, done) {
      connections += 1;
      done();
    },
    onAuth({ username, password }, _session, done) {
      if (username === SMTP_USER && password === SMTP_PASSWORD) return done(null, { user: username });
      done(Object.assign(new Error("Invalid sign-in"), { responseCode: 535 }));
    },
    onData(stream, { envelope, id }, done) {
      text(stream).then(
        (source) => {
          const fault = faults.shift();
          if (fault !== undefined && fault !== "cut_after")
            return done(Object.assign(new Error("Not taken"), { responseCode: fault.code }));
          mails.push({
            from: envelope.mailFrom === false ? "" : envelope.mailFrom.address,
            to: envelope.rcptTo.map(({ address }) => address),
            source,
          });
          if (fault === undefined) return done();
          for (const connection of server.connections as Iterable<{ id: string; close(): void }>)
            if (connection.id === id) connection.close();
        },
        (error: Error) => done(error),
      );
    },
  });
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    get connections() {
      return connections;
    },
    fail: (how) => void faults.push(how),
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
