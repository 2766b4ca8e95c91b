import { createReadStream } from "node:fs";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { createSessionReader } from "@deputy/agent/sessions";
import { importSession as importFile } from "@deputy/agent/sessions/import";
import { createIdSource, createSystemClock, makeVisible, untilStopped } from "@deputy/kit";
import { openSqliteReader } from "@deputy/store/sqlite";
import { exportStream, readSessionFile } from "@deputy/store/sqlite/upkeep";
import { AppError } from "../../app-error.ts";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
import { findSession } from "@deputy/client/sessions";
import { openHome } from "../../home.ts";
import type { Invocation } from "../../invocation.ts";
import { openStore } from "../../open-store.ts";
import { flush } from "@deputy/terminal/output";

/** `deputy sessions export SESSION`: JSON lines on stdout, with or without `--json`. */
export async function exportSession(
  invocation: Invocation,
  session: string,
  options: { readonly transcript?: true },
): Promise<ExitCode> {
  const { directory } = openHome(invocation.homeDirectory, invocation.warn);
  await using log = openSqliteReader({ directory });
  const sessions = createSessionReader(log);
  if (options.transcript === true) {
    const { id } = await findSession(sessions, session);
    for await (const line of sessions.transcript(id, invocation.signal))
      await writeLine(JSON.stringify(line), invocation.signal);
    return EXIT.done;
  }
  const stream = session === "system" ? session : (await findSession(sessions, session)).id;
  for await (const line of exportStream(log, stream)) await writeLine(line, invocation.signal);
  return EXIT.done;
}

async function writeLine(line: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (!process.stdout.write(`${line}\n`)) await untilStopped(flush(process.stdout), signal);
}

/** `deputy sessions import FILE`: imports what was said and done in the file's session, or nothing. */
export async function importSession(invocation: Invocation, file: string): Promise<ExitCode> {
  const { output } = invocation;
  const { directory, config } = openHome(invocation.homeDirectory, invocation.warn);
  const input = file === "-" ? invocation.stdin : await openFile(file);
  const sessionFile = await readSessionFile(readLines(input, invocation.signal));
  const clock = createSystemClock();
  const ids = createIdSource({ clock });
  await using store = await openStore({ directory, clock, ids, warn: invocation.warn });
  const { id, key, copied, left } = await importFile(
    { log: store.log, ids, agentId: config.agents.default },
    sessionFile,
  );
  output.result(`Imported ${id} with ${copied} events, under the key ${key}.`);
  output.note("Nothing in it counts as your word, and nothing in it is due, pending or approved.");
  if (left.size > 0) output.note(`Not taken over: ${makeVisible(countedTypes(left))}.`);
  output.object({ id, key, events: copied, left: Object.fromEntries(left) });
  return EXIT.done;
}

function countedTypes(left: ReadonlyMap<string, number>): string {
  return [...left].map(([type, count]) => `${count} × ${type}`).join(", ");
}

/** Rejects on abort: half of an input must not look complete. */
async function* readLines(input: NodeJS.ReadableStream, signal: AbortSignal): AsyncGenerator<string> {
  yield* createInterface({ input, signal });
  signal.throwIfAborted();
}

async function openFile(file: string): Promise<NodeJS.ReadableStream> {
  const stream = createReadStream(file);
  try {
    await once(stream, "open");
    return stream;
  } catch (cause) {
    throw new AppError("file_unreadable", `Cannot read ${file}`, { cause });
  }
}
