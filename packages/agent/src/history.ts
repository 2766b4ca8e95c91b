import type { AssistantPart, ModelMessage, ToolResult } from "@deputy/model";
import { type CanonicalEvent, type EventData, readEvent, type StoredEvent } from "@deputy/protocol";
import { describeCell } from "./describe-cell.ts";

/** The conversation of a stream as a model sees it: a pure projection, so a restart changes nothing in it. */
export function buildHistory(events: Iterable<StoredEvent>): ModelMessage[] {
  const messages: ModelMessage[] = [];
  const cells = new Map<string, Cell>();
  let parts: AssistantPart[] = [];
  let open: Cell[] = [];

  /** Closes the assistant's message, and answers every program in it: providers reject an unpaired call. */
  const closeAnswer = (): void => {
    if (parts.length > 0) messages.push({ role: "assistant", parts });
    if (open.length > 0) messages.push({ role: "tool", results: open.map(toResult) });
    parts = [];
    open = [];
  };

  for (const stored of events) {
    const read = readEvent(stored);
    if (read.kind !== "known") continue;
    const { event } = read;
    switch (event.type) {
      case "user.message":
        closeAnswer();
        messages.push({ role: "user", text: event.data.text });
        break;
      case "assistant.message":
        if (open.length > 0) closeAnswer();
        parts.push({ kind: "text", text: event.data.text });
        break;
      case "assistant.reasoning":
        if (open.length > 0) closeAnswer();
        parts.push({ kind: "reasoning", ...withoutItem(event.data) });
        break;
      case "cell.submitted": {
        const id = event.data.providerCallId;
        if (id === undefined) break;
        const cell: Cell = { id, calls: [] };
        cells.set(event.data.cellId, cell);
        open.push(cell);
        parts.push({
          kind: "tool_call",
          id,
          name: "run_code",
          inputJson: JSON.stringify({ code: event.data.code }),
        });
        break;
      }
      default:
        noteCell(cells, event);
    }
  }
  closeAnswer();
  return messages;
}

interface Cell {
  readonly id: string;
  readonly calls: EventData<"call.settled">[];
  checked?: EventData<"cell.checked">;
  completed?: EventData<"cell.completed">;
}

function noteCell(cells: ReadonlyMap<string, Cell>, event: CanonicalEvent): void {
  if (event.type !== "cell.checked" && event.type !== "cell.completed" && event.type !== "call.settled")
    return;
  const cell = cells.get(event.data.cellId ?? "");
  if (cell === undefined) return;
  if (event.type === "cell.checked") cell.checked = event.data;
  else if (event.type === "cell.completed") cell.completed = event.data;
  else cell.calls.push(event.data);
}

function toResult(cell: Cell): ToolResult {
  return { callId: cell.id, ...describeCell(cell) };
}

function withoutItem(data: EventData<"assistant.reasoning">): {
  readonly text: string;
  readonly opaque?: string;
} {
  return data.opaque === undefined ? { text: data.text } : { text: data.text, opaque: data.opaque };
}
