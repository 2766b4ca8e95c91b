import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type IrcLine, readLine } from "./irc-connection.ts";

/** A real IRC server (ngircd) with Ada on it, and a wire to it that a test can break. Deputy's side is the wire's. */
export interface IrcWorld extends AsyncDisposable {
  readonly port: number;
  readonly password: string;
  /** Ada's id: a gateway vouches for her, as it does for people who sign in on the web. */
  readonly ada: string;
  /** Once Deputy is there, since the server keeps nothing for it. */
  say(text: string, more?: { readonly to?: string; readonly as?: "NOTICE" | "PRIVMSG" }): void;
  /** What Ada was shown in a place: each message that Deputy posted, as the lines that reached her. */
  shown(place: string): readonly { readonly ref: string; readonly lines: readonly string[] }[];
  /** Resolves with the next thing that Ada is told alone. */
  told(): Promise<string>;
  break(how: "limited" | "lost" | "failing"): void;
  stop(): Promise<void>;
  start(): Promise<void>;
  changePassword(): Promise<void>;
}

export const HAS_NGIRCD = spawnSync("ngircd", ["--version"]).status === 0;
export const CHANNEL = "#deputy";
const BOT = "deputy";
const LOOK_MS = 20;
const MOST_LOOKS = 100;

export async function openIrcWorld(): Promise<IrcWorld> {
  const folder = mkdtempSync(join(tmpdir(), "irc-"));
  const inner = await freePort();
  let password = "secret-of-the-server";
  let server: ChildProcess | undefined;
  let fault: "limited" | "lost" | "failing" | undefined;
  /** What the server has of Deputy's: by message, how many lines. */
  const posted: { readonly ref: string; readonly target: string; readonly lines: number }[] = [];
  const received: { readonly place: string; readonly text: string }[] = [];
  const notices: string[] = [];
  const queue: string[] = [];
  let [person, isThere] = [undefined as Socket | undefined, false];

  const start = async (): Promise<void> => {
    const file = join(folder, "ngircd.conf");
    writeFileSync(file, configOf(inner, password), { mode: 0o644 });
    server = spawn("ngircd", ["-n", "-f", file], { stdio: "ignore" });
    while (!(await isOpen(inner))) await pause();
    isThere = false;
    joinAda();
  };
  const stop = async (): Promise<void> => {
    person?.destroy();
    if (server === undefined || server.exitCode !== null) return;
    const gone = once(server, "exit");
    server.kill("SIGKILL");
    await gone;
  };

  const joinAda = (): void => {
    const socket = connect(inner, "127.0.0.1");
    person = socket;
    const send = (line: string): void => void socket.write(`${line}\r\n`);
    onLines(socket, (text) => {
      const { from, command, params } = readLine(text);
      if (command === "PING") send(`PONG :${params.at(-1) ?? ""}`);
      if (command === "001") send(`JOIN ${CHANNEL}`);
      if (command === "303") isThere = (params.at(-1) ?? "").trim() === BOT;
      // A connection that has just broken off may still have the name.
      if (!/^deputy\d?!/.test(from)) return;
      const [target = "", words = ""] = params;
      if (command === "NOTICE") notices.push(words);
      if (command === "PRIVMSG") received.push({ place: placeOf(target), text: words });
    });
    socket.on("error", () => undefined);
    for (const line of [
      "WEBIRC gate ada users.example 10.1.2.3",
      `PASS ${password}`,
      "NICK ada",
      "USER ada 0 * :Ada",
    ])
      send(line);
    const look = setInterval(() => {
      if (!isThere) return send(`ISON ${BOT}`);
      for (const line of queue.splice(0)) send(line);
    }, LOOK_MS);
    socket.on("close", () => clearInterval(look));
  };

  let sent = 0;
  const adaHasAll = async (): Promise<void> => {
    for (let looks = 0; received.length < sent && looks < MOST_LOOKS; looks++) await pause();
  };
  const wire = createServer((near) => {
    const far = connect(inner, "127.0.0.1");
    // What Deputy is told comes after what Ada is shown, so that a test can look at once.
    let told = Promise.resolve();
    far.on("data", (bytes) => {
      told = told.then(adaHasAll).then(() => void near.write(bytes));
    });
    let waiting: IrcLine[] = [];
    onLines(near, (text) => {
      const line = readLine(text);
      if (line.command === "PRIVMSG" && fault === "limited") {
        fault = undefined;
        near.write(`:irc.test 439 ${BOT} x :Target change too fast. Please wait 1 seconds\r\n`);
        return;
      }
      if (line.command === "PRIVMSG" && fault === "failing") {
        fault = undefined;
        near.destroy();
        return;
      }
      far.write(`${text}\r\n`);
      if (line.command === "PRIVMSG") sent++;
      if (line.command === "PRIVMSG") waiting.push(line);
      if (line.command !== "PING" && !(fault === "lost" && line.command === "PRIVMSG")) return;
      const [first] = waiting;
      if (first !== undefined)
        posted.push({ ref: line.params[0] ?? "", target: first.params[0] ?? "", lines: waiting.length });
      waiting = [];
      if (fault !== "lost" || first === undefined) return;
      fault = undefined;
      void adaHasAll().then(() => near.destroy());
    });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on("error", () => undefined);
      one.on("close", () => other.end());
    }
    near.on("close", () => (isThere = false));
  });
  wire.listen(0, "127.0.0.1");
  await once(wire, "listening");
  await start();

  return {
    port: (wire.address() as AddressInfo).port,
    get password() {
      return password;
    },
    ada: "ada@10.1.2.3",
    say: (text, { to = BOT, as = "PRIVMSG" } = {}) => void queue.push(`${as} ${to} :${text}`),
    shown(place) {
      const mine = received.filter((one) => one.place === place).map(({ text }) => text);
      return posted
        .filter(({ target }) => placeOf(target) === place)
        .map(({ ref, lines }) => ({ ref, lines: mine.splice(0, lines) }))
        .filter(({ lines }) => lines.length > 0);
    },
    async told() {
      const before = notices.length;
      for (let looks = 0; notices.length === before && looks < 10 * MOST_LOOKS; looks++) await pause();
      return notices.at(-1) ?? "";
    },
    break: (how) => void (fault = how),
    stop,
    start,
    async changePassword() {
      await stop();
      password = "another-one";
      await start();
    },
    async [Symbol.asyncDispose]() {
      await stop();
      wire.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function placeOf(target: string): string {
  return target.startsWith("#") ? target : "ada@10.1.2.3";
}

function configOf(port: number, password: string): string {
  return `[Global]
Name = irc.test
Info = For tests
AdminEMail = nobody@example.org
Listen = 127.0.0.1
Ports = ${port}
Password = ${password}
MotdFile = /dev/null
[Limits]
MaxConnectionsIP = 0
MaxPenaltyTime = 0
[Options]
DNS = no
Ident = no
PAM = no
ChrootDir =
WebircPassword = gate
`;
}

function onLines(socket: Socket, take: (text: string) => void): void {
  let rest = "";
  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => {
    const lines = (rest + chunk).split(/\r?\n/);
    rest = lines.pop() ?? "";
    for (const line of lines) if (line !== "") take(line);
  });
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, LOOK_MS));
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
