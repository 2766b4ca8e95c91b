import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { type FakeMail, type FakeMailbox, fetchItems } from "./fake-mailbox.ts";

/** What a command may get instead of its answer. */
export type ImapFault =
  /** The connection ends before the answer, or in the middle of it. */
  | "drop"
  | "drop_midway"
  /** The server says why it ends the connection, and does. */
  | "bye"
  /** One byte of the answer, and then nothing. */
  | "stall"
  /** A literal with an invalid size. */
  | "bad_literal"
  /** A literal larger than any mail. */
  | "huge_literal"
  | "no";

export interface FakeImapServer extends AsyncDisposable {
  readonly port: number;
  readonly mailbox: FakeMailbox;
  /** Each command as received, without its tag; for sign-ins, only the name. */
  readonly commands: readonly string[];
  /** How many connections have been made. */
  readonly connections: number;
  /** How many wait in IDLE now. */
  readonly idling: number;
  /** Puts a mail into the mailbox, and tells waiting clients. */
  deliver(mail: Partial<FakeMail> & Pick<FakeMail, "source">): FakeMail;
  /** Ends all connections. */
  dropAll(): void;
}

export interface FakeImapOptions {
  readonly user?: string;
  readonly password?: string;
  readonly accessToken?: string;
  readonly capabilities?: readonly string[];
  readonly tls?: { readonly key: string; readonly cert: string };
  /** Called before each command is answered; `nth` counts those of its name over all connections. */
  readonly fault?: (command: string, nth: number) => ImapFault | undefined;
}

/**
 * An IMAP server (RFC 3501, with IDLE) with as much as a reader of one mailbox needs, and strict: it refuses
 * unknown commands, those in a wrong state, and every way of reading that would mark a mail as seen.
 */
