import { createReadStream } from "node:fs";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { createSessionReader } from "@deputy/agent/sessions";
import { createIdSource, createSystemClock } from "@deputy/kit";
import { closeImported } from "@deputy/agent/sessions";
import { openSqliteReader } from "@deputy/store/sqlite";
import { exportStream, importStream } from "@deputy/store/sqlite/upkeep";
import { AppError } from "../app-error.ts";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
import { findSession } from "@deputy/client/sessions";
import { openHome } from "../home.ts";
import type { Invocation } from "../invocation.ts";
import { openStore } from "../open-store.ts";
import { flush } from "@deputy/terminal/output";
import { untilStopped } from "@deputy/kit";

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

/** `deputy sessions import FILE`: imports all of the file, or nothing. */
export async function importSession(invocation: Invocation, file: string): Promise<ExitCode> {
  const { output } = invocation;
  const { directory } = openHome(invocation.homeDirectory, invocation.warn);
  const input = file === "-" ? invocation.stdin : await openFile(file);
  const clock = createSystemClock();
  await using store = await openStore({
    directory,
    clock,
    ids: createIdSource({ clock }),
    warn: invocation.warn,
  });
  const { stream, events } = await importStream(store, readLines(input, invocation.signal));
  await closeImported(store.log, stream);
  output.result(`Imported ${stream} with ${events} events.`);
  output.object({ id: stream, events });
  return EXIT.done;
}

/** Rejects when it is stopped: half of an input must not look like its end. */
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
