import type { Id, IdKind, IdSource, SessionId, TurnId } from "@deputy/kit";
import {
  type CanonicalEvent,
  type EventData,
  type EventLog,
  EventLogError,
  type EventType,
  isEventType,
  isTurnEndType,
  type NewEvent,
  readEvent,
  type StoredEvent,
} from "@deputy/protocol";
import { AgentError } from "../agent-error.ts";
import { closingEvents, readOpenItems } from "../turn/open-items.ts";
import { IMPORTED_CHANNEL, sessionKeyOf } from "./session-key.ts";

const SENDER = "session";
const LABELS: EventData<"call.settled">["labels"] = [
  { trust: "untrusted", source: `${IMPORTED_CHANNEL} ${SENDER}` },
];
const INTERRUPTED = {
  code: "interrupted",
  message: "It was under way where the session came from.",
};

export interface ImportedSession {
  readonly id: SessionId;
  readonly key: string;
  /** Events of the file of which the session has a copy. */
  readonly copied: number;
  /** Events that stay in the file, by type: `approval.requested` → 2. Types that are not known here are `other`. */
  readonly left: ReadonlyMap<string, number>;
}

/**
 * Takes a session in from a file that anybody may have written. What was said and done is copied, to be read and to
 * be talked about: nothing in it is due, pending, granted, trusted or the user's word. It gets a key and ids of its
 * own, so it can neither be taken for another session nor meddle with one. All of it is one append, which also ends
 * what was under way. Rejects with `session_exists`, and as the log does.
 */
export async function importSession(
  deps: {
    readonly log: EventLog;
    readonly ids: IdSource;
    /** The agent that it goes on with. The file has no say in that: agents differ in what they may do. */
    readonly agentId: string;
  },
  file: { readonly stream: SessionId; readonly events: readonly StoredEvent[] },
): Promise<ImportedSession> {
  const { stream } = file;
  const key = sessionKeyOf({ channel: IMPORTED_CHANNEL, sender: stream });
  const { agentId } = deps;
  const { copies, left } = copyFile(file.events, deps.ids, agentId);
  const events: NewEvent[] = [
    { type: "session.started", data: { agentId, key, channel: IMPORTED_CHANNEL } },
    { type: "session.imported", data: {} },
    ...copies,
    ...endings(copies),
  ];
  try {
    await deps.log.append(stream, events, { expectedSeq: 0 });
  } catch (cause) {
    if (!(cause instanceof EventLogError) || cause.code !== "conflict") throw cause;
    throw new AgentError("session_exists", `${stream} is already here`, {
      cause,
      hint: "Nothing was imported.",
    });
  }
  return { id: stream, key, copied: copies.length, left };
}

type Copied = {
  readonly [T in EventType]?: (data: EventData<T>, own: OwnIds, agentId: string) => EventData<T>;
};

/**
 * Every type that is taken over, and what of it: field by field, so that a field which a later version gives a meaning
 * to does not come along. A type that is not here stays in the file.
 */
