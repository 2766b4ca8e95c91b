import type { AuditedEvent, AuditFilterInput } from "@deputy/protocol";
import { type ReadonlySignal, signal } from "@preact/signals-core";
import { EVENT_KINDS, type EventKind } from "../text/event-words.ts";
import type { Connection } from "../wire/connection.ts";

/** What the reader filters the log by, as it stands in the address. */
export interface ActivityFilter {
  readonly kind?: EventKind;
  /** A conversation or a task: its stream. */
  readonly of?: string;
  /** A day of the reader's calendar: 2026-03-01. */
  readonly day?: string;
  readonly text?: string;
}

export function readActivityFilter(query: string): ActivityFilter {
  const said = new URLSearchParams(query);
  const kind = said.get("kind") ?? "";
  const of = said.get("of") ?? "";
  const day = said.get("day") ?? "";
  const text = (said.get("text") ?? "").trim();
  return {
    ...(Object.hasOwn(EVENT_KINDS, kind) && { kind: kind as EventKind }),
    ...(/^(?:ses_\w+|system)$/.test(of) && { of }),
    ...(/^\d{4}-\d\d-\d\d$/.test(day) && { day }),
    ...(text !== "" && { text: text.slice(0, 200) }),
  };
}

export function activityQuery(filter: ActivityFilter): string {
  return new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== "")).toString();
}

/** The same as the daemon understands it; a day is the reader's own. */
export function auditFilterOf({ kind, of, day, text }: ActivityFilter): AuditFilterInput {
  const [year = 0, month = 1, date = 1] = (day ?? "").split("-").map(Number);
  return {
    ...(kind !== undefined && { types: [...EVENT_KINDS[kind].types] }),
    ...(of !== undefined && { stream: of as never }),
    ...(day !== undefined && {
      since: new Date(year, month - 1, date).toISOString(),
      until: new Date(year, month - 1, date + 1).toISOString(),
    }),
    ...(text !== undefined && { text }),
  };
}

/** The log as a feed, the newest first, a page at a time. */
export interface ActivityFeed {
  readonly events: ReadonlySignal<readonly AuditedEvent[]>;
  readonly state: ReadonlySignal<FeedState>;
  /** Rejects with `RequestFailed`. */
  more(): Promise<void>;
}

export interface FeedState {
  readonly isLoading: boolean;
  /** False: nothing is before what is here. */
  readonly hasMore: boolean;
  /** There was more above, which is not kept: nobody looks at thousands of lines at once. */
  readonly hasNewer: boolean;
  /** How far back a search has looked. */
  readonly lookedTo?: string | undefined;
}

const PAGE = 50;
const MOST_KEPT = 400;
/** A search goes on by itself this often before it asks the reader. */
const MOST_TRIES = 8;

export function openActivityFeed(
  connection: Connection,
  filter: ActivityFilter,
  life: AbortSignal,
): ActivityFeed {
  const events = signal<readonly AuditedEvent[]>([]);
  const state = signal<FeedState>({ isLoading: false, hasMore: true, hasNewer: false });
  let cursor: string | undefined;
  return {
    events,
    state,
    async more() {
      if (state.value.isLoading || !state.value.hasMore) return;
      state.value = { ...state.value, isLoading: true };
      try {
        for (let tries = 0, found = 0; tries < MOST_TRIES && found < PAGE && !life.aborted; tries++) {
          const asked = { ...auditFilterOf(filter), limit: PAGE, ...(cursor !== undefined && { cursor }) };
          const page = await connection.call("audit.list", asked);
          if (life.aborted) return;
          ({ cursor } = page);
          found += page.events.length;
          const all = [...events.value, ...page.events];
          events.value = all.slice(-MOST_KEPT);
          const hasMore = cursor !== undefined;
          const hasNewer = state.value.hasNewer || all.length > MOST_KEPT;
          state.value = { isLoading: true, hasMore, hasNewer, lookedTo: page.lookedTo };
          if (!hasMore) break;
        }
      } finally {
        state.value = { ...state.value, isLoading: false };
      }
    },
  };
}
