import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import type { Duplex, Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { CHANNEL_FD, type FromHost, fromHost, type ToHost } from "./host-messages.ts";
import { createMessagePipe } from "./message-pipe.ts";

/** A plugin's process. */
export interface HostProcess {
  /**
   * Drops messages when the process is gone, because its end is reported anyway. Throws for values that cannot be
   * sent.
   */
  send(message: ToHost): void;
  /** Ends it, and what it has started, at once. */
  kill(): void;
  /** True keeps this process alive for the host. */
  hold(isHeld: boolean): void;
  /** Never rejects. */
  readonly ended: Promise<HostEnd>;
}

export interface HostEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The last of what it wrote to stderr. */
  readonly said: string;
  /** Present when Deputy ended it: what it did, as a phrase that follows its name. */
  readonly offence?: string | undefined;
}

export interface StartHostDeps {
  readonly env: NodeJS.ProcessEnv;
  /** Takes what the plugin prints, line by line. */
  readonly print: (line: string) => void;
  readonly memoryMb: number;
  readonly onMessage: (message: FromHost) => void;
}

const KEPT_CHARS = 4_000;
/** The longest line of a plugin's output that is passed on whole. Longer ones are passed on in pieces. */
const LINE_CHARS = 64 * 1024;
/** How long a process that has closed its channel may take to be gone, and its pipes after it. */
const GONE_MS = 200;
/** From this line on, the engine reports its own crash: pages of addresses. */
const ENGINE_SPEAKS = /^(?:<---|FATAL ERROR|#\s*$|\s*#\s+Fatal error)/;

/**
 * Starts the process of a plugin. It has a process group of its own: Ctrl-C in a terminal reaches only Deputy, and
 * everything the plugin starts ends with the plugin. The process ends with this one, however this one ends; see
 * `dyingWithUs`.
 */
export function startHost(deps: StartHostDeps): HostProcess {
  const cache = getCompileCacheDir?.();
  const flags = [`--max-old-space-size=${deps.memoryMb}`, "--max-semi-space-size=8"];
  // Node adds a folder for its own version.
  const args = [...flags, hostFile(), cache === undefined ? "" : dirname(cache)];
  const [command = process.execPath, ...before] = dyingWithUs();
  const child = spawn(command, [...before, ...args], {
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    detached: true,
    env: deps.env,
  });
  const atExit = (): void => killGroup(child);
  process.once("exit", atExit);
  const said = readLines(child, deps.print);
  const pipe = child.stdio[CHANNEL_FD] as Duplex;
  let offence: string | undefined;
  const endFor = (what: string): void => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    offence ??= what;
    killGroup(child);
  };
  const channel = createMessagePipe(pipe, {
    onMessage(message) {
      const read = fromHost.safeParse(message);
      // Messages of another form, which a plugin may send by itself, are ignored.
      if (read.success) deps.onMessage(read.data);
    },
    onBroken: () => endFor("wrote something that is not a message into its channel to Deputy"),
  });
  const ended = new Promise<HostEnd>((resolve) => {
    const end = (code: number | null, signal: NodeJS.Signals | null): void => {
      process.off("exit", atExit);
      resolve({ code, signal, said: said(), offence });
    };
    // After its pipes are closed, because they may hold its last message.
    child.once("close", end);
    child.once("exit", () => {
      killGroup(child);
      // Processes that it has started may have left the group and keep the pipes open.
      setTimeout(() => {
        for (const stream of child.stdio) stream?.destroy();
      }, GONE_MS).unref();
    });
    child.on("error", () => {
      if (child.pid === undefined) end(null, null);
    });
    // Without a channel, it counts as gone. A process that ends closes its pipes before its exit is known.
    pipe.once("close", () => setTimeout(endFor, GONE_MS, "closed its way to Deputy").unref());
  });
  return {
    send: (message) => channel.send(message),
    kill: () => killGroup(child),
    hold(isHeld) {
      const change = isHeld ? "ref" : "unref";
      child[change]();
      for (const stream of [pipe, child.stdout, child.stderr])
        if (stream !== null) Reflect.get(stream, change)?.call(stream);
    },
    ended,
  };
}

/** In a bundle it is beside this file. */
function hostFile(): string {
  const name = import.meta.url.endsWith(".ts") ? "./host-main.ts" : "./plugin-host.js";
  return fileURLToPath(new URL(name, import.meta.url));
}

let found: readonly string[] | undefined;

/**
 * The command that starts it in such a way that the kernel ends it when this process dies. A host notices by
 * itself that its channel is closed, but not while it loops. Without `setpriv` of util-linux, a looping host
 * stays behind when Deputy is killed.
 */
function dyingWithUs(): readonly string[] {
  if (found !== undefined) return found;
  const command = ["setpriv", "--pdeathsig", "KILL"];
  const works =
    process.platform === "linux" && spawnSync(command[0] ?? "", [...command.slice(1), "true"]).status === 0;
  found = works ? [...command, process.execPath] : [];
  return found;
}

/** Passes lines on; returns the last output on stderr. */
function readLines(child: ChildProcess, print: (line: string) => void): () => string {
  let said = "";
  let isMuted = false;
  if (child.stdout !== null) onLine(child.stdout, print);
  if (child.stderr !== null)
    onLine(child.stderr, (line) => {
      said = `${said}${line}\n`.slice(-KEPT_CHARS);
      isMuted ||= ENGINE_SPEAKS.test(line);
      if (!isMuted) print(line);
    });
  return () => said;
}

function onLine(input: Readable, take: (line: string) => void): void {
  let rest = "";
  const takeLong = (line: string): string => {
    let end = line;
    for (; end.length > LINE_CHARS; end = end.slice(LINE_CHARS)) take(end.slice(0, LINE_CHARS));
    return end;
  };
  input.setEncoding("utf8");
  input.on("data", (text: string) => {
    const lines = `${rest}${text}`.split(/\r?\n/);
    const last = lines.pop() ?? "";
    for (const line of lines) take(takeLong(line));
    rest = takeLong(last);
  });
  input.once("end", () => {
    if (rest !== "") take(rest);
  });
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // There are no process groups here, or all of them have ended.
    child.kill("SIGKILL");
  }
}
