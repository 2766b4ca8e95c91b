import { adoptCoreUtils, prepareCoreUtils } from "@deputy/core-utils";
import { createShell } from "@deputy/shell";
import { createMemoryBase, createMemoryFileSystem } from "@deputy/vfs";
import type { FromBox, ToBox } from "../../packages/contained-shell/src/box-messages.ts";
import {
  type ContainedLimits,
  defaultContainedLimits,
} from "../../packages/contained-shell/src/contained-shell.ts";
import { serveBox } from "../../packages/contained-shell/src/serve-box.ts";
import { testCommands } from "../../packages/shell/src/cases/test-commands.fixture.ts";

// The program of the worker that shell-browser.test.ts starts: it runs many scripts, one after the other.

export interface Batch {
  /** `alone`: the shell and a few commands. `contained`: as agents have it, with all tools, over the files. */
  readonly kind: "alone" | "contained";
  /** `spool`: as where programs cannot be suspended. */
  readonly waiting: "suspend" | "spool";
  readonly scripts: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  readonly limits?: Partial<ContainedLimits>;
}

export interface ScriptEnd {
  readonly out: string;
  readonly err: string;
  readonly status: number | string;
}

/** What one script has written. */
function collect() {
  const decoders = { 1: new TextDecoder(), 2: new TextDecoder() };
  const text = { 1: "", 2: "" };
  const add = (stream: 1 | 2, bytes: Uint8Array): void =>
    void (text[stream] += decoders[stream].decode(bytes, { stream: true }));
  return { text, add };
}

async function runAlone({ env }: Batch, script: string): Promise<ScriptEnd> {
  const fileSystem = createMemoryFileSystem({ now: () => 0n, random: (size) => new Uint8Array(size) });
  fileSystem.makeDirectory("/work");
  fileSystem.makeDirectory("/tmp");
  const shell = createShell({ fileSystem, commands: testCommands, now: Date.now, random: () => 0.5 });
  const { text, add } = collect();
  const { exitCode } = await shell.run({
    script,
    env,
    cwd: "/work",
    stdin: { read: () => new Uint8Array(0) },
    stdout: { write: (bytes) => add(1, bytes) },
    stderr: { write: (bytes) => add(2, bytes) },
    signal: new AbortController().signal,
  });
  return { out: text[1], err: text[2], status: exitCode };
}

/** A thread's inside, without the thread: this worker is one already. */
function openBox(module: WebAssembly.Module, files: Batch["files"]) {
  const bytes = new Map(Object.entries(files).map(([path, text]) => [path, new TextEncoder().encode(text)]));
  let hear: (message: FromBox) => void = () => undefined;
  let tell: (message: ToBox) => void = () => undefined;
  serveBox(
    { post: (message) => hear(message), listen: (receive) => void (tell = receive) },
    {
      tools: adoptCoreUtils({ module }),
      openBase: () => createMemoryBase(bytes, { mtime: BigInt(Date.now()) * 1_000_000n }),
      random: (length) => crypto.getRandomValues(new Uint8Array(length)),
      git: undefined,
    },
  );
  return (script: string, { env, limits }: Batch): Promise<ScriptEnd> =>
    new Promise((resolve, reject) => {
      const { text, add } = collect();
      hear = (message) => {
        if (message.kind === "output") add(message.stream, message.bytes);
        else if (message.kind === "read") tell({ kind: "input", bytes: new Uint8Array(0) });
        else if (message.kind === "done") resolve({ out: text[1], err: text[2], status: message.exitCode });
        else if (message.kind === "limit")
          resolve({ out: text[1], err: message.message, status: message.limit });
        else if (message.kind === "failed") reject(new Error(message.message));
      };
      tell({
        kind: "run",
        run: { script, env },
        limits: { ...defaultContainedLimits, ...limits },
        folder: "files",
        repository: undefined,
        session: "fresh",
        bundles: { commands: [], files: new Map() },
      });
    });
}

async function runBatch(batch: Batch): Promise<readonly ScriptEnd[]> {
  if (batch.waiting === "spool") Reflect.deleteProperty(WebAssembly, "Suspending");
  else if (!("Suspending" in WebAssembly)) throw new Error("This browser cannot suspend programs.");
  const ends: ScriptEnd[] = [];
  if (batch.kind === "alone") {
    for (const script of batch.scripts) ends.push(await runAlone(batch, script));
    return ends;
  }
  const bytes = new Uint8Array(await (await fetch("/core-utils.wasm")).arrayBuffer());
  const run = openBox((await prepareCoreUtils(bytes)).module, batch.files);
  for (const script of batch.scripts) ends.push(await run(script, batch));
  return ends;
}

addEventListener("message", ({ data }: MessageEvent<Batch>) => {
  runBatch(data).then(
    (ends) => postMessage(ends),
    (error: unknown) => postMessage(error instanceof Error ? (error.stack ?? error.message) : String(error)),
  );
});
