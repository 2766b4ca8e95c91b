import type { SessionId } from "@deputy/kit";
import { type EventLog, readEvent, type StoredEvent } from "@deputy/protocol";
import { copyOf } from "./event-copy.ts";
import type { SessionEntry } from "./session-index.ts";

export interface SearchHit {
  readonly session: SessionId;
  readonly key: string;
  readonly seq: number;
  readonly at: string;
  readonly role: "user" | "assistant";
  /** The words, with the text around them. */
  readonly snippet: string;
}

export interface SearchResult {
  readonly hits: readonly SearchHit[];
  /** Why the search ended: it has seen everything, it has enough hits, or it took too long. */
  readonly ended: "all_searched" | "hit_limit" | "event_limit";
}

export interface SearchLimits {
  readonly hits: number;
  /** Events that are read; those of the sessions used last come first. */
  readonly events: number;
}

export const DEFAULT_SEARCH_LIMITS: SearchLimits = { hits: 20, events: 500_000 };

/**
 * Finds messages of the user and the assistant that contain all words of the query, anywhere and in any case. The
 * sessions used last come first, and in each session the latest messages. A message that forks share is found once,
 * in the session where it was written.
 */
export async function searchSessions(
  log: Pick<EventLog, "read">,
  sessions: readonly SessionEntry[],
  query: string,
  limits: SearchLimits,
  signal: AbortSignal,
): Promise<SearchResult> {
  const words = query.normalize("NFKC").toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return { hits: [], ended: "all_searched" };
  const hits: SearchHit[] = [];
  let left = limits.events;
  for (const { id, key } of sessions) {
    const found: SearchHit[] = [];
    for await (const stored of log.read(id)) {
      signal.throwIfAborted();
      if (left === 0) break;
      left -= 1;
      const message = readMessage(stored);
      const snippet = message === undefined ? undefined : findIn(message.text, words);
      if (message === undefined || snippet === undefined) continue;
      found.push({ session: id, key, seq: stored.seq, at: stored.at, role: message.role, snippet });
      // Only the latest can be among the hits; one more says that there are more.
      if (found.length > limits.hits - hits.length + 1) found.shift();
    }
    hits.push(...found.toReversed());
    if (hits.length > limits.hits) return { hits: hits.slice(0, limits.hits), ended: "hit_limit" };
    if (left === 0) return { hits, ended: "event_limit" };
  }
  return { hits, ended: "all_searched" };
}

function readMessage(
  stored: StoredEvent,
): { readonly role: SearchHit["role"]; readonly text: string } | undefined {
  if (stored.type !== "user.message" && stored.type !== "assistant.message") return undefined;
  const read = readEvent(stored);
  if (read.kind !== "known" || copyOf(stored) !== undefined) return undefined;
  const { event } = read;
  if (event.type === "user.message") return { role: "user", text: event.data.text };
  return event.type === "assistant.message" ? { role: "assistant", text: event.data.text } : undefined;
}

const AROUND_CHARS = 60;

/** The first of the words with the text around it; undefined unless all words occur. */
function findIn(raw: string, words: readonly string[]): string | undefined {
  const text = raw.normalize("NFKC");
  const folded = text.toLowerCase();
  if (!words.every((word) => folded.includes(word))) return undefined;
  const at = Math.min(...words.map((word) => folded.indexOf(word)));
  const [from, to] = [Math.max(0, at - AROUND_CHARS), at + AROUND_CHARS];
  // A few letters change their length with their case.
  const shown = (folded.length === text.length ? text : folded).slice(from, to).toWellFormed();
  return `${from > 0 ? "…" : ""}${shown.replaceAll(/\s+/g, " ")}${to < folded.length ? "…" : ""}`;
}
