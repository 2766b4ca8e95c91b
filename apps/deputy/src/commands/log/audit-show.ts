import { createSystemClock, makeVisible, shorten } from "@deputy/kit";
import type { AuditEntry, StoredEvent, StreamId } from "@deputy/protocol";
import { openSqliteReader, type SqliteReader } from "@deputy/store/sqlite";
import { type AuditFilter, createAuditFilter } from "../../audit/audit-filter.ts";
import { parseTime } from "../../audit/parse-time.ts";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
import { findRecordedSession } from "../../find-recorded-session.ts";
import { lookIntoHome } from "../../home.ts";
import type { Invocation } from "../../invocation.ts";

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

/** How much of an entry is shown; `--json` has all of it. */
const SUMMARY_CHARS = 300;
/** Events that are read at a time, of one session. */
const SLICE = 256;
/** How far back to look for the tool of a call; if its first event is further away, it is shown without. */
const MOST_BEFORE = 5_000;

/** `deputy audit show`: the last matching events; works beside a running daemon. */
export async function show(invocation: Invocation, options: ShowOptions): Promise<ExitCode> {
  const { output, signal } = invocation;
  const { since, until, type, tool, limit } = options;
  const nowMs = createSystemClock().now();
  const filter: AuditFilter = {
    ...(since === undefined ? undefined : { sinceMs: parseTime(since, nowMs) }),
    ...(until === undefined ? undefined : { untilMs: parseTime(until, nowMs) }),
    ...(type === undefined ? undefined : { type }),
    ...(tool === undefined ? undefined : { tool }),
  };
  const directory = lookIntoHome(invocation.homeDirectory);
  await using reader = openSqliteReader({ directory });
  const entryOf = createAuditFilter(filter, ({ stream, seq }) => backFrom(reader, stream, seq, MOST_BEFORE));
  // Reads from the end, and no further than needed: one more entry shows that there are more.
  const found: Shown[] = [];
  for await (const event of eventsOf(reader, options.session, filter)) {
    signal.throwIfAborted();
    const entry = await entryOf(event);
    if (entry !== undefined) found.push({ event, entry });
    if (found.length > limit) break;
  }
  for (const { event, entry } of found.slice(0, limit).toReversed()) {
    const { id, at, stream, seq, turnId } = event;
    output.object({ id, at, type: event.type, stream, seq, turnId, ...entry, data: event.data });
    output.result(lineOf(event, entry));
  }
  if (found.length > limit) output.note(`Only the last ${limit} are shown; --limit N shows more.`);
  return EXIT.done;
}

/** The newest first. */
async function* eventsOf(
  reader: SqliteReader,
  session: string | undefined,
  { sinceMs, untilMs, type }: AuditFilter,
): AsyncGenerator<StoredEvent> {
  if (session === undefined) {
    yield* reader.readBackwards({
      ...(sinceMs === undefined ? undefined : { since: new Date(sinceMs).toISOString() }),
      ...(untilMs === undefined ? undefined : { until: new Date(untilMs).toISOString() }),
      ...(type === undefined ? undefined : { type: type.replace(/\.\*$/, "") }),
    });
    return;
  }
  const stream = session === "system" ? session : await findRecordedSession(reader, session);
  const head = await reader.head(stream);
  yield* backFrom(reader, stream, (head?.seq ?? 0) + 1, Infinity);
}

/** The events of a stream before one of them, the newest first. */
async function* backFrom(
  reader: SqliteReader,
  stream: StreamId,
  before: number,
  most: number,
): AsyncGenerator<StoredEvent> {
  const end = Math.max(before - most, 1);
  for (let to = before; to > end;) {
    const from = Math.max(to - SLICE, end);
    const slice = await Array.fromAsync(reader.read(stream, { after: from - 1, limit: to - from }));
    yield* slice.toReversed();
    to = from;
  }
}

function lineOf({ at, type, stream, seq }: StoredEvent, { who, toolPath, summary }: AuditEntry): string {
  const oneLine = makeVisible(summary).replaceAll(/[\n\t]/g, (char) => (char === "\n" ? "\\n" : "\\t"));
  const cut = shorten(oneLine, SUMMARY_CHARS);
  const about = [toolPath, who === undefined ? undefined : `(${who})`].filter((part) => part !== undefined);
  return [at, type.padEnd(18), ...about.map(makeVisible), cut, makeVisible(`[${stream} ${seq}]`)].join("  ");
}
