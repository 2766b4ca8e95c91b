import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ContainedRun, ContainedSession, ContainedShell } from "../contained-shell.ts";
import { openContainedShell } from "./open-contained-shell.ts";

const live = new AbortController().signal;

export interface World extends AsyncDisposable {
  readonly folder: string;
  readonly shell: ContainedShell;
  run(script: string, more?: Omit<ContainedRun, "script">, signal?: AbortSignal): ReturnType<typeof runIn>;
}

/** A shell over a folder with these files. */
export function openWorld(files: Readonly<Record<string, string>> = {}): World {
  const folder = mkdtempSync(join(tmpdir(), "deputy-contained-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true, mode: 0o755 });
    writeFileSync(join(folder, name), text, { mode: 0o644 });
  }
  const shell = openContainedShell({ folder: async () => folder });
  return {
    folder,
    shell,
    run: (script, more, signal) => runIn(shell, script, more, signal),
    async [Symbol.asyncDispose]() {
      await shell[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function runIn(
  shell: ContainedShell | ContainedSession,
  script: string,
  more: Omit<ContainedRun, "script"> = {},
  signal: AbortSignal = live,
) {
  const text = { 1: "", 2: "" };
  const decoders = { 1: new TextDecoder(), 2: new TextDecoder() };
  const done = await shell.run(
    { script, ...more },
    { output: (stream, bytes) => void (text[stream] += decoders[stream].decode(bytes, { stream: true })) },
    signal,
  );
  const { end, changes, leftOut, exited, cwd } = done;
  return {
    out: text[1],
    err: text[2],
    end: end.kind === "exited" ? end.exitCode : end.limit,
    changes: changes.map((change) =>
      change.kind === "write"
        ? `write ${change.path} ${JSON.stringify(new TextDecoder().decode(change.bytes))}${change.executable ? " x" : ""}`
        : `${change.kind} ${change.path}`,
    ),
    leftOut,
    exited,
    cwd,
  };
}
