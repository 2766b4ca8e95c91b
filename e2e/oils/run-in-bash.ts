import { spawn } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import type { OilsCase } from "./read-cases.ts";

/** Text is Latin-1: a character for each byte. */
export interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number | "ended";
}

/** What every case is given, in either shell. */
export interface Setting {
  /** The copy of Oils. */
  readonly checkout: string;
  /** An empty folder of the case. */
  readonly folder: string;
  /** The programs of `spec/bin`. */
  readonly helpers: string;
}

const CASE_MS = 10_000;

export function environmentOf({ checkout, folder, helpers }: Setting): Record<string, string> {
  return {
    PATH: `${helpers}:/usr/local/bin:/usr/bin:/bin`,
    LC_ALL: "C.UTF-8",
    LOCALE_ARCHIVE: "",
    OILS_GC_ON_EXIT: "",
    REPO_ROOT: checkout,
    SH: "/bin/bash",
    TMP: folder,
  };
}

/** Real bash, which reads the case from its stdin. */
export async function runInBash(test: OilsCase, setting: Setting): Promise<Ran> {
  rmSync(setting.folder, { recursive: true, force: true });
  mkdirSync(setting.folder, { recursive: true });
  const child = spawn("/bin/bash", [], {
    cwd: setting.folder,
    env: environmentOf(setting),
    detached: true,
    stdio: "pipe",
  });
  const { promise, resolve } = Promise.withResolvers<Ran>();
  const text = { stdout: "", stderr: "" };
  child.stdin.on("error", () => undefined);
  for (const name of ["stdout", "stderr"] as const)
    child[name].on("data", (chunk: Buffer) => void (text[name] += chunk.toString("latin1")));
  const timer = setTimeout(() => {
    try {
      process.kill(-(child.pid ?? 0), "SIGKILL");
    } catch {
      // It has ended meanwhile.
    }
  }, CASE_MS);
  child.on("error", () => resolve({ ...text, status: "ended" }));
  child.on("close", (code) => resolve({ ...text, status: code ?? "ended" }));
  child.stdin.end(Buffer.from(test.code, "latin1"));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    rmSync(setting.folder, { recursive: true, force: true });
  }
}
