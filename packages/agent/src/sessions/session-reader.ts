import { parseId, type SessionId, shorten } from "@deputy/kit";
import { type EventLog, readEvent } from "@deputy/protocol";
import type { SearchLimits, SearchResult } from "./search-sessions.ts";
import { createSessionIndex, type SessionEntry, type SessionIndex } from "./session-index.ts";
import { IMPORTED_CHANNEL } from "./session-key.ts";
import type { TranscriptLine } from "./transcript.ts";

/**
 * Reads sessions and changes nothing, so it works beside a process that writes. All methods reject when the log does.
 */
export interface SessionReader {
  /** The one in which something happened last comes first; at most `limit`. */
  list(options?: {
    readonly limit?: number;
    /** `conversations`: without tasks' own. */
    readonly which?: "all" | "conversations";
    /** Only these, in whichever order; those that do not exist are left out. */
    readonly ids?: readonly SessionId[];
  }): Promise<readonly SessionSummary[]>;
  /** By the session's id, or the newest session with that key. */
  find(idOrKey: string): Promise<SessionEntry | undefined>;
  /** Bounded; the result says whether that cut it short. Rejects with the signal's reason when it aborts. */
  search(query: string, limits: Partial<SearchLimits>, signal: AbortSignal): Promise<SearchResult>;
  /** Ends at the head at the time; a session that does not exist has no lines. */
  transcript(session: SessionId, signal: AbortSignal): AsyncIterable<TranscriptLine>;
}

export interface SessionSummary extends SessionEntry {
  /** The user's name for it, or the beginning of the first message; empty when there is neither. */
  readonly title: string;
  readonly events: number;
}

/** The part of the log that is needed to read sessions. */
export type SessionLog = Pick<EventLog, "read" | "readAll" | "head">;

const DEFAULT_LISTED = 50;

export function createSessionReader(
  log: SessionLog,
  index: SessionIndex = createSessionIndex(log),
): SessionReader {
  return {
    async list({ limit = DEFAULT_LISTED, which = "all", ids } = {}) {
      const summaries: SessionSummary[] = [];
      const known = ids === undefined ? await index.newestFirst() : await entriesOf(index, ids);
      const wanted = known.filter(({ isTask }) => which === "all" || !isTask);
      for (const entry of wanted.slice(0, limit)) {
        const head = await log.head(entry.id);
        summaries.push({
          ...entry,
          title: entry.name ?? (await readTitle(log, entry.id)),
          events: head?.seq ?? 0,
        });
      }
      return summaries;
    },
    async find(idOrKey) {
      const id = parseId("session", idOrKey);
      return id === undefined ? await index.newestWith(idOrKey) : await index.get(id);
    },
    async search(query, limits, signal) {
      const { DEFAULT_SEARCH_LIMITS, searchSessions } = await import("./search-sessions.ts");
      const sessions = await index.newestFirst();
      return await searchSessions(log, sessions, query, { ...DEFAULT_SEARCH_LIMITS, ...limits }, signal);
    },
    async *transcript(session, signal) {
      const { readTranscript } = await import("./transcript.ts");
      yield* readTranscript(log, session, signal);
    },
  };
}

async function entriesOf(index: SessionIndex, ids: readonly SessionId[]): Promise<SessionEntry[]> {
  const found = await Promise.all(ids.map((id) => index.get(id)));
  return found.filter((entry) => entry !== undefined);
}

/** The first message is looked for among this many events. */
const OPENING_EVENTS = 20;
const TITLE_CHARS = 60;

async function readTitle(log: SessionLog, session: SessionId): Promise<string> {
  for await (const stored of log.read(session, { limit: OPENING_EVENTS })) {
    if (stored.type !== "user.message") continue;
    const read = readEvent(stored);
    if (read.kind !== "known" || read.event.type !== "user.message") continue;
    // Content that came along with a message is not the first message.
    const { trust, channel } = read.event.data;
    if (trust !== "user" && channel !== IMPORTED_CHANNEL) continue;
    return shorten(titleText(read.event.data.text).replaceAll(/\s+/g, " ").trim(), TITLE_CHARS);
  }
  return "";
}

/** Of a message with code between fences, the first line of what is said outside; of code alone, its first line. */
function titleText(text: string): string {
  if (!/`{3}|~{3}/.test(text)) return text;
  const outside = text.replaceAll(FENCED, "");
  return firstLine(outside) ?? firstLine(text.replaceAll(FENCE, "")) ?? "";
}

/** From a line that opens a fence to one that closes it, or to the end. */
const FENCED = /^[ \t]*(`{3,}|~{3,})[^`\n]*(?:\n[^]*?(?:^[ \t]*\1[`~]*[ \t]*$|(?![^]))|(?![^]))/gm;
const FENCE = /^[ \t]*(?:`{3,}|~{3,})[ \t]*[\w+#.-]*[ \t]*$/gm;

const firstLine = (text: string): string | undefined =>
  text
    .split("\n")
    .map((line) => line.replaceAll(/`{3,}|~{3,}/g, " "))
    .find((line) => line.trim() !== "");
