import type { SessionUpdate, ToolCallContent, PlanEntry, PlanEntryStatus } from "@agentclientprotocol/sdk";
import { type CanonicalEvent, type EventData, type LogItem, readEvent } from "@deputy/protocol";
import { cardOf } from "./permission.ts";
import { fenced, inputContent, kindOf, preview, textBlock, titleOf } from "./tool-content.ts";

/** A session as an editor shows it, built from its log as it comes; the same log gives the same updates. */
export interface UpdateProjection {
  /** Repeats of deltas are harmless. */
  take(item: LogItem): readonly SessionUpdate[];
}

type ToolUpdate = Omit<Extract<SessionUpdate, { sessionUpdate: "tool_call_update" }>, "sessionUpdate">;

export function createUpdateProjection(): UpdateProjection {
  const pieces = createTextPieces();
  const plan = createPlanEntries();
  /** The open calls with their content: an update replaces everything that was shown. */
  const open = new Map<string, readonly ToolCallContent[]>();
  /** Cells around one call that has not been made yet. Once it is made, the call shows everything. */
  const single = new Map<string, EventData<"cell.submitted">>();

  const begin = (call: {
    readonly toolCallId: string;
    readonly title: string;
    readonly name: string;
    readonly status: "pending" | "in_progress";
    readonly content: readonly ToolCallContent[];
    readonly rawInput?: unknown;
  }): readonly SessionUpdate[] => {
    open.set(call.toolCallId, call.content);
    const { name, title } = call;
    return [
      {
        sessionUpdate: "tool_call",
        ...call,
        kind: kindOf(name),
        title: titleOf(title),
        content: [...call.content],
      },
    ];
  };
  const update = (changed: ToolUpdate): readonly SessionUpdate[] => [
    { sessionUpdate: "tool_call_update", ...changed },
  ];
  const end = (
    toolCallId: string,
    status: "completed" | "failed",
    more: readonly ToolCallContent[],
  ): readonly SessionUpdate[] => {
    const about = open.get(toolCallId) ?? [];
    open.delete(toolCallId);
    return update({ toolCallId, status, content: [...about, ...more] });
  };
  const beginCell = (cell: EventData<"cell.submitted">): readonly SessionUpdate[] =>
    begin({ toolCallId: cell.cellId, status: "in_progress", ...aboutCell(cell) });
  const endCell = (
    cellId: string,
    status: "completed" | "failed",
    outcome: readonly ToolCallContent[],
  ): readonly SessionUpdate[] => {
    const unmade = single.get(cellId);
    single.delete(cellId);
    if (unmade !== undefined) return [...beginCell(unmade), ...end(cellId, status, outcome)];
    return open.has(cellId) ? end(cellId, status, outcome) : [];
  };
  const endTurn = (): readonly SessionUpdate[] => [...open.keys()].flatMap((id) => end(id, "failed", []));
  const chunk = (
    sessionUpdate: "agent_message_chunk" | "agent_thought_chunk" | "user_message_chunk",
    messageId: string,
    text: string,
  ): readonly SessionUpdate[] =>
    text === "" ? [] : [{ sessionUpdate, messageId, content: textBlock(text) }];

  const takeEvent = (event: CanonicalEvent): readonly SessionUpdate[] => {
    switch (event.type) {
      case "user.message":
        return chunk("user_message_chunk", event.id, event.data.text);
      case "assistant.message":
        return chunk(
          "agent_message_chunk",
          event.data.itemId,
          pieces.finish(event.data.itemId, event.data.text),
        );
      case "assistant.reasoning":
        return chunk(
          "agent_thought_chunk",
          event.data.itemId,
          pieces.finish(event.data.itemId, event.data.text),
        );
      case "error":
        return chunk("agent_message_chunk", event.id, event.data.message);

      case "cell.submitted":
        if (event.data.call === undefined) return beginCell(event.data);
        single.set(event.data.cellId, event.data);
        return [];
      case "cell.checked":
        if (event.data.diagnostics.length === 0) return [];
        return endCell(event.data.cellId, "failed", [fenced(describeDiagnostics(event.data))]);
      case "cell.completed":
        return endCell(
          event.data.cellId,
          event.data.error === undefined ? "completed" : "failed",
          outcomeOf(event.data),
        );

      case "call.requested": {
        const { callId, cellId, toolPath, input } = event.data;
        if (cellId !== undefined) single.delete(cellId);
        const content = inputContent(toolPath, input);
        return begin({
          toolCallId: callId,
          title: toolPath,
          name: toolPath,
          status: "pending",
          content,
          rawInput: input,
        });
      }
      case "call.started":
        return [
          ...update({ toolCallId: event.data.callId, status: "in_progress" }),
          ...plan.move(event.data.callId, "in_progress"),
        ];
      case "call.progress":
        return update({
          toolCallId: event.data.callId,
          content: [...(open.get(event.data.callId) ?? []), fenced(event.data.message)],
        });
      case "call.settled": {
        const { callId, status, error } = event.data;
        const told = status === "unknown" ? "outcome unknown" : (event.data.preview ?? error?.message);
        return [
          ...end(
            callId,
            status === "succeeded" ? "completed" : "failed",
            told === undefined ? [] : [preview(told)],
          ),
          ...plan.move(callId, "completed"),
        ];
      }

      case "plan.proposed":
        return plan.propose(event.data);
      case "approval.requested": {
        const { approvalId, preview: shown, calls } = event.data;
        const content = [cardOf(event.data)];
        if (calls === undefined) return update({ toolCallId: approvalId, status: "pending", content });
        return begin({
          toolCallId: approvalId,
          title: shown.title,
          name: "plan",
          status: "pending",
          content,
        });
      }
      case "approval.resolved": {
        const { approvalId, decision, by, reason } = event.data;
        const isPlan = approvalId.startsWith("pln");
        if (!isPlan) return [];
        const told = `${decision} by ${by}${reason === undefined ? "" : `: ${reason}`}`;
        return end(approvalId, decision === "approved" ? "completed" : "failed", [fenced(told)]);
      }

      case "turn.completed":
      case "turn.aborted":
        return endTurn();
      case "turn.failed":
        return [...endTurn(), ...chunk("agent_message_chunk", event.id, event.data.message)];
      default:
        return [];
    }
  };

  return {
    take(item) {
      if (item.kind === "delta") {
        const { itemId, itemType, offset, text } = item.delta;
        return chunk(
          itemType === "message" ? "agent_message_chunk" : "agent_thought_chunk",
          itemId,
          pieces.add(itemId, offset, text),
        );
      }
      const read = readEvent(item.event);
      return read.kind === "known" ? takeEvent(read.event) : [];
    },
  };
}

