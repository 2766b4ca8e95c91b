import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import type { Duplex } from "node:stream";
import { fileURLToPath } from "node:url";
import { CHANNEL_FD, type FromHost, fromHost, type ToHost } from "./host-messages.ts";
import { createMessagePipe } from "./message-pipe.ts";

/** A plugin's process. */
export interface HostProcess {
  /** What cannot be sent, since the process is gone, is dropped: its end is told. Throws for what cannot cross. */
  send(message: ToHost): void;
  /** Ends it, and what it has started, at once. */
  kill(): void;
  /** Whether this process stays alive for it. */
  hold(isHeld: boolean): void;
  /** Never rejects. */
  readonly ended: Promise<HostEnd>;
}

export interface HostEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The last of what it wrote to stderr. */
  readonly said: string;
}

export interface StartHostDeps {
  readonly env: NodeJS.ProcessEnv;
  /** Takes what the plugin prints, line by line. */
  readonly print: (line: string) => void;
  readonly memoryMb: number;
  readonly onMessage: (message: FromHost) => void;
}

const KEPT_CHARS = 4_000;
/** From here on it is the engine that speaks of its own end: pages of addresses. */
const ENGINE_SPEAKS = /^(?:<---|FATAL ERROR|#\s*$|\s*#\s+Fatal error)/;

/**
 * Starts the process that a plugin runs in. It has a group of its own: Ctrl-C in a terminal is for Deputy to hear,
 * and whatever the plugin starts ends with it. It ends with this process, however this one ends; see `dyingWithUs`.
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
  const channel = createMessagePipe(pipe, {
    onMessage(message) {
      const read = fromHost.safeParse(message);
      // What a plugin sends past us says nothing to us.
      if (read.success) deps.onMessage(read.data);
    },
    onBroken: () => killGroup(child),
  });
  const ended = new Promise<HostEnd>((resolve) => {
    const end = (code: number | null, signal: NodeJS.Signals | null): void => {
      process.off("exit", atExit);
      resolve({ code, signal, said: said() });
    };
    // Once its pipes are closed, too: its last words are in them.
    child.once("close", end);
    child.once("exit", () => killGroup(child));
    child.on("error", () => {
      if (child.pid === undefined) end(null, null);
    });
    // Without a way to reach it, it is as good as gone.
    pipe.once("close", () => killGroup(child));
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

/** In a bundle it lies beside this file. */
function hostFile(): string {
  const name = import.meta.url.endsWith(".ts") ? "./host-main.ts" : "./plugin-host.js";
  return fileURLToPath(new URL(name, import.meta.url));
}

let found: readonly string[] | undefined;

/**
 * What to start it through so that the kernel ends it when this process dies. A host notices by itself that its
 * channel is closed, but not while it loops: where there is no `setpriv` of util-linux, such a one is left behind by
 * a Deputy that was killed.
 */
function dyingWithUs(): readonly string[] {
  if (found !== undefined) return found;
  const command = ["setpriv", "--pdeathsig", "KILL"];
  const works =
    process.platform === "linux" && spawnSync(command[0] ?? "", [...command.slice(1), "true"]).status === 0;
  found = works ? [...command, process.execPath] : [];
  return found;
}

/** Passes lines on; gives what was last said on stderr. */
function readLines(child: ChildProcess, print: (line: string) => void): () => string {
  let said = "";
  let isMuted = false;
  if (child.stdout !== null) createInterface({ input: child.stdout }).on("line", print);
  if (child.stderr !== null)
    createInterface({ input: child.stderr }).on("line", (line) => {
      said = `${said}${line}\n`.slice(-KEPT_CHARS);
      isMuted ||= ENGINE_SPEAKS.test(line);
      if (!isMuted) print(line);
    });
  return () => said;
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // There are no groups here, or all of it has ended already.
    child.kill("SIGKILL");
  }
}
