import { createHash, randomUUID } from "node:crypto";
import type { AdapterOptions, ChatApp, Heard, Message, Run } from "@deputy/channels";
import { connectIrc, type IrcConnection, type IrcEnd, type IrcLine } from "./irc-connection.ts";

/** What a line may have, with its prefix, is 512 bytes. */
const MAX_BYTES = 400;
const MOST_KEPT = 300;
const LIMITED_MS = 2_000;
const CODE = /^!([0-9a-z]{6})$/i;
/** Refusals of a place: nobody of that name, no such channel, not allowed to write there. */
const GONE: ReadonlySet<string> = new Set(["401", "403", "404", "442"]);
/** Too fast. */
const LIMITED: ReadonlySet<string> = new Set(["263", "439"]);

/** A button is a word that people type. */
interface KeptButton {
  readonly code: string;
  readonly place: string;
  readonly ref: string;
  readonly data: string;
}

interface Kept {
  readonly buttons: KeptButton[];
  /** The name under which each person was heard last, by id. */
  readonly nicks: [id: string, nick: string][];
}

/**
 * IRC as a chat app of Deputy's. Servers keep nothing: what is said while Deputy is away is refused by the server, and
 * whoever said it sees that. People are known by `user@host`, and only if the server vouches for `user`: without its
 * `~`. Nothing that was posted can be changed, so there is no `edit`; buttons are words such as `!k3x9ab`.
 */
