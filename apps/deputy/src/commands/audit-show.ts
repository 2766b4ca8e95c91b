import { createSystemClock, makeVisible } from "@deputy/kit";
import type { AuditEntry, StoredEvent } from "@deputy/protocol";
import { openSqliteReader, type SqliteReader } from "@deputy/store/sqlite";
import { createAuditFilter } from "../audit/audit-filter.ts";
import { parseTime } from "../audit/parse-time.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { findRecordedSession } from "../find-recorded-session.ts";
import { lookIntoHome } from "../home.ts";
import type { Invocation } from "../invocation.ts";

export interface ShowOptions {
  readonly since?: string;
  readonly until?: string;
  readonly session?: string;
  readonly type?: string;
  readonly tool?: string;
  readonly limit: number;
}

interface Shown {
  readonly event: StoredEvent;
  readonly entry: AuditEntry;
}

/** How much of an entry is shown to people; `--json` has all of it. */
const SUMMARY_CHARS = 300;

/** `deputy audit show`: what happened, the last entries that were asked for; works beside a running daemon. */
export async function show(invocation: Invocation, options: ShowOptions): Promise<ExitCode> {
  const { output, signal } = invocation;
  const { since, until, type, tool, limit } = options;
  const nowMs = createSystemClock().now();
  const entryOf = createAuditFilter({
    ...(since === undefined ? undefined : { sinceMs: parseTime(since, nowMs) }),
    ...(until === undefined ? undefined : { untilMs: parseTime(until, nowMs) }),
    ...(type === undefined ? undefined : { type }),
    ...(tool === undefined ? undefined : { tool }),
  });
  const directory = lookIntoHome(invocation.homeDirectory);
  await using reader = openSqliteReader({ directory });
  let last: Shown[] = [];
  let found = 0;
  for await (const event of eventsOf(reader, options.session)) {
    signal.throwIfAborted();
    const entry = entryOf(event);
    if (entry === undefined) continue;
    found += 1;
    last.push({ event, entry });
    if (last.length >= 2 * limit) last = last.slice(-limit);
  }
  for (const { event, entry } of last.slice(-limit)) {
    const { id, at, stream, seq, turnId } = event;
    output.object({ id, at, type: event.type, stream, seq, turnId, ...entry, data: event.data });
    output.result(lineOf(event, entry));
  }
  if (found > limit) output.note(`These are the last ${limit} of ${found}; --limit N shows more.`);
  return EXIT.done;
}

async function* eventsOf(reader: SqliteReader, session: string | undefined): AsyncGenerator<StoredEvent> {
  if (session === undefined) {
    for await (const { event } of reader.readAll()) yield event;
    return;
  }
  yield* reader.read(session === "system" ? session : await findRecordedSession(reader, session));
}

function lineOf({ at, type, stream, seq }: StoredEvent, { who, toolPath, summary }: AuditEntry): string {
  const oneLine = makeVisible(summary).replaceAll(/[\n\t]/g, (char) => (char === "\n" ? "\\n" : "\\t"));
  const cut = oneLine.length > SUMMARY_CHARS ? `${oneLine.slice(0, SUMMARY_CHARS)}…` : oneLine;
  const about = [toolPath, who === undefined ? undefined : `(${who})`].filter((part) => part !== undefined);
  return [at, type.padEnd(18), ...about.map(makeVisible), cut, makeVisible(`[${stream} ${seq}]`)].join("  ");
}
