import { fork } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createSlices, throwIfAborted, untilStopped } from "@deputy/kit";
import { MemoryError } from "@deputy/memory";
import type { KeptOnForgetting } from "@deputy/protocol";
import { type FileWith, filesWith } from "./files-with.ts";

const WHY: Readonly<Record<string, string>> = {
  workspace: "It is in the agents' copy of your files",
  blobs: "It is in an attached file of a conversation that is at work: forget again once it has ended",
};
const WHY_ELSE =
  "The file still contains it, in something that is named above or that is not part of the memory";
const WHY_NAMED = "Its name contains it: rename or delete it";

/**
 * Files of a home that still have one of these texts, in any case, and what is called so. Unreadable ones are passed
 * over. Rejects with `memory_unavailable` if they cannot be looked through, and with the signal's reason on abort.
 *
 * Another process reads them: closing a file of a database here would drop the locks that SQLite holds on it for this
 * process, and the next process that opens the database would damage it.
 */
export async function findTraces(
  home: string,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<readonly KeptOnForgetting[]> {
  throwIfAborted(signal);
  if (texts.length === 0 || !existsSync(home)) return [];
  const found = await lookThrough(home, texts, signal);
  return found.map(({ what, where }) => ({
    what,
    why: where === "name" ? WHY_NAMED : (WHY[what.split("/")[0] ?? ""] ?? WHY_ELSE),
    count: 1,
  }));
}

async function lookThrough(
  folder: string,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<readonly FileWith[]> {
  const child = fork(programFile(), [], {
    env: {},
    execArgv: [],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const answer = Promise.withResolvers<readonly FileWith[]>();
  const failed = (cause?: unknown): void =>
    answer.reject(
      new MemoryError("memory_unavailable", "The files of the home could not be looked through", { cause }),
    );
  child.on("message", (found: readonly FileWith[]) => answer.resolve(found));
  child.on("error", failed);
  child.on("exit", () => failed());
  child.send({ folder, texts }, () => undefined);
  try {
    return await untilStopped(answer.promise, signal);
  } finally {
    child.kill("SIGKILL");
  }
}

/** A flat bundle has the program beside it, under the same name. */
function programFile(): string {
  const name = import.meta.url.endsWith(".ts") ? "./traces-process.ts" : "./traces-process.js";
  return fileURLToPath(new URL(name, import.meta.url));
}

/**
 * The files in a folder that have one of these texts, by their names. No database may be in it. Rejects with the
 * signal's reason on abort.
 */
export async function filesHolding(
  folder: string,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  if (texts.length === 0) return found;
  const slices = createSlices();
  for (const file of filesWith(folder, texts)) {
    throwIfAborted(signal);
    if (slices.isOver()) await slices.next();
    if (file?.where === "content") found.add(file.what);
  }
  return found;
}
