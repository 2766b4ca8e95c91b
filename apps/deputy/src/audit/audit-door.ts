import type { AuditDoor } from "@deputy/gateway";
import { GatewayError } from "@deputy/gateway";
import { type Clock, shorten } from "@deputy/kit";
import {
  type AuditedEvent,
  type AuditEntry,
  type AuditFilterInput,
  auditNeedles,
  type EventType,
  projectAudit,
  type StoredEvent,
  type StreamId,
} from "@deputy/protocol";
import { openSqliteReader, type SqliteReader, type WalkedEvent } from "@deputy/store/sqlite";
import { createAuditFilter } from "./audit-filter.ts";
import { logProblem } from "./audit-problem.ts";

/** How many events one page looks through; a search in a long log takes several. */
const MOST_LOOKED_THROUGH = 5_000;
/** A slice of the log in which nothing fits takes as long as this many events. */
const COST_OF_A_SLICE = 100;
/** Events of one stream that are read at a time. */
const SLICE = 256;
/** How much of an entry a feed shows; the event itself has all of it. */
const SUMMARY_CHARS = 500;
const MOST_PROBLEMS = 50;

type Verification = ReturnType<AuditDoor["verify"]>;

/** The log of a home, read beside its writer. Nothing is open between two requests. */
export function createAuditDoor(deps: {
  readonly directory: string;
  readonly clock: Clock;
  readonly onBug: (error: unknown) => void;
}): AuditDoor {
  const { directory, clock } = deps;
  let verification: Verification = { state: "none", events: 0, total: 0, problems: [] };

  const verify = async (): Promise<void> => {
    await using reader = openSqliteReader({ directory });
    const total = reader.lastPosition();
    verification = { state: "running", events: 0, total, problems: [] };
    const { events, damage } = await reader.verify({
      onProgress: (done) => (verification = { ...verification, events: done }),
    });
    const problems = damage
      .slice(0, MOST_PROBLEMS)
      .map(logProblem)
      .map(({ message, safe, todo }) => ({ message, todo: `${safe} ${todo}` }));
    const endedAt = new Date(clock.now()).toISOString();
    verification = { state: "done", events, total: events, endedAt, problems };
  };

  return {
    async page({ cursor, limit, ...filter }, signal) {
      await using reader = openSqliteReader({ directory });
      const matches = matcherOf(filter);
      const withTool = createAuditFilter({}, (event) => nearBefore(reader, event));
      const found: AuditedEvent[] = [];
      let looked = 0;
      let lookedTo: string | undefined;
      const from = placeOf(cursor);
      for await (const { place, event, at } of walk(reader, filter, from)) {
        signal.throwIfAborted();
        looked += event === undefined ? COST_OF_A_SLICE : 1;
        lookedTo = event?.at ?? at ?? lookedTo;
        const entry = event === undefined ? undefined : matches(event);
        if (event !== undefined && entry !== undefined)
          found.push(told(event, NAMELESS.has(event.type) ? ((await withTool(event)) ?? entry) : entry));
        if (found.length < limit && looked < MOST_LOOKED_THROUGH) continue;
        return { events: found, cursor: String(place), lookedTo };
      }
      return { events: found };
    },
    verify(start) {
      if (start && verification.state !== "running") {
        verification = { state: "running", events: 0, total: 0, problems: [] };
        verify().catch((error: unknown) => {
          verification = { state: "none", events: 0, total: 0, problems: [] };
          deps.onBug(error);
        });
      }
      return verification;
    },
    async *lines(filter) {
      await using reader = openSqliteReader({ directory });
      const matches = matcherOf(filter);
      const { stream } = filter;
      const all = stream === undefined ? mapped(reader.readAll(), ({ event }) => event) : reader.read(stream);
      for await (const event of all)
        if (isWanted(event, filter) && matches(event) !== undefined) yield JSON.stringify(event);
    },
  };
}

/** They are about a call that an event shortly before them names. */
const NAMELESS: ReadonlySet<string> = new Set(["call.decided", "approval.resolved"] satisfies EventType[]);

/** Earlier events of the same stream, but not all of a long one. */
async function* nearBefore(reader: SqliteReader, { stream, seq }: StoredEvent): AsyncGenerator<StoredEvent> {
  const from = Math.max(seq - SLICE, 1);
  yield* (await Array.fromAsync(reader.read(stream, { after: from - 1, limit: seq - from }))).toReversed();
}

async function* mapped<T, U>(items: AsyncIterable<T>, map: (item: T) => U): AsyncGenerator<U> {
  for await (const item of items) yield map(item);
}

function placeOf(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  if (/^[1-9]\d{0,15}$/.test(cursor)) return Number(cursor);
  throw new GatewayError("invalid_cursor", "There is no such place in the log");
}

/** Backwards from a place: a number in the stream, where there is one, else a position in the log. */
async function* walk(
  reader: SqliteReader,
  filter: AuditFilterInput,
  from: number | undefined,
): AsyncGenerator<{ readonly place: number } & Pick<WalkedEvent, "event" | "at">> {
  const { stream, since, until, types, text } = filter;
  if (stream === undefined) {
    const wanted = {
      ...(since === undefined ? {} : { since }),
      ...(until === undefined ? {} : { until }),
      ...(types === undefined ? {} : { types }),
      ...(text === undefined ? {} : { needles: auditNeedles(text) }),
      ...(from === undefined ? {} : { before: from }),
    };
    for await (const { position, ...walked } of reader.walkBackwards(wanted))
      yield { place: position, ...walked };
    return;
  }
  for await (const event of backFrom(reader, stream, from))
    if (isWanted(event, filter)) yield { place: event.seq, event };
}

async function* backFrom(
  reader: SqliteReader,
  stream: StreamId,
  before: number | undefined,
): AsyncGenerator<StoredEvent> {
  let to = before ?? ((await reader.head(stream))?.seq ?? 0) + 1;
  while (to > 1) {
    const from = Math.max(to - SLICE, 1);
    const slice = await Array.fromAsync(reader.read(stream, { after: from - 1, limit: to - from }));
    yield* slice.toReversed();
    to = from;
  }
}

function isWanted({ at, type }: StoredEvent, { since, until, types }: AuditFilterInput): boolean {
  const atMs = Date.parse(at);
  return (
    (since === undefined || atMs >= Date.parse(since)) &&
    (until === undefined || atMs < Date.parse(until)) &&
    (types === undefined || types.some((one) => type === one || type.startsWith(`${one}.`)))
  );
}

/** What is shown of an event; undefined if the wanted text is not in it. */
function matcherOf({ text }: AuditFilterInput): (event: StoredEvent) => AuditEntry | undefined {
  const wanted = text?.toLowerCase();
  return (event) => {
    const entry = projectAudit(event);
    if (wanted === undefined) return entry;
    const said = [event.type, entry.who, entry.toolPath, entry.summary].join("\n").toLowerCase();
    return said.includes(wanted) ? entry : undefined;
  };
}

function told(
  { id, at, type, stream, seq }: StoredEvent,
  { who, toolPath, summary }: AuditEntry,
): AuditedEvent {
  return {
    id,
    at,
    type,
    stream,
    seq,
    summary: shorten(summary, SUMMARY_CHARS),
    ...(who === undefined ? {} : { who }),
    ...(toolPath === undefined ? {} : { toolPath }),
  };
}
