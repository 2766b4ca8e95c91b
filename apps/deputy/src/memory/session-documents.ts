import { type SessionEntry, type SessionIndex, untrustedIn } from "@deputy/agent/sessions";
import type { DocumentSource, DocumentText, ForeignPart, ListedDocument } from "@deputy/memory";
import { type CanonicalEvent, type EventLog, isTurnEndType, readEvent } from "@deputy/protocol";

/** What was said in conversations. Results of tools are not remembered, and neither is what was recalled. */
export function createSessionSource(deps: {
  readonly log: Pick<EventLog, "read">;
  readonly sessions: Pick<SessionIndex, "newestFirst">;
}): DocumentSource {
  /** Every search lists all of them, and few have changed: what stayed the same is given again. */
  const listed = new WeakMap<SessionEntry, ListedDocument>();
  const documentOf = (entry: SessionEntry): ListedDocument => {
    const { id, agentId, turns, openTurns = 0 } = entry;
    const before = listed.get(entry);
    // What is said in a turn counts once it has ended: that one has begun changes nothing.
    const revision = `${turns - openTurns} ended`;
    if (before?.revision === revision && before.scope === agentId) return before;
    const document: ListedDocument = {
      key: `session ${id}`,
      scope: agentId,
      kind: "session",
      path: id,
      revision,
      read: (until) => readConversation(deps.log, id, until),
    };
    listed.set(entry, document);
    return document;
  };
  return {
    async list(signal) {
      signal.throwIfAborted();
      const conversations = (await deps.sessions.newestFirst()).filter(({ isTask }) => !isTask);
      return { documents: conversations.map(documentOf), problems: [] };
    },
  };
}

/**
 * One line for each message, under a heading for each day. What others wrote is theirs, and so is what the assistant
 * said after it had read something of others: it may repeat it. A turn that has begun and not ended is left out: who
 * asks during it would find the question itself, and take it for something that was known before.
 */
export async function readConversation(
  log: Pick<EventLog, "read">,
  session: Parameters<EventLog["read"]>[0],
  signal: AbortSignal,
): Promise<DocumentText> {
  const heard: Heard[] = [];
  const open = new Set<string>();
  for await (const stored of log.read(session)) {
    signal.throwIfAborted();
    const read = readEvent(stored);
    if (read.kind !== "known") continue;
    const { event } = read;
    const { turnId } = event;
    // A message that waits for its turn is part of it.
    const begins = event.type === "turn.started" || event.type === "user.message";
    if (turnId !== undefined && begins) open.add(turnId);
    if (turnId !== undefined && isTurnEndType(event.type)) open.delete(turnId);
    const sources = untrustedIn(event);
    const line = lineOf(event);
    if (sources.length > 0 || line !== undefined) heard.push({ turnId, at: event.at, sources, line });
  }
  const others = new Set<string>();
  const foreign: ForeignPart[] = [];
  let text = "";
  let day = "";
  for (const { turnId, at, sources, line } of heard) {
    if (turnId !== undefined && open.has(turnId)) continue;
    for (const source of sources) others.add(source);
    if (line === undefined || line.said.trim() === "") continue;
    if (at.slice(0, 10) !== day) text += `# ${(day = at.slice(0, 10))}\n`;
    const from = text.length;
    text += `${line.who}: ${line.said.replaceAll(/\s*\n\s*/g, "\n  ").trim()}\n`;
    for (const source of line.by ?? others) foreign.push({ from, to: text.length, source });
  }
  return { path: "conversation", text, foreign };
}

/** What an event adds to a conversation. */
interface Heard {
  readonly turnId: string | undefined;
  readonly at: string;
  /** Whose text the session had read from then on. */
  readonly sources: readonly string[];
  readonly line: Line | undefined;
}

interface Line {
  readonly who: string;
  readonly said: string;
  /** Whose words it is; undefined of the assistant's: of all whom it had read. */
  readonly by: readonly string[] | undefined;
}

function lineOf(event: CanonicalEvent): Line | undefined {
  if (event.type === "assistant.message") return { who: "Deputy", said: event.data.text, by: undefined };
  if (event.type !== "user.message") return undefined;
  const { text, trust, channel, sender } = event.data;
  return trust === "user"
    ? { who: "User", said: text, by: [] }
    : { who: sender, said: text, by: [`${channel} ${sender}`] };
}
