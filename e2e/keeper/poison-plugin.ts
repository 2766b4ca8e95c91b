import { spawn } from "node:child_process";
import { appendFileSync, closeSync, writeSync } from "node:fs";
import { join } from "node:path";
import { defineTool } from "@deputy/tools";
import { z } from "zod";

/** Deputy's channel to a plugin's process. */
const CHANNEL = 3;
const directory = process.env["EFFECTS"] ?? "";
const never = (): Promise<never> => new Promise(() => setInterval(() => undefined, 1_000));
const loop = (): never => {
  for (;;);
};
const hostile = (): object =>
  new Proxy(
    {},
    {
      get: () => {
        throw new Error("not to be read");
      },
    },
  );

/** What a plugin may do wrong. Each is a tool that only reads, one that may be repeated, and one that may not. */
const POISONS: Readonly<Record<string, () => unknown>> = {
  exit0: () => process.exit(0),
  exit1: () => process.exit(1),
  loop,
  microtasks: async () => {
    for (;;) await Promise.resolve();
  },
  memory: () => {
    const kept: unknown[] = [];
    for (;;) kept.push(Array.from({ length: 2e6 }, () => ({})));
  },
  stray: () => {
    setTimeout(() => {
      throw new Error("boom");
    });
    return never();
  },
  rejection: () => {
    void Promise.reject(new Error("to nobody"));
    return never();
  },
  kill: () => {
    process.kill(process.pid, "SIGKILL");
    return never();
  },
  abort: () => process.abort(),
  hangUp: () => {
    closeSync(CHANNEL);
    return never();
  },
  garbage: () => {
    writeSync(CHANNEL, Buffer.alloc(4_096, 0xff));
    return never();
  },
  /** What it has started holds on to its pipes. */
  orphan: () => {
    spawn("sleep", ["30"], { detached: true, stdio: "inherit" });
    process.exit(1);
  },
  lines: () => {
    for (let n = 0; n < 20_000; n++) writeSync(1, `line ${n}\n`);
    return "done";
  },
  longLine: () => {
    const piece = "x".repeat(1 << 20);
    for (let n = 0; n < 64; n++) writeSync(1, piece);
    return "done";
  },
  getter: () => hostile(),
  strange: () => {
    throw hostile();
  },
  nothing: () => {
    // oxlint-disable-next-line no-throw-literal
    throw undefined;
  },
  huge: () => "x".repeat(50_000_000),
  afterwards: () => {
    setTimeout(() => process.exit(7), 50);
    return "done";
  },
};

const LOOPS: ReadonlySet<string> = new Set(["loop", "microtasks"]);

const tools = (more: { readonly effect: "read" | "write"; readonly idempotent?: boolean }) =>
  Object.fromEntries(
    Object.entries(POISONS).map(([name, run]) => [
      name,
      defineTool({
        description: "Poison",
        approval: "auto",
        critical: [],
        ...more,
        ...(LOOPS.has(name) ? { limits: { timeoutMs: 200 } } : {}),
        args: z.object({ what: z.string() }),
        run: ({ what }, { idempotencyKey }) => {
          appendFileSync(join(directory, "sips"), `${idempotencyKey} ${what}\n`);
          return run();
        },
      }),
    ]),
  );

/** Loops until it is ended, once it has said that it does. */
const endless = defineTool({
  description: "Poison",
  approval: "auto",
  effect: "read",
  args: z.object({ what: z.string() }),
  run: ({ what }) => {
    appendFileSync(join(directory, "loops"), `${what}\n`);
    return loop();
  },
});

/** Of which each file of plugins has one. */
export const bottle = {
  read: tools({ effect: "read" }),
  repeat: tools({ effect: "write", idempotent: true }),
  write: tools({ effect: "write" }),
  endless,
};
