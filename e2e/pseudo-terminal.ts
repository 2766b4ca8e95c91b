import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import xterm from "@xterm/headless";
import { PATIENCE_MS } from "./patience.ts";
import { SHORT_LIVED } from "./repository.ts";
import { LAUNCHER } from "./run-deputy.ts";

/** Undefined where it has no build for this machine. */
export const pty = await import("@lydell/node-pty").catch(() => undefined);

/** Deputy in a real terminal: what it writes is read back from the emulator's buffer. */
export interface PseudoTerminal extends AsyncDisposable {
  readonly pid: number;
  /** Types this, as a keyboard would. */
  type(keys: string): void;
  /** Everything in the buffer, scrollback included, without the empty lines at its end. */
  lines(): readonly string[];
  /** The scrollback and the screen as one text, lines that were broken at the edge joined. */
  text(): string;
  /** Every byte that was written so far. */
  written(): string;
  resize(columns: number, rows: number): void;
  /** Resolves once `wanted` is in the text; rejects with the screen when it does not come. */
  see(wanted: string | RegExp, timeoutMs?: number): Promise<void>;
  /** Resolves once nothing has been drawn for a while. */
  quiet(): Promise<void>;
  /** Resolves right after the drawing that comes every second while a turn runs, if nothing but its time has changed. */
  beat(): Promise<void>;
  /** The exit code, once it has ended and all that it wrote is in the text. */
  ended(): Promise<number>;
}

export const KEYS = {
  enter: "\r",
  newLine: "\n",
  interrupt: "\u0003",
  end: "\u0004",
  details: "\u000f",
  lineStart: "\u0001",
  lineEnd: "\u0005",
  cutToEnd: "\u000b",
  find: "\u0012",
  up: "\u001b[A",
  down: "\u001b[B",
} as const;

/** Whether the process's main thread runs or waits for a processor; where that cannot be told, it does not. */
function wantsToRun(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ", 2)[1]?.startsWith("R") === true;
  } catch {
    return false;
  }
}

const POLL_MS = 25;
const QUIET_MS = 500;
// eslint-disable-next-line no-control-regex
const CONTROLS = /\u001b(?:\[[\d;?]*[A-Za-z]|\]8;;\u0007)/g;
/** Drawn every second while a turn runs: the time that it takes, or nothing at all. */
const STILL_WORKING = /^\r*(?:[◐◓◑◒] working \d+ [^\r\n]*)?$/u;
/** The cursor is back in the input: the drawing is complete. */
const DRAWN_TO_END = /\u001b\[\?25[hl]$/;
const QUIET_LOOKS = QUIET_MS / POLL_MS;

export function openTerminal(
  args: readonly string[],
  options: {
    readonly columns?: number;
    readonly rows?: number;
    readonly env?: Readonly<Record<string, string>>;
    /** What another program had written there before. */
    readonly left?: string;
  } = {},
): PseudoTerminal {
  if (pty === undefined) throw new Error("There is no pseudo-terminal on this machine");
  const { columns = 80, rows = 24 } = options;
  const screen = new xterm.Terminal({ cols: columns, rows, scrollback: 10_000, allowProposedApi: true });
  const { PATH = "", HOME = "" } = process.env;
  const child = pty.spawn(process.execPath, [...SHORT_LIVED, LAUNCHER, ...args], {
    cols: columns,
    rows,
    cwd: tmpdir(),
    env: { PATH, HOME, TERM: "xterm-256color", ...options.env },
  });
  if (options.left !== undefined) screen.write(options.left.replaceAll("\n", "\r\n"));
  let bytes = "";
  let drawn = 0;
  const onBeat: (() => void)[] = [];
  let writtenAtMs = performance.now();
  child.onData((data) => {
    bytes += data;
    if (!STILL_WORKING.test(data.replace(CONTROLS, ""))) drawn += 1;
    else if (DRAWN_TO_END.test(data)) for (const tell of onBeat.splice(0)) tell();
    writtenAtMs = performance.now();
    screen.write(data);
  });
  // Terminals answer what programs ask them.
  screen.onData((data) => child.write(data));
  const exited = new Promise<number>((resolve) => child.onExit(({ exitCode }) => resolve(exitCode)));
  const over = new AbortController();
  void exited.then(() => over.abort());

  const lines = (): string[] => {
    const { active } = screen.buffer;
    const all = Array.from({ length: active.length }, (_, row) =>
      (active.getLine(row)?.translateToString(true) ?? "").trimEnd(),
    );
    return all.slice(0, all.findLastIndex((line) => line !== "") + 1);
  };
  const text = (): string => lines().join("\n");
  /** What came has been read by the emulator, which takes it in pieces. */
  const read = (): Promise<void> => new Promise((resolve) => screen.write("", resolve));
  const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, POLL_MS));
  /** Counted in looks, not in time: a test that had to wait for a processor has not read what was written meanwhile. */
  const quiet = async (): Promise<void> => {
    let looks = 0;
    for (let seen = drawn; !over.signal.aborted && looks < QUIET_LOOKS; seen = drawn) {
      await pause();
      // What waits for a processor is about to write.
      looks = drawn === seen && !wantsToRun(child.pid) ? looks + 1 : 0;
    }
    await read();
  };
  return {
    pid: child.pid,
    type(keys) {
      child.write(keys);
      writtenAtMs = performance.now();
    },
    lines,
    text,
    written: () => bytes,
    resize(toColumns, toRows) {
      screen.resize(toColumns, toRows);
      child.resize(toColumns, toRows);
      writtenAtMs = performance.now();
    },
    async see(wanted, timeoutMs = PATIENCE_MS) {
      const until = performance.now() + timeoutMs;
      const isThere = (): boolean =>
        typeof wanted === "string" ? text().includes(wanted) : wanted.test(text());
      while (!isThere()) {
        if (performance.now() > until || (over.signal.aborted && performance.now() - writtenAtMs > QUIET_MS))
          throw new Error(`“${String(wanted)}” never came:\n${text()}`);
        await pause();
      }
      // Between two drawings, unless they come without end: what is looked at next is whole.
      let seen = -1;
      for (let looks = 0; seen !== bytes.length && looks < QUIET_LOOKS && !over.signal.aborted; looks++) {
        seen = bytes.length;
        await pause();
      }
      await read();
    },
    quiet,
    beat: () => new Promise((resolve) => void onBeat.push(resolve)),
    async ended() {
      const code = await exited;
      await read();
      return code;
    },
    async [Symbol.asyncDispose]() {
      if (!over.signal.aborted) child.kill("SIGKILL");
      await exited;
      screen.dispose();
    },
  };
}