export async function openFakeImapServer(options: FakeImapOptions = {}): Promise<FakeImapServer> {
  const commands: string[] = [];
  const mailbox: FakeMailbox = { name: "INBOX", uidValidity: 7, uidNext: 1, hasUidNext: true, mails: [] };
  const sessions = new Set<Session>();
  const counts = new Map<string, number>();
  let connections = 0;
  const accept = (socket: Socket): void => {
    connections += 1;
    const session = createSession(socket, mailbox, options, (line, name) => {
      commands.push(line);
      const nth = (counts.get(name) ?? 0) + 1;
      counts.set(name, nth);
      return options.fault?.(name, nth);
    });
    sessions.add(session);
    socket.once("close", () => sessions.delete(session));
  };
  const server: Server =
    options.tls === undefined ? createServer(accept) : createTlsServer(options.tls, accept);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port");
  const dropAll = (): void => {
    for (const session of sessions) session.end();
  };
  return {
    port: address.port,
    mailbox,
    commands,
    get connections() {
      return connections;
    },
    get idling() {
      return [...sessions].filter((session) => session.isIdling()).length;
    },
    deliver(mail) {
      const given: FakeMail = { uid: mailbox.uidNext, receivedAt: new Date(1_760_000_000_000), ...mail };
      mailbox.uidNext = given.uid + 1;
      mailbox.mails.push(given);
      for (const session of sessions) session.tellExists();
      return given;
    },
    dropAll,
    async [Symbol.asyncDispose]() {
      dropAll();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

interface Session {
  isIdling(): boolean;
  tellExists(): void;
  end(): void;
}

type State = "fresh" | "signed_in" | "open";

function createSession(
  socket: Socket,
  mailbox: FakeMailbox,
  options: FakeImapOptions,
  onCommand: (line: string, name: string) => ImapFault | undefined,
): Session {
  const capabilities = ["IMAP4rev1", ...(options.capabilities ?? ["IDLE"])].join(" ");
  let state: State = "fresh";
  let idle: string | undefined;
  let told = -1;
  let buffered = "";
  socket.on("error", () => undefined);
  socket.setNoDelay(true);
  socket.write("* OK ready\r\n");

  const untold = (): string => {
    if (state !== "open" || told === mailbox.mails.length) return "";
    told = mailbox.mails.length;
    return `* ${told} EXISTS\r\n`;
  };

  const answer = (tag: string, name: string, rest: string): Buffer | string => {
    const ok = (untagged: string | Buffer = "", code = ""): Buffer =>
      Buffer.concat([Buffer.from(untagged), Buffer.from(`${tag} OK ${code}done\r\n`)]);
    const bad = (why: string): string => `${tag} BAD ${why}\r\n`;
    switch (name) {
      case "CAPABILITY":
        return ok(`* CAPABILITY ${capabilities}\r\n`);
      case "NOOP":
        return ok(untold());
      case "LOGOUT":
        return ok("* BYE bye\r\n");
      case "LOGIN": {
        const given = [...rest.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(
          ([, quoted, atom]) => quoted?.replaceAll(/\\(.)/g, "$1") ?? atom,
        );
        const isRight = given[0] === (options.user ?? "ada") && given[1] === (options.password ?? "secret-1");
        if (state !== "fresh" || !isRight) return `${tag} NO [AUTHENTICATIONFAILED] no such user\r\n`;
        state = "signed_in";
        return ok();
      }
      case "AUTHENTICATE": {
        const [mechanism, initial = ""] = rest.split(" ");
        const wanted = `user=${options.user ?? "ada"}\u0001auth=Bearer ${options.accessToken}\u0001\u0001`;
        const isRight = mechanism === "XOAUTH2" && Buffer.from(initial, "base64").toString() === wanted;
        if (state !== "fresh" || !isRight) return `${tag} NO [AUTHENTICATIONFAILED] token expired\r\n`;
        state = "signed_in";
        return ok();
      }
      case "LIST":
      case "LSUB": {
        if (state === "fresh") return bad("sign in first");
        const asked = /^"?"? "?([^"]*)"?$/.exec(rest)?.[1] ?? "";
        if (asked === "") return ok(`* ${name} (\\Noselect) "/" ""\r\n`);
        return ok(asked === mailbox.name ? `* ${name} () "/" "${mailbox.name}"\r\n` : "");
      }
      case "EXAMINE": {
        if (state === "fresh") return bad("sign in first");
        if (rest.replaceAll('"', "") !== mailbox.name) return `${tag} NO no such mailbox\r\n`;
        state = "open";
        told = mailbox.mails.length;
        const next = mailbox.hasUidNext ? `* OK [UIDNEXT ${mailbox.uidNext}] next\r\n` : "";
        return ok(
          `* FLAGS (\\Seen \\Deleted)\r\n* ${told} EXISTS\r\n* 0 RECENT\r\n* OK [UIDVALIDITY ${mailbox.uidValidity}] ok\r\n${next}`,
          "[READ-ONLY] ",
        );
      }
      case "UID SEARCH": {
        if (state !== "open") return bad("no mailbox is open");
        const found = search(mailbox, rest);
        if (found === undefined) return bad(`cannot search for ${rest}`);
        return ok(`* SEARCH${found.map((uid) => ` ${uid}`).join("")}\r\n`);
      }
      case "FETCH":
      case "UID FETCH": {
        if (state !== "open") return bad("no mailbox is open");
        const [, range = "", items = ""] = /^(\S+) \(?(.*?)\)?$/.exec(rest) ?? [];
        const wanted = new Set(range.split(",").map(Number));
        const rows = mailbox.mails.slice(0, told).map((mail, at) => ({ mail, seq: at + 1 }));
        const chosen = rows.filter(({ mail, seq }) => wanted.has(name === "FETCH" ? seq : mail.uid));
        const parts: Buffer[] = [];
        for (const { mail, seq } of chosen) {
          const fetched = fetchItems(mail, items);
          if (fetched === undefined) return bad(`cannot fetch ${items}`);
          parts.push(Buffer.from(`* ${seq} FETCH (`), fetched, Buffer.from(")\r\n"));
        }
        return ok(Buffer.concat(parts));
      }
      case "IDLE":
        if (state !== "open" || !capabilities.includes("IDLE")) return bad("not here");
        idle = tag;
        return `+ idling\r\n${untold()}`;
      default:
        return bad(`unknown command ${name}`);
    }
  };

  const onLine = (line: string): void => {
    if (idle !== undefined) {
      if (line !== "DONE") return void socket.end(`${idle} BAD expected DONE\r\n`);
      socket.write(`${idle} OK idled\r\n`);
      idle = undefined;
      return;
    }
    const [, tag = "*", name = "", rest = ""] = /^(\S+) ((?:UID )?\S+)(?: (.*))?$/i.exec(line) ?? [];
    const verb = name.toUpperCase();
    const isSecret = verb === "LOGIN" || verb === "AUTHENTICATE";
    const fault = onCommand(isSecret ? verb : `${verb} ${rest}`.trim(), verb);
    if (fault === "drop") return void socket.destroy();
    if (fault === "no") return void socket.write(`${tag} NO not now\r\n`);
    const whole = Buffer.from(answer(tag, verb, rest));
    switch (fault) {
      case "drop_midway":
        socket.write(whole.subarray(0, Math.ceil(whole.length / 2)), () => socket.destroy());
        return;
      case "bye":
        socket.end("* BYE Too many connections\u200b from your address.\r\n");
        return;
      case "stall":
        socket.write(whole.subarray(0, 1));
        return;
      case "bad_literal":
        socket.write(`* 1 FETCH (UID 1 BODY[] {-12x}\r\nabc)\r\n${tag} OK done\r\n`);
        return;
      case "huge_literal":
        socket.write(`* 1 FETCH (UID 1 BODY[] {999999999}\r\n`);
        return;
      default:
        socket.write(whole);
        if (verb === "LOGOUT") socket.end();
    }
  };

  socket.on("data", (bytes) => {
    buffered += bytes.toString("latin1");
    for (let end = buffered.indexOf("\r\n"); end >= 0; end = buffered.indexOf("\r\n")) {
      const line = buffered.slice(0, end);
      buffered = buffered.slice(end + 2);
      onLine(line);
    }
  });
  return {
    isIdling: () => idle !== undefined,
    tellExists() {
      if (idle !== undefined) socket.write(untold());
    },
    end: () => void socket.destroy(),
  };
}

function search({ mails }: FakeMailbox, query: string): readonly number[] | undefined {
  const range = /^UID (\d+):\*$/.exec(query);
  if (range !== null) {
    const from = Number(range[1]);
    // As in RFC 3501: `*` is the last one, and a range has no direction.
    const last = mails.at(-1)?.uid ?? 0;
    return mails.map(({ uid }) => uid).filter((uid) => uid >= Math.min(from, last));
  }
  const one = /^UID (\d+)$/.exec(query);
  if (one !== null) return mails.map(({ uid }) => uid).filter((uid) => uid === Number(one[1]));
  const since = /^SINCE "?(\d{1,2}-[A-Z][a-z]{2}-\d{4})"?$/.exec(query);
  if (since === null) return undefined;
  const dayMs = Date.parse(`${since[1]} 00:00:00 GMT`);
  return mails.filter(({ receivedAt }) => receivedAt.getTime() >= dayMs).map(({ uid }) => uid);
}
