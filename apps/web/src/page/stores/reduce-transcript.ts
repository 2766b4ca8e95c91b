import type { CanonicalEvent, EventData, StoredEvent } from "@deputy/protocol";
import { isAskedAgain } from "./asked-again.ts";
import { createProgramRows } from "./program-rows.ts";
import { createRowList } from "./row-list.ts";
import { afterAnswer, placeOfAnswer } from "./row-order.ts";
import type { AnswerRow, Row } from "./transcript-rows.ts";

/** Folds the events of one conversation into rows. Each event counts once, whichever way it comes again. */
export interface Transcript {
  /** Adds one event. Those up to `lastSeq` are ignored. */
  apply(event: StoredEvent): void;
  /** Puts earlier events above what is there. */
  prepend(events: readonly StoredEvent[]): void;
  /**
   * Forgets rows from the top, so that about `most` stay, and returns the first event of those; undefined if there are
   * not more. `prepend` brings them back.
   */
  forgetTop(most: number): number | undefined;
  /** A piece of an answer that is being written. False: what stands before it is missing, so it is not there either. */
  applyDelta(delta: {
    readonly itemId: string;
    readonly offset: number;
    readonly text: string;
    readonly at: string;
  }): boolean;
  /**
   * The connection was lost: what is being written may come to nothing. It stays until it comes again, or something else
   * comes in its place.
   */
  doubtStreaming(): void;
  rows(): readonly Row[];
  /** The last event that counts. */
  lastSeq(): number;
  /** The turn that goes on. */
  openTurn(): string | undefined;
  /** The keys of messages that have arrived. */
  hasMessage(messageKey: string): boolean;
  /** What models took, as far as the events here say. */
  tokens(): number;
}

const NOTE_CHANNEL = "note";
const HEARTBEAT_CHANNEL = "heartbeat";
const NOTE_MARK = "[Not written by the user; a note of Deputy's:] ";

