import { createReadStream } from "node:fs";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { createIdSource, createSystemClock, parseId, makeVisible } from "@deputy/kit";
import { readEvent, type StreamId } from "@deputy/protocol";
import { exportStream, importStream, openSqliteReader, openSqliteStore } from "@deputy/store/sqlite";
import { AppError } from "../app-error.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { openHome } from "../home.ts";
import type { Invocation } from "../invocation.ts";
import { flush } from "../terminal/flush.ts";
import { untilStopped } from "../until-stopped.ts";

/** `deputy sessions list`: reads beside a running daemon. */
export async function listSessions(invocation: Invocation): Promise<ExitCode> {
  const { output } = invocation;
  const { directory } = openHome(invocation.homeDirectory, invocation.warn);
  await using reader = openSqliteReader({ directory });
  for await (const { event: stored } of reader.readAll({ types: ["session.started"] })) {
    const read = readEvent(stored);
    if (read.kind !== "known" || read.event.type !== "session.started") continue;
    const { stream: id, at: startedAt, data } = read.event;
    const events = (await reader.head(id))?.seq ?? 0;
    output.result(
      `${id}  ${startedAt}  ${String(events).padStart(6)} events  ${makeVisible(data.agentId)}  ${makeVisible(data.key)}`,
    );
    output.object({ id, startedAt, events, ...data });
  }
  return EXIT.done;
}

/** `deputy sessions export SESSION`: JSON lines on stdout, with or without `--json`. */
export async function exportSession(invocation: Invocation, session: string): Promise<ExitCode> {
  const { directory } = openHome(invocation.homeDirectory, invocation.warn);
  await using reader = openSqliteReader({ directory });
  for await (const line of exportStream(reader, parseStream(session))) {
    invocation.signal.throwIfAborted();
    if (!process.stdout.write(`${line}\n`)) await untilStopped(flush(process.stdout), invocation.signal);
  }
  return EXIT.done;
}

/** `deputy sessions import FILE`: all of it, or nothing. */
export async function importSession(invocation: Invocation, file: string): Promise<ExitCode> {
  const { output } = invocation;
  const { directory } = openHome(invocation.homeDirectory, invocation.warn);
  const input = file === "-" ? invocation.stdin : await openFile(file);
  const clock = createSystemClock();
  await using store = await openSqliteStore({ directory, clock, ids: createIdSource({ clock }) });
  const { stream, events } = await importStream(store, readLines(input, invocation.signal));
  output.result(`Imported ${stream} with ${events} events.`);
  output.object({ id: stream, events });
  return EXIT.done;
}

/** Rejects when it is told to stop: half an input is not its end. */
async function* readLines(input: NodeJS.ReadableStream, signal: AbortSignal): AsyncGenerator<string> {
  yield* createInterface({ input, signal });
  signal.throwIfAborted();
}

function parseStream(text: string): StreamId {
  const id = text === "system" ? text : parseId("session", text);
  if (id === undefined)
    throw new AppError("usage", `“${makeVisible(text)}” is not a session's id`, {
      hint: "`deputy sessions list` shows them.",
    });
  return id;
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