const COPIED: Copied = {
  // Files carry no blobs. An id in one could only be that of somebody else's.
  "user.message": ({ text }) => ({
    text,
    attachments: [],
    channel: IMPORTED_CHANNEL,
    sender: SENDER,
    trust: "untrusted",
  }),
  "turn.started": ({ model }, _own, agentId) => ({ agentId, model }),
  "turn.completed": ({ usage, cost }) => ({ usage, ...(cost === undefined ? {} : { cost }) }),
  "turn.failed": ({ code, message }) => ({ code, message }),
  "turn.aborted": ({ by, reason }) => ({ by, ...(reason === undefined ? {} : { reason }) }),
  "assistant.message": ({ itemId, text }, own) => ({ itemId: own("item", itemId), text }),
  "cell.submitted": ({ cellId, language, code, sha256, providerCallId, call, isScript }, own) => ({
    cellId: own("cell", cellId),
    language,
    code,
    sha256,
    // A program without a model's call would be the user's own words.
    ...(providerCallId === undefined
      ? { writtenBy: "model" as const }
      : { providerCallId: own("cell", cellId) }),
    ...(call === undefined ? {} : { call }),
    ...(isScript === undefined ? {} : { isScript }),
  }),
  "cell.checked": ({ cellId, diagnostics, attempt }, own) => ({
    cellId: own("cell", cellId),
    diagnostics,
    attempt,
  }),
  "cell.completed": ({ cellId, result, logs, operations, error }, own) => ({
    cellId: own("cell", cellId),
    ...(result === undefined ? {} : { result }),
    logs,
    operations,
    ...(error === undefined ? {} : { error }),
  }),
  "call.requested": ({ callId, cellId, index, toolPath, calledAs, input, inputHash }, own) => ({
    callId: own("call", callId),
    ...(cellId === undefined ? {} : { cellId: own("cell", cellId) }),
    index,
    toolPath,
    ...(calledAs === undefined ? {} : { calledAs }),
    input,
    inputHash,
    labels: LABELS,
  }),
  "call.settled": ({ callId, cellId, toolPath, status, preview, error, durationMs }, own) => ({
    callId: own("call", callId),
    ...(cellId === undefined ? {} : { cellId: own("cell", cellId) }),
    toolPath,
    status,
    ...(preview === undefined ? {} : { preview }),
    // What somebody said with a no would be told as the user's word.
    ...(error === undefined ? {} : { error: { code: error.code, message: error.message } }),
    attachments: [],
    labels: LABELS,
    durationMs,
  }),
};

/** The id that an import has for one of the file's: always a new one, and the same for the same. */
type OwnIds = <K extends IdKind>(kind: K, id: Id<K>) => Id<K>;

function createOwnIds(ids: IdSource): OwnIds {
  const known = new Map<string, string>();
  return <K extends IdKind>(kind: K, id: Id<K>) => {
    const own = (known.get(id) as Id<K> | undefined) ?? ids.next(kind);
    known.set(id, own);
    return own;
  };
}

function copyFile(
  stored: readonly StoredEvent[],
  ids: IdSource,
  agentId: string,
): { readonly copies: readonly NewEvent[]; readonly left: Map<string, number> } {
  const own = createOwnIds(ids);
  const copies: NewEvent[] = [];
  const left = new Map<string, number>();
  const ended = new Set<TurnId>();
  for (const event of stored) {
    const read = readEvent(event);
    if (read.kind === "known" && read.event.type === "session.started") continue;
    const copy = read.kind === "known" ? copyOne(read.event, own, agentId) : undefined;
    // The log accepts nothing of a turn after its end, even if the file goes on.
    if (copy === undefined || (copy.turnId !== undefined && ended.has(copy.turnId))) {
      const type = isEventType(event.type) ? event.type : "other";
      left.set(type, (left.get(type) ?? 0) + 1);
      continue;
    }
    if (copy.turnId !== undefined && isTurnEndType(copy.type)) ended.add(copy.turnId);
    copies.push(copy);
  }
  return { copies, left };
}

/** It says what it is a copy of, as those of a fork do, so that nothing is counted or gone on with here. */
function copyOne(
  { type, turnId, data, stream, seq, at }: CanonicalEvent,
  own: OwnIds,
  agentId: string,
): NewEvent | undefined {
  const take = COPIED[type] as ((data: unknown, own: OwnIds, agentId: string) => object) | undefined;
  if (take === undefined) return undefined;
  const copy: object = { ...take(data, own, agentId), copyOf: { stream, seq, at } };
  return { type, ...(turnId === undefined ? {} : { turnId: own("turn", turnId) }), data: copy } as NewEvent;
}

function endings(copies: readonly NewEvent[]): NewEvent[] {
  const open = new Set<TurnId>();
  for (const { turnId, type } of copies) {
    if (turnId === undefined) continue;
    if (isTurnEndType(type)) open.delete(turnId);
    else open.add(turnId);
  }
  const ended: NewEvent[] = [];
  for (const turnId of open)
    ended.push(...closingEvents(turnId, readOpenItems(copies, turnId), INTERRUPTED), {
      type: "turn.failed",
      turnId,
      data: INTERRUPTED,
    });
  return ended;
}
