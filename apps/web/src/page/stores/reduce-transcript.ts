import type { CanonicalEvent, EventData, StoredEvent } from "@deputy/protocol";
import { isAskedAgain } from "./asked-again.ts";
import { afterAnswer, placeOfAnswer } from "./row-order.ts";
import type { ActivityRow, AnswerRow, Call, Cell, Moment, QuestionRow, Row } from "./transcript-rows.ts";

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
  let rows: Row[] = [];
  let places = new Map<string, number>();
  /** Which row a program, a call or a question is in. */
  const rowOfCell = new Map<string, string>();
  const cellOfCall = new Map<string, string>();
  /** Of questions that nobody has answered. */
  const cellOfQuestion = new Map<string, string>();
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

  const put = (row: Row): void => {
    const at = places.get(row.key);
    if (at === undefined) {
      places.set(row.key, rows.length);
      rows.push(row);
    } else rows[at] = row;
  };
  const reorder = (ordered: Row[]): void => {
    rows = ordered;
    places = new Map(rows.map((row, at) => [row.key, at]));
  };
  const get = (key: string | undefined): Row | undefined => {
    const at = key === undefined ? undefined : places.get(key);
    return at === undefined ? undefined : rows[at];
  };
  const remove = (key: string): void => {
    const at = places.get(key);
    if (at === undefined) return;
    reorder(rows.toSpliced(at, 1));
  };
  let fallback: string | undefined;
  /** The daemon goes on with something else than this answer: what was seen of the others never got into the log. */
  const settleDoubt = (itemId: string | undefined): void => {
    if (doubted.size === 0) return;
    for (const key of doubted) if (key !== itemId) remove(key);
    doubted.clear();
  };
  const base = ({ seq, at }: StoredEvent, key: string) => ({ key, seq, at });

  /** The activity that the next program belongs to: the row above it, if it is one, or a new one. */
  const activityFor = (event: StoredEvent, key: string, above = rows.at(-1)): ActivityRow => {
    if (above?.kind === "activity") return above;
    const isOpen = event.turnId !== undefined && openTurns.has(event.turnId);
    return { kind: "activity", ...base(event, key), cells: [], thoughts: [], isOpen };
  };
  const changeCell = (cellId: string, change: (cell: Cell) => Cell): void => {
    const row = get(rowOfCell.get(cellId));
    if (row?.kind !== "activity") return;
    put({ ...row, cells: row.cells.map((cell) => (cell.id === cellId ? change(cell) : cell)) });
  };
  const changeCall = (callId: string, change: (call: Call) => Call): void => {
    const cellId = cellOfCall.get(callId);
    if (cellId === undefined) return;
    changeCell(cellId, (cell) => ({
      ...cell,
      calls: cell.calls.map((call) => (call.id === callId ? change(call) : call)),
    }));
  };
  const addMoment = (moment: Moment): void =>
    changeCell(cellOfCall.get(moment.callId) ?? "", (cell) => ({
      ...cell,
      moments: [...cell.moments, moment],
    }));
  const endTurn = (turnId: string | undefined): void => {
    if (turnId !== undefined) {
      openTurns.delete(turnId);
      endedTurns.add(turnId);
    }
    for (const row of rows) {
      if (row.kind === "activity" && row.isOpen)
        put({ ...row, isOpen: false, cells: row.cells.map((cell) => ({ ...cell, questions: [] })) });
      // What was being written when it was stopped stays as it is.
      if (row.kind === "answer" && row.isStreaming) put({ ...row, isStreaming: false });
    }
  };

  /** The last answer of a turn is where the conversation can be gone on with in a copy. */
  const noteEnd = ({ turnId, seq }: CanonicalEvent): void => {
    const last = get(lastAnswers.get(turnId ?? ""));
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
        const isAgain = isAskedAgain(rows, own, attachments);
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
        return put({ kind: "end", ...base(event, event.id), how: "failed", text: event.data.message });
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
        const from = rows.findIndex((row) => row.kind === "answer" && row.isStreaming);
        const place = from < 0 ? rows.length : from;
        const activity = activityFor(event, event.data.itemId, rows[place - 1]);
        const thought = { ...activity, thoughts: [...activity.thoughts, event.data.text] };
        if (place === rows.length || places.has(thought.key)) return put(thought);
        return reorder(rows.toSpliced(place, 0, thought));
      }
      case "cell.submitted": {
        const { cellId, code } = event.data;
        showFallback(event, event.data.answer);
        const activity = activityFor(event, cellId);
        const cell: Cell = {
          id: cellId,
          code,
          startedAt: event.at,
          diagnostics: [],
          calls: [],
          logs: [],
          moments: [],
          wasAsked: false,
          questions: [],
        };
        rowOfCell.set(cellId, activity.key);
        return put({ ...activity, cells: [...activity.cells, cell] });
      }
      case "cell.checked": {
        const { cellId, diagnostics } = event.data;
        return changeCell(cellId, (cell) => ({ ...cell, diagnostics }));
      }
      case "cell.completed": {
        const { cellId, result, logs, error } = event.data;
        return changeCell(cellId, (cell) => ({
          ...cell,
          logs,
          endedAt: event.at,
          ...(result !== undefined && { result }),
          ...(error !== undefined && { error: error.message }),
        }));
      }
      case "call.requested": {
        const { callId, toolPath, input } = event.data;
        // Without a program, the call stands by itself.
        const cellId = event.data.cellId ?? callId;
        cellOfCall.set(callId, cellId);
        if (!rowOfCell.has(cellId)) {
          const activity = activityFor(event, cellId);
          rowOfCell.set(cellId, activity.key);
          const alone = {
            id: cellId,
            code: "",
            startedAt: event.at,
            diagnostics: [],
            calls: [],
            logs: [],
            moments: [],
          };
          put({ ...activity, cells: [...activity.cells, { ...alone, wasAsked: false, questions: [] }] });
        }
        const call: Call = { id: callId, toolPath, input, status: "decided", why: [], attachments: [] };
        return changeCell(cellId, (cell) => ({ ...cell, calls: [...cell.calls, call] }));
      }
      case "call.decided": {
        const { callId, decision, provenance, grantId } = event.data;
        if (decision === "ask")
          changeCell(cellOfCall.get(callId) ?? "", (cell) => ({ ...cell, wasAsked: true }));
        addMoment({ callId, what: "decided", at: event.at });
        const isGranted = grantId !== undefined;
        return changeCall(callId, (call) => ({
          ...call,
          decision,
          isGranted,
          why: provenance.map(withoutIds),
        }));
      }
      case "call.started":
        return changeCall(event.data.callId, (call) => ({ ...call, status: "running" }));
      case "call.progress": {
        const { callId, message } = event.data;
        return changeCall(callId, (call) => ({ ...call, progress: message }));
      }
      case "call.settled": {
        const { callId, status, preview, error, durationMs, attachments } = event.data;
        addMoment({ callId, what: "settled", at: event.at });
        return changeCall(callId, (call) => ({
          ...call,
          status,
          durationMs,
          attachments,
          ...(preview !== undefined && { preview }),
          ...(error !== undefined && { error: error.message }),
        }));
      }
      case "approval.requested": {
        const { approvalId, preview, calls, askedBy, unknownCall, cellId } = event.data;
        const asking = cellId ?? cellOfCall.get(askedBy ?? unknownCall ?? approvalId);
        if (asking !== undefined) {
          cellOfQuestion.set(approvalId, asking);
          changeCell(asking, (cell) => ({ ...cell, questions: [...cell.questions, approvalId] }));
        }
        if (preview.changes !== undefined) {
          const { changes } = preview;
          changeCall(approvalId, (call) => ({ ...call, changes }));
        }
        const tools = new Set(calls?.map(({ toolPath }) => toolPath)).size || 1;
        const asked = { id: approvalId, title: preview.title, calls: calls?.length ?? 1, tools };
        return put({ kind: "question", ...base(event, approvalId), ...asked });
      }
      case "approval.resolved": {
        const { approvalId } = event.data;
        changeCell(cellOfQuestion.get(approvalId) ?? "", (cell) => ({
          ...cell,
          questions: cell.questions.filter((id) => id !== approvalId),
        }));
        cellOfQuestion.delete(approvalId);
        const row = get(approvalId);
        if (row?.kind !== "question") return undefined;
        return put(answered(row, event));
      }
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
        return undefined;
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
    const ordered = answer === undefined ? undefined : afterAnswer(rows, answer.throughSeq);
    if (ordered !== undefined) reorder(ordered);
  };

  return {
    apply,
    prepend(events) {
      const below = { rows, lastSeq, openTurns: [...openTurns] };
      rows = [];
      places = new Map();
      lastSeq = 0;
      openTurns.clear();
      for (const event of events) apply(event);
      openTurns.clear();
      for (const turn of below.openTurns) openTurns.add(turn);
      for (const row of below.rows) if (!places.has(row.key)) put(row);
      lastSeq = below.lastSeq;
    },
    forgetTop(most) {
      const from = rows.findIndex(
        (row, at) => at >= rows.length - most && row.kind === "said" && row.seq !== undefined,
      );
      if (rows.length <= most || from <= 0) return undefined;
      for (const row of rows.splice(0, from)) {
        if (row.kind === "answer") written.delete(row.key);
        if (row.kind === "said") messageKeys.delete(row.key);
        eventIds.delete(row.key);
        if (row.kind !== "activity") continue;
        for (const cell of row.cells) {
          rowOfCell.delete(cell.id);
          for (const call of cell.calls) cellOfCall.delete(call.id);
        }
      }
      reorder(rows);
      endedTurns.clear();
      for (const [turnId, key] of lastAnswers) if (!places.has(key)) lastAnswers.delete(turnId);
      return rows[0]?.seq;
    },
    applyDelta({ itemId, offset, text, at }) {
      if (written.has(itemId)) return true;
      settleDoubt(itemId);
      const row = get(itemId);
      const before = row?.kind === "answer" ? row.text : "";
      if (offset > before.length) return false;
      const whole = before.slice(0, offset) + text;
      if (whole === before || whole.trim() === "") return true;
      if (row?.kind === "answer") put({ ...row, text: whole });
      else {
        const answer: AnswerRow = { kind: "answer", key: itemId, at, text: whole, isStreaming: true };
        const place = placeOfAnswer(rows, itemId, ({ key }) => eventIds.get(key));
        if (place === rows.length) put(answer);
        else reorder(rows.toSpliced(place, 0, answer));
      }
      return true;
    },
    doubtStreaming() {
      for (const row of rows) if (row.kind === "answer" && row.isStreaming) doubted.add(row.key);
    },
    rows: () => rows,
    lastSeq: () => lastSeq,
    openTurn: () => [...openTurns].at(-1),
    hasMessage: (messageKey) => messageKeys.has(messageKey),
    tokens: () => tokens,
  };
}

function answered(row: QuestionRow, event: Extract<CanonicalEvent, { type: "approval.resolved" }>): Row {
  const { decision, by, reason, calls, scope, isExpired } = event.data;
  return {
    ...row,
    answer: {
      decision,
      by,
      at: event.at,
      scope,
      isExpired: isExpired === true,
      ...(reason !== undefined && { reason }),
      ...(calls !== undefined && { approved: calls.length }),
    },
  };
}

/** “in the plan pln_01…” names what the reader has seen already. */
function withoutIds(text: string): string {
  return text.replaceAll(/ [a-z]{3}_[0-9A-Z]{26}\b/gi, "");
}
