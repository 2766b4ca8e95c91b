import { connect, type Socket } from "node:net";

/** A line of the protocol, taken apart. */
export interface IrcLine {
  /** Who it is from: `nick!user@host`, or a server. */
  readonly from: string;
  readonly command: string;
  readonly params: readonly string[];
}

/** Why a connection is not there, or not any more. `refused`: the server does not let Deputy in. */
export interface IrcEnd {
  readonly kind: "refused" | "gone";
}

export interface IrcConnection {
  /** The name that the server gave Deputy. */
  readonly nick: string;
  send(line: string): void;
  /**
   * Sends lines, and gives what the server answered up to its echo of `token`: then it has taken all of them. Rejects
   * with an `IrcEnd` if the connection ends first, and on abort.
   */
  ask(lines: readonly string[], token: string, signal: AbortSignal): Promise<readonly IrcLine[]>;
  /** Resolves when the connection is over. */
  readonly ended: Promise<IrcEnd>;
  close(): void;
}

const SIGN_IN_MS = 20_000;
/** The longest that the server may be silent before it is asked, and before it is given up. */
const SILENT_MS = 90_000;
const CLOSE_MS = 2_000;
const TRIES = 3;
const MOST_BUFFERED = 65_536;

/** Connects and signs in. Rejects with an `IrcEnd`, and on abort. `hear` gets every line that comes afterwards. */
export async function connectIrc(
  options: { readonly host: string; readonly port: number; readonly nick: string; readonly password: string },
  hear: (line: IrcLine) => void,
  signal: AbortSignal,
): Promise<IrcConnection> {
  signal.throwIfAborted();
  const socket = connect({ host: options.host, port: options.port });
  const ended = Promise.withResolvers<IrcEnd>();
  const welcomed = Promise.withResolvers<string>();
  const asked = new Map<
    string,
    { readonly lines: IrcLine[]; readonly done: (lines: readonly IrcLine[]) => void }
  >();
  let end: IrcEnd = { kind: "gone" };
  let [nick, tries, isWelcome] = [options.nick, 0, false];
  const send = (line: string): void => void socket.write(`${oneLine(line)}\r\n`);

  const take = (line: IrcLine): void => {
    const { command, params } = line;
    if (command === "PING") return send(`PONG :${params.at(-1) ?? ""}`);
    if (command === "464" || (command === "ERROR" && !isWelcome && /password|denied/i.test(params.join(" "))))
      end = { kind: "refused" };
    if (command === "001") {
      [nick = nick] = params;
      isWelcome = true;
      return welcomed.resolve(nick);
    }
    // After a crash the server may still have Deputy under its name.
    if (command === "433" && !isWelcome && ++tries < TRIES) {
      nick = `${options.nick.slice(0, 7)}${tries}`;
      return send(`NICK ${nick}`);
    }
    const echoed = command === "PONG" ? asked.get(params.at(-1) ?? "") : undefined;
    if (echoed !== undefined) return echoed.done(echoed.lines);
    if (/^\d{3}$/.test(command)) for (const { lines } of asked.values()) lines.push(line);
    hear(line);
  };
  const stop = (): void => void socket.destroy();
  readLines(socket, take);
  socket.setTimeout(SIGN_IN_MS, stop);
  socket.on("error", () => undefined);
  socket.on("close", () => {
    signal.removeEventListener("abort", stop);
    ended.resolve(end);
  });
  signal.addEventListener("abort", stop, { once: true });
  if (options.password !== "") send(`PASS ${options.password}`);
  send(`NICK ${nick}`);
  send(`USER ${options.nick} 0 * :Deputy`);
  const over = ended.promise.then((why): never => {
    throw signal.aborted ? signal.reason : why;
  });
  over.catch(() => undefined);
  await Promise.race([welcomed.promise, over]);
  socket.setTimeout(SILENT_MS, () => (asked.size > 0 ? stop() : send("PING :still-there")));

  return {
    nick,
    send,
    async ask(lines, token, until) {
      until.throwIfAborted();
      const answer = Promise.withResolvers<readonly IrcLine[]>();
      const off = (): void => answer.reject(until.reason as Error);
      until.addEventListener("abort", off, { once: true });
      asked.set(token, { lines: [], done: answer.resolve });
      try {
        for (const line of lines) send(line);
        send(`PING :${token}`);
        return await Promise.race([answer.promise, over]);
      } finally {
        until.removeEventListener("abort", off);
        asked.delete(token);
      }
    },
    ended: ended.promise,
    close: () => {
      send("QUIT");
      socket.end();
      socket.setTimeout(CLOSE_MS, stop);
    },
  };
}

/** Nothing that somebody wrote can begin a line of its own. */
function oneLine(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replace(/[\r\n\0]+/g, " ");
}

function readLines(socket: Socket, take: (line: IrcLine) => void): void {
  let rest = "";
  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => {
    const lines = (rest + chunk).split(/\r?\n/);
    rest = lines.pop() ?? "";
    if (rest.length > MOST_BUFFERED) socket.destroy();
    for (const line of lines) if (line !== "") take(readLine(line));
  });
}

export function readLine(text: string): IrcLine {
  const { from = "", rest = "" } = /^(?:@\S+ +)?(?::(?<from>\S+) +)?(?<rest>.*)$/s.exec(text)?.groups ?? {};
  const [head = "", ...tail] = rest.split(/ :|^:/);
  const [command = "", ...params] = head.split(/ +/).filter((part) => part !== "");
  return {
    from,
    command: command.toUpperCase(),
    params: tail.length === 0 ? params : [...params, rest.slice(rest.indexOf(" :") + 2)],
  };
}
