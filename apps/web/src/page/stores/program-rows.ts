import type { CanonicalEvent, StoredEvent } from "@deputy/protocol";
import type { RowList } from "./row-list.ts";
import type { ActivityRow, Call, Cell, Moment, QuestionRow, Row } from "./transcript-rows.ts";

/** What Deputy did and asked: the rows of programs, their calls and the questions about them. */
export interface ProgramRows {
  /** Puts what such an event says into the rows; others change nothing. */
  take(event: CanonicalEvent): void;
  /** The activity that the next program belongs to: the row above it, if it is one, or a new one. */
  activityFor(event: StoredEvent, key: string, above?: Row): ActivityRow;
  /** Of a row that is not there any more. */
  forget(row: Row): void;
}

export function createProgramRows(rows: RowList, isTurnOpen: (turnId: string) => boolean): ProgramRows {
  /** Which row a program, a call or a question is in. */
  const rowOfCell = new Map<string, string>();
  const cellOfCall = new Map<string, string>();
  /** Of questions that nobody has answered. */
  const cellOfQuestion = new Map<string, string>();

  const activityFor = (event: StoredEvent, key: string, above = rows.all().at(-1)): ActivityRow => {
    if (above?.kind === "activity") return above;
    const isOpen = event.turnId !== undefined && isTurnOpen(event.turnId);
    return { kind: "activity", ...base(event, key), cells: [], thoughts: [], isOpen };
  };
  const changeCell = (cellId: string, change: (cell: Cell) => Cell): void => {
    const row = rows.get(rowOfCell.get(cellId));
    if (row?.kind !== "activity") return;
    rows.put({ ...row, cells: row.cells.map((cell) => (cell.id === cellId ? change(cell) : cell)) });
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

  const take = (event: CanonicalEvent): void => {
    switch (event.type) {
      case "cell.submitted": {
        const { cellId, code } = event.data;
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
        return rows.put({ ...activity, cells: [...activity.cells, cell] });
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
        const { callId, toolPath, calledAs, input } = event.data;
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
          rows.put({ ...activity, cells: [...activity.cells, { ...alone, wasAsked: false, questions: [] }] });
        }
        const call: Call = {
          id: callId,
          toolPath,
          ...(calledAs !== undefined && { calledAs }),
          input,
          status: "decided",
          why: [],
          attachments: [],
        };
        return changeCell(cellId, (cell) => ({ ...cell, calls: [...cell.calls, call] }));
      }
      case "call.decided": {
        const { callId, rule, provenance, grantId } = event.data;
        // What was not ticked in a plan is refused by that answer, and was asked about.
        const decision = rule === "plan" && event.data.decision === "deny" ? "ask" : event.data.decision;
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
        return rows.put({ kind: "question", ...base(event, approvalId), ...asked });
      }
      case "approval.resolved": {
        const { approvalId } = event.data;
        changeCell(cellOfQuestion.get(approvalId) ?? "", (cell) => ({
          ...cell,
          questions: cell.questions.filter((id) => id !== approvalId),
        }));
        cellOfQuestion.delete(approvalId);
        const row = rows.get(approvalId);
        if (row?.kind !== "question") return undefined;
        return rows.put(answered(row, event));
      }
      default:
        return undefined;
    }
  };

  return {
    take,
    activityFor,
    forget(row) {
      if (row.kind !== "activity") return;
      for (const cell of row.cells) {
        rowOfCell.delete(cell.id);
        for (const call of cell.calls) cellOfCall.delete(call.id);
      }
    },
  };
}

const base = ({ seq, at }: StoredEvent, key: string) => ({ key, seq, at });

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