export default function createIrcApp(options: AdapterOptions): ChatApp {
  const { name, clock, settings, parts } = options;
  const { ChannelsError } = parts;
  const channels = String(settings["channels"] ?? "")
    .split(",")
    .filter((one) => one !== "");
  const kept = readKept(options.kept.read());
  const life = randomUUID();
  let [count, current] = [0, undefined as IrcConnection | undefined];

  const open = async (hear: (line: IrcLine) => void, signal: AbortSignal): Promise<IrcConnection> => {
    try {
      const to = { host: String(settings["host"] ?? "127.0.0.1"), port: Number(settings["port"] ?? 6667) };
      const who = { nick: String(settings["nick"] ?? "deputy"), password: options.secret("password") };
      return await connectIrc({ ...to, ...who }, hear, signal);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw failureOf(error, "again");
    }
  };
  const failureOf = (error: unknown, what: "post" | "again") => {
    const { kind } = error as Partial<IrcEnd>;
    if (kind === "refused")
      return new ChannelsError("refused", "The IRC server does not accept the password", {
        hint: `Look at \`adapters.others.${name}.secrets.password\`.`,
      });
    return new ChannelsError(what === "post" ? "unknown" : "not_sent", "The IRC server cannot be reached", {
      cause: error,
    });
  };
  /** The connection that hears, or one for this alone. */
  const using = async <Value>(
    work: (connection: IrcConnection) => Promise<Value>,
    signal: AbortSignal,
  ): Promise<Value> => {
    if (current !== undefined) return await work(current);
    const own = await open(() => undefined, signal);
    try {
      return await work(own);
    } finally {
      own.close();
      await own.ended;
    }
  };
  const save = (): void => {
    kept.buttons.splice(0, kept.buttons.length - MOST_KEPT);
    kept.nicks.splice(0, kept.nicks.length - MOST_KEPT);
    options.kept.write(kept);
  };

  /** Where to send it. A name may be somebody else's by now: the server is asked who has it. */
  const targetOf = async (place: string, on: IrcConnection, signal: AbortSignal): Promise<string> => {
    const who = ircPlace.read(place);
    if (isChannel(who)) return who;
    const nick = kept.nicks.find(([id]) => id === who)?.[1];
    if (nick === undefined) throw new ChannelsError("gone", "Nobody of that id was ever heard there");
    const answers = await on.ask([`WHOIS ${nick}`], `who${++count}`, signal).catch((error: unknown) => {
      throw signal.aborted ? signal.reason : failureOf(error, "again");
    });
    const is = answers.find(({ command }) => command === "311")?.params;
    if (is === undefined || `${is[2]}@${is[3]}` !== who)
      throw new ChannelsError("gone", "They are not there any more under the name that they had");
    return nick;
  };

  const heardOf = ({ from, command, params }: IrcLine, me: string): Heard | undefined => {
    const [, nick = "", user = "", host = ""] = /^([^!]+)!([^@]+)@(.+)$/.exec(from) ?? [];
    const [target = "", text = ""] = params;
    // Programs talk by NOTICE, and are not answered; who the server does not vouch for could be anybody.
    if (command !== "PRIVMSG" || user === "" || user.startsWith("~") || text.startsWith("\u0001"))
      return undefined;
    const by = { id: `${user}@${host}`, name: nick };
    const group = isChannel(target) ? target.toLowerCase() : undefined;
    const place = ircPlace.write(group ?? by.id);
    const said = isChannel(target) ? toUs(text, me) : text.trim();
    if (said === undefined || said === "") return undefined;
    const at = kept.nicks.findIndex(([id]) => id === by.id);
    if (at === -1 || kept.nicks[at]?.[1] !== nick) {
      if (at !== -1) kept.nicks.splice(at, 1);
      kept.nicks.push([by.id, nick]);
      save();
    }
    const happened = { id: `${life}.${++count}`, place, by, ...(group !== undefined && { group }) };
    const code = CODE.exec(said)?.[1]?.toLowerCase();
    const button = kept.buttons.findLast((one) => one.code === code && one.place === place);
    if (button === undefined) return { kind: "said", ...happened, text: said, files: [] };
    const tell = async (words: string): Promise<void> => current?.send(`NOTICE ${nick} :${words}`);
    return { kind: "pressed", ...happened, data: button.data, ref: button.ref, tell };
  };

  return {
    name,
    can: { maxChars: MAX_BYTES, measure: bytesOf, deduplicates: false, editEveryMs: 0 },
    async receive(hear, signal) {
      const keepTrying = parts.createKeepTrying(options);
      const handOver = parts.createHandOver({ clock, hear }, signal);
      const listen = async (): Promise<void> => {
        const take = (line: IrcLine): void => {
          const heard = heardOf(line, current?.nick ?? "");
          // It rejects only when everything ends.
          if (heard !== undefined) handOver(heard).catch(() => undefined);
        };
        const connection = await open(take, signal);
        current = connection;
        keepTrying.isWell();
        for (const channel of channels) connection.send(`JOIN ${channel}`);
        const close = (): void => connection.close();
        signal.addEventListener("abort", close, { once: true });
        const end = await connection.ended;
        signal.removeEventListener("abort", close);
        current = undefined;
        if (!signal.aborted) throw failureOf(end, "again");
      };
      try {
        while (!signal.aborted) await keepTrying.until(listen, signal);
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    },
    identify: (signal) => using(async ({ nick }) => nick, signal),
    async post(place, message, key, signal) {
      signal.throwIfAborted();
      const ref = createHash("sha256").update(key).digest("hex").slice(0, 16);
      const shown = (message.buttons ?? []).map(({ label, data }) => {
        const code = createHash("sha256").update(`${ref} ${data}`).digest("hex").slice(0, 6);
        kept.buttons.push({ code, place, ref, data });
        return `${label}: !${code}`;
      });
      // Before they are shown: what somebody types must be known after a crash, too.
      if (shown.length > 0) save();
      return await using(async (connection) => {
        const target = await targetOf(place, connection, signal);
        const lines = [...linesOf(message), ...(shown.length > 0 ? [shown.join("  ")] : [])];
        const answers = await connection
          .ask(
            lines.map((line) => `PRIVMSG ${target} :${line}`),
            ref,
            signal,
          )
          .catch((error: unknown) => {
            throw signal.aborted ? signal.reason : failureOf(error, "post");
          });
        const codes = answers.map(({ command }) => command);
        if (codes.some((code) => LIMITED.has(code)))
          throw new ChannelsError("not_sent", "The IRC server wants fewer messages", {
            retryAfterMs: LIMITED_MS,
          });
        if (codes.some((code) => GONE.has(code)))
          throw new ChannelsError("gone", "They are not there, or Deputy may not write there");
        return ref;
      }, signal);
    },
    // IRC has nothing of the kind.
    typing: async () => undefined,
  };
}

/** A place as a session's key can have it: what no key has is written as `~` and two hexadecimal digits. */
export const ircPlace = {
  write: (name: string): string =>
    Array.from(new TextEncoder().encode(name), (byte) => {
      const letter = String.fromCodePoint(byte);
      return /[A-Za-z0-9._-]/.test(letter) ? letter : `~${byte.toString(16).padStart(2, "0")}`;
    }).join(""),
  read: (place: string): string => decodeURIComponent(place.replaceAll("~", "%")),
};

function isChannel(target: string): boolean {
  return /^[#&+]/.test(target);
}

/** In a channel only what begins with Deputy's name is said to it, or a button's word. */
function toUs(text: string, me: string): string | undefined {
  if (CODE.test(text.trim())) return text.trim();
  const [, name = "", rest = ""] = /^@?([^\s:,]+)[:,]?\s+(.*)$/s.exec(text) ?? [];
  return name.toLowerCase() === me.toLowerCase() ? rest.trim() : undefined;
}

function linesOf({ runs }: Message): readonly string[] {
  return textOf(runs)
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line !== "");
}

/**
 * As it is sent, and as long as that is: a link has its address with it. Blocks and quotes can be anybody's text: each
 * of their lines is set off, so that none passes for a line of Deputy's.
 */
function textOf(runs: readonly Run[]): string {
  let written = "";
  for (const { text, styles } of runs) {
    const bar = styles.some(({ kind }) => kind === "block" || kind === "quote") ? "│ " : "";
    for (const [at, line] of text.split("\n").entries()) {
      if (at > 0) written += "\n";
      written += (/(?:^|\n)$/.test(written) ? bar : "") + line;
    }
    const link = styles.find((style) => style.kind === "link");
    if (link !== undefined && link.url !== text) written += ` (${link.url})`;
  }
  return written;
}

function bytesOf(runs: readonly Run[]): number {
  return new TextEncoder().encode(textOf(runs)).length;
}

function readKept(value: unknown): Kept {
  const { buttons, nicks } = (value ?? {}) as Partial<Kept>;
  return {
    buttons: Array.isArray(buttons) ? [...buttons] : [],
    nicks: Array.isArray(nicks) ? [...nicks] : [],
  };
}