export function createTranscript(): Transcript {
  const list = createRowList();
  const written = new Set<string>();
  /** By the turn. */
  const lastAnswers = new Map<string, string>();
  /** Answers that were being written when the connection was lost. */
  const doubted = new Set<string>();
  const messageKeys = new Set<string>();
  /** Of messages, by the row. */
  const eventIds = new Map<string, string>();
  const openTurns = new Set<string>();
  const endedTurns = new Set<string>();
  let lastSeq = 0;
  let tokens = 0;
  let fallback: string | undefined;
  const programs = createProgramRows(list, (turnId) => openTurns.has(turnId));
  const { put } = list;

  /** The daemon goes on with something else than this answer: what was seen of the others never got into the log. */
  const settleDoubt = (itemId: string | undefined): void => {
    if (doubted.size === 0) return;
    for (const key of doubted) if (key !== itemId) list.remove(key);
    doubted.clear();
  };
  const base = ({ seq, at }: StoredEvent, key: string) => ({ key, seq, at });

  const endTurn = (turnId: string | undefined): void => {
    if (turnId !== undefined) {
      openTurns.delete(turnId);
      endedTurns.add(turnId);
    }
    for (const row of list.all()) {
      if (row.kind === "activity" && row.isOpen)
        put({ ...row, isOpen: false, cells: row.cells.map((cell) => ({ ...cell, questions: [] })) });
      // What was being written when it was stopped stays as it is.
      if (row.kind === "answer" && row.isStreaming) put({ ...row, isStreaming: false });
    }
  };

  /** The last answer of a turn is where the conversation can be gone on with in a copy. */
  const noteEnd = ({ turnId, seq }: CanonicalEvent): void => {
    const last = list.get(lastAnswers.get(turnId ?? ""));
    if (last?.kind === "answer") put({ ...last, turnEndSeq: seq });
  };

  /** Said once, as long as the same model goes on. */
  const showFallback = (event: StoredEvent, answer: EventData<"assistant.message">["answer"]): void => {
    if (answer === undefined) return;
    const { model, instead } = answer.fallback ?? {};
    if (model !== undefined && instead !== undefined && model !== fallback)
      put({ kind: "model", ...base(event, `${event.id} model`), model, instead });
    fallback = model;
  };

  const take = (event: CanonicalEvent): void => {
    switch (event.type) {
      case "user.message": {
        const { text, attachments, channel, sender, trust, messageKey, said } = event.data;
        if (messageKey !== undefined) messageKeys.add(messageKey);
        eventIds.set(messageKey ?? event.id, event.id);
        if (channel === NOTE_CHANNEL) {
          const own = text.startsWith(NOTE_MARK) ? text.slice(NOTE_MARK.length) : text;
          return put({ kind: "note", ...base(event, event.id), from: sender, text: own });
        }
        // Deputy's own words to the agent, which nobody said.
        if (channel === HEARTBEAT_CHANNEL) return undefined;
        if (trust !== "user") return put({ kind: "quoted", ...base(event, event.id), source: sender, text });
        const own = said === undefined ? text : text.slice(said.start, said.end);
        const isAgain = isAskedAgain(list.all(), own, attachments);
        return put({
          kind: "said",
          ...base(event, messageKey ?? event.id),
          text: own,
          attachments,
          ...(event.turnId !== undefined && { turnId: event.turnId }),
          ...(isAgain && { isAgain }),
        });
      }
      case "memory.recalled": {
        const { hits, note } = event.data;
        if (hits.length === 0) return undefined;
        return put({
          kind: "recalled",
          ...base(event, event.id),
          hits,
          ...(note !== undefined && { note }),
        });
      }
      case "turn.completed":
        tokens += event.data.usage.inputTokens + event.data.usage.outputTokens;
        endTurn(event.turnId);
        return noteEnd(event);
      case "turn.failed":
        endTurn(event.turnId);
        return put({ kind: "end", ...base(event, event.id), how: "failed", text: failureOf(event.data) });
      case "turn.aborted": {
        endTurn(event.turnId);
        const { by, reason } = event.data;
        const text = by === "owner" ? "You stopped it." : `Stopped by ${by}.`;
        return put({ kind: "end", ...base(event, event.id), how: "aborted", text: reason ?? text });
      }
      case "error":
        return put({ kind: "end", ...base(event, event.id), how: "error", text: event.data.message });
      case "assistant.message": {
        const { itemId, text } = event.data;
        written.add(itemId);
        showFallback(event, event.data.answer);
        if (text.trim() === "") return undefined;
        if (event.turnId !== undefined) lastAnswers.set(event.turnId, itemId);
        return put({ kind: "answer", ...base(event, itemId), text, isStreaming: false });
      }
      case "assistant.reasoning": {
        if (event.data.text.trim() === "") return undefined;
        // It was thought before the answer that is being written.
        const rows = list.all();
        const from = rows.findIndex((row) => row.kind === "answer" && row.isStreaming);
        const place = from < 0 ? rows.length : from;
        const activity = programs.activityFor(event, event.data.itemId, rows[place - 1]);
        const thought = { ...activity, thoughts: [...activity.thoughts, event.data.text] };
        if (place === rows.length || list.has(thought.key)) return put(thought);
        return list.become(rows.toSpliced(place, 0, thought));
      }
      case "cell.submitted":
        showFallback(event, event.data.answer);
        return programs.take(event);
      case "task.fired": {
        const { dueAt, reason } = event.data;
        return put({ kind: "firing", ...base(event, event.id), how: "ran", dueAt, text: reason });
      }
      case "task.skipped": {
        const { dueAt, reason, count } = event.data;
        const text = count === undefined ? reason : `${count} times: ${reason}`;
        return put({ kind: "firing", ...base(event, event.id), how: "skipped", dueAt, text });
      }
      case "session.updated": {
        const { model } = event.data;
        return model === undefined ? undefined : put({ kind: "model", ...base(event, event.id), model });
      }
      case "task.cancelled":
        return put({
          kind: "firing",
          ...base(event, event.id),
          how: "ended",
          dueAt: event.at,
          text: "cancelled",
        });
      default:
        return programs.take(event);
    }
  };

  const apply = (event: StoredEvent): void => {
    if (event.seq <= lastSeq) return;
    lastSeq = event.seq;
    const { turnId } = event;
    if (turnId !== undefined && !endedTurns.has(turnId)) openTurns.add(turnId);
    if (turnId !== undefined && event.type !== "user.message") {
      const { itemId } = (event.data ?? {}) as { readonly itemId?: string };
      settleDoubt(itemId);
    }
    // Erased ones show nothing; the daemon has checked all others.
    if (event.data === null) return;
    take(event as CanonicalEvent);
    const { answer } = event.data as { readonly answer?: { readonly throughSeq: number } };
    const ordered = answer === undefined ? undefined : afterAnswer(list.all(), answer.throughSeq);
    if (ordered !== undefined) list.become(ordered);
  };

  return {
    apply,
    prepend(events) {
      const below = { rows: list.all(), lastSeq, openTurns: [...openTurns] };
      list.become([]);
      lastSeq = 0;
      openTurns.clear();
      for (const event of events) apply(event);
      openTurns.clear();
      for (const turn of below.openTurns) openTurns.add(turn);
      for (const row of below.rows) if (!list.has(row.key)) put(row);
      lastSeq = below.lastSeq;
    },
    forgetTop(most) {
      const rows = list.all();
      const from = rows.findIndex(
        (row, at) => at >= rows.length - most && row.kind === "said" && row.seq !== undefined,
      );
      if (rows.length <= most || from <= 0) return undefined;
      for (const row of rows.slice(0, from)) {
        if (row.kind === "answer") written.delete(row.key);
        if (row.kind === "said") messageKeys.delete(row.key);
        eventIds.delete(row.key);
        programs.forget(row);
      }
      list.become(rows.slice(from));
      endedTurns.clear();
      for (const [turnId, key] of lastAnswers) if (!list.has(key)) lastAnswers.delete(turnId);
      return list.all()[0]?.seq;
    },
    applyDelta({ itemId, offset, text, at }) {
      if (written.has(itemId)) return true;
      settleDoubt(itemId);
      const row = list.get(itemId);
      const before = row?.kind === "answer" ? row.text : "";
      if (offset > before.length) return false;
      const whole = before.slice(0, offset) + text;
      if (whole === before || whole.trim() === "") return true;
      if (row?.kind === "answer") put({ ...row, text: whole });
      else {
        const answer: AnswerRow = { kind: "answer", key: itemId, at, text: whole, isStreaming: true };
        const rows = list.all();
        const place = placeOfAnswer(rows, itemId, ({ key }) => eventIds.get(key));
        if (place === rows.length) put(answer);
        else list.become(rows.toSpliced(place, 0, answer));
      }
      return true;
    },
    doubtStreaming() {
      for (const row of list.all()) if (row.kind === "answer" && row.isStreaming) doubted.add(row.key);
    },
    rows: list.all,
    lastSeq: () => lastSeq,
    openTurn: () => [...openTurns].at(-1),
    hasMessage: (messageKey) => messageKeys.has(messageKey),
    tokens: () => tokens,
  };
}

/** What happened and, where the reader can change it, how. */
function failureOf({ code, message }: { readonly code: string; readonly message: string }): string {
  return code === "budget_spent"
    ? `${message} What it did until then stays done. Raise the budget in the settings, or ask for less.`
    : message;
}
