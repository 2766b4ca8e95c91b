import type { ChildProcess } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { SandboxMount } from "@deputy/tools";
import type { FromBox, ToBox } from "../box-messages.ts";
import type { Box, Died } from "./box.ts";
import { readFrames, writeFrame } from "./frames.ts";
import type { FromProcess, ProgramBytes, ToProcess } from "./process-messages.ts";

/** An outer sandbox, as scripts need one. */
export interface OuterShell {
  /** From now on everything in that folder can be read in there. Rejects with `sandbox_unavailable`. */
  prepare(folder: string, signal: AbortSignal): Promise<void>;
  /** Throws `sandbox_unavailable`. */
  start(job: {
    readonly file: string;
    readonly args: readonly string[];
    readonly mounts: readonly SandboxMount[];
  }): {
    readonly child: ChildProcess;
    /** What it was kept from, in words, once it has ended. */
    readonly ended: () => readonly string[];
  };
  /** The name inside of what lies there on this machine. */
  nameOf(from: string, inside: string): string;
  /** Notes a script that has ended, for the log. */
  note(script: {
    readonly script: string;
    readonly mounts: readonly SandboxMount[];
    readonly exitCode: number;
    readonly durationMs: number;
    readonly denied: readonly string[];
  }): void;
}

/** How much of what a process says before it breaks is told. */
const LAST_WORDS = 300;

/**
 * The same as a thread, in a process in a sandbox. It sees the folders of the mounts, Node, and Deputy's own program.
 * `bring`: a program by its hash, which is checked here, outside.
 */
export function openProcessBox(
  outer: OuterShell,
  mounts: readonly SandboxMount[],
  parts: {
    readonly tools: Uint8Array;
    readonly bring: (sha256: string) => Promise<ProgramBytes | { readonly refused: string }>;
  },
): Box {
  const { child, ended: close } = outer.start({
    file: realpathSync(process.execPath),
    args: ["--experimental-wasm-jspi", fileURLToPath(entryUrl())],
    mounts: [...mounts, ...programMounts()],
  });
  const listeners = new Set<(message: FromBox) => void>();
  const { stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null || stderr === null) throw new Error("A sandbox has three streams");
  let computed = 0;
  let words = "";
  let died: Died | undefined;
  let isEnding = false;
  stderr.on("data", (chunk: Buffer) => {
    if (words.length < LAST_WORDS) words += chunk.toString("utf8");
  });
  // What is written to one that has ended goes nowhere; that it has ended is told otherwise.
  stdin.on("error", () => undefined);
  const take = (value: unknown): void => {
    const message = value as FromProcess;
    if (message.kind === "computed") computed = message.ms;
    else if (message.kind === "died") died = message.died;
    else {
      // Whoever begins to listen because of a message does not hear that message.
      const listening = [...listeners];
      for (const receive of listening) receive(message.message);
    }
  };
  readFrames(stdout, take, () => child.kill("SIGKILL"));
  const ended = new Promise<Died | undefined>((resolve) => {
    const over = (why: string): void => {
      const met = close();
      const said = [...met.map((one) => `It wanted ${one}.`), words.trim().slice(0, LAST_WORDS)];
      if (!isEnding)
        died ??= { limit: "crashed", message: [`The shell's process ${why}.`, ...said].join(" ").trim() };
      resolve(isEnding ? undefined : died);
    };
    child.once("error", () => over("could not be started"));
    child.once("close", (code, signal) => over(`ended by itself (${signal ?? code ?? "?"})`));
  });
  const tell = (message: ToProcess): void => writeFrame(stdin, message);
  const hold = (what: "runs" | "waits"): void => {
    for (const one of [child, ...[stdin, stdout, stderr].filter(isHandle)])
      if (what === "runs") one.ref();
      else one.unref();
  };
  tell({ kind: "tools", bytes: parts.tools });
  return {
    ended,
    post(message: ToBox) {
      if (message.kind !== "program") tell({ kind: "to", message });
    },
    listen(receive) {
      const hear = (message: FromBox): void => {
        if (message.kind !== "program") return receive(message);
        void parts
          .bring(message.sha256)
          .then((brought) => tell({ kind: "program", sha256: message.sha256, brought }));
      };
      listeners.add(hear);
      return () => void listeners.delete(hear);
    },
    cpuMs: async () => computed,
    async end() {
      isEnding = true;
      // Who waits for the end must live to see it.
      hold("runs");
      if (child.pid !== undefined && child.exitCode === null)
        try {
          process.kill(-child.pid, "SIGKILL");
        } catch {
          // It has ended already.
        }
      await ended;
    },
    hold,
  };
}

/** Pipes of processes are sockets, which the types do not say. */
function isHandle<T>(stream: T): stream is T & { ref(): void; unref(): void } {
  return typeof stream === "object" && stream !== null && "unref" in stream;
}

const FROM_SOURCES = import.meta.url.endsWith(".ts");

function entryUrl(): URL {
  return new URL(FROM_SOURCES ? "./shell-process.ts" : "./shell-process.js", import.meta.url);
}

/** Node, and the folder of Deputy's program: the bundle's, or the whole repository. */
function programMounts(): readonly SandboxMount[] {
  const folder = FROM_SOURCES ? repositoryFolder() : dirname(fileURLToPath(import.meta.url));
  return [realpathSync(process.execPath), folder].map((path) => ({ from: path, at: path, access: "read" }));
}

function repositoryFolder(): string {
  let at = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(`${at}/node_modules/@deputy`)) {
    if (dirname(at) === at) throw new Error("The repository is not where its sources are");
    at = dirname(at);
  }
  return at;
}