/** A program or, if the model made a single call, that call. */
function aboutCell({ call, code, language }: EventData<"cell.submitted">) {
  if (call !== undefined) {
    const { name, input } = call;
    return { title: name, name, content: inputContent(name, input), rawInput: input };
  }
  return { title: "Program", name: "run_code", content: [fenced(code, language)], rawInput: { code } };
}

function describeDiagnostics({ diagnostics }: EventData<"cell.checked">): string {
  const lines = diagnostics.map(({ line, column, code, message }) => `${line}:${column} ${code} ${message}`);
  return ["It did not typecheck; nothing ran.", ...lines].join("\n");
}

function outcomeOf({ logs, result, error }: EventData<"cell.completed">): readonly ToolCallContent[] {
  return [
    ...(logs.length === 0 ? [] : [preview(logs.join("\n"))]),
    ...(result === undefined ? [] : [preview(JSON.stringify(result, null, 2), "json")]),
    ...(error === undefined ? [] : [preview(error.message)]),
  ];
}

/** The plan that is shown: the calls of the last proposal, and their progress. */
interface PlanEntries {
  propose(plan: EventData<"plan.proposed">): readonly SessionUpdate[];
  /** Empty for a call that is not part of the plan. */
  move(callId: string, status: PlanEntryStatus): readonly SessionUpdate[];
}

function createPlanEntries(): PlanEntries {
  let entries: readonly { readonly callId: string | undefined; readonly entry: PlanEntry }[] = [];
  const told = (): readonly SessionUpdate[] => [
    { sessionUpdate: "plan", entries: entries.map(({ entry }) => entry) },
  ];
  return {
    propose({ calls }) {
      entries = calls.map(({ callId, toolPath, input }) => ({
        callId,
        entry: {
          content: titleOf(`${toolPath} ${JSON.stringify(input)}`),
          priority: "medium",
          status: "pending",
        },
      }));
      return told();
    },
    move(callId, status) {
      if (!entries.some((one) => one.callId === callId)) return [];
      entries = entries.map((one) =>
        one.callId === callId ? { callId, entry: { ...one.entry, status } } : one,
      );
      return told();
    },
  };
}

/** The texts of items that are still being written, as pieces that add up to the whole. */
interface TextPieces {
  /** The new part of a delta; empty after a gap, which the next piece or the end fills. */
  add(itemId: string, offset: number, text: string): string;
  /** The rest of an item that is complete. */
  finish(itemId: string, text: string): string;
}

interface Item {
  known: string;
  told: number;
}

/** No piece ends in the middle of a character, because not every client can read half of one. */
function createTextPieces(): TextPieces {
  const items = new Map<string, Item>();
  return {
    add(itemId, offset, text) {
      const item = items.get(itemId) ?? { known: "", told: 0 };
      items.set(itemId, item);
      if (offset > item.known.length || offset + text.length <= item.known.length) return "";
      item.known = item.known.slice(0, offset) + text;
      const end = isHalf(item.known.at(-1)) ? item.known.length - 1 : item.known.length;
      const piece = item.known.slice(item.told, end);
      item.told = Math.max(item.told, end);
      return piece;
    },
    finish(itemId, text) {
      const told = items.get(itemId)?.told ?? 0;
      items.delete(itemId);
      return text.slice(told);
    },
  };
}

function isHalf(unit: string | undefined): boolean {
  return unit !== undefined && /^[\ud800-\udbff]$/.test(unit);
}
