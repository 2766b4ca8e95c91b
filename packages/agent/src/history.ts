import type { AssistantPart, ModelMessage, ToolResult } from "@deputy/model";
import type { CanonicalEvent, EventData } from "@deputy/protocol";
import { describeCell } from "./describe-cell.ts";

/** The conversation of a stream as a model sees it: a pure projection, so a restart changes nothing in it. */
export function buildHistory(events: Iterable<CanonicalEvent>): ModelMessage[] {
  const messages: ModelMessage[] = [];
  const cells = new Map<string, Cell>();
  let parts: AssistantPart[] = [];
  let open: Cell[] = [];
  /** What the user said while programs ran: a call and its result must not be parted. */
  let meanwhile: string[] = [];

  /** Closes the assistant's message, and answers every program in it: providers reject an unpaired call. */
  const closeAnswer = (): void => {
    if (parts.length > 0) messages.push({ role: "assistant", parts });
    const called = open.filter(({ isScript }) => !isScript);
    if (called.length > 0) messages.push({ role: "tool", results: called.map(toResult) });
    for (const cell of open.filter(({ isScript }) => isScript))
      messages.push({ role: "user", text: `Your script has run.\n${describeCell(cell).text}` });
    for (const text of meanwhile) messages.push({ role: "user", text });
    parts = [];
    open = [];
    meanwhile = [];
  };

  for (const event of events) {
    switch (event.type) {
      case "user.message":
        if (open.some((cell) => !isOver(cell))) {
          meanwhile.push(event.data.text);
          break;
        }
        closeAnswer();
        messages.push({ role: "user", text: event.data.text });
        break;
      case "turn.failed":
      case "turn.aborted":
        closeAnswer();
        break;
      case "assistant.message":
        if (open.length > 0) closeAnswer();
        if (event.data.text !== "") parts.push({ kind: "text", text: event.data.text });
        break;
      case "assistant.reasoning":
        if (open.length > 0) closeAnswer();
        parts.push({ kind: "reasoning", ...withoutItem(event.data) });
        break;
      case "cell.submitted": {
        const id = event.data.providerCallId;
        if (id === undefined) break;
        // A cell of the same answer stands beside the others; one of a later answer comes after their results.
        if (open.some(isOver)) closeAnswer();
        const isScript = event.data.isScript === true;
        const cell: Cell = { id, isScript, isCall: event.data.call !== undefined, calls: [] };
        cells.set(event.data.cellId, cell);
        open.push(cell);
        if (!isScript) parts.push({ kind: "tool_call", id, ...calledAs(event.data) });
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
  readonly isScript: boolean;
  readonly isCall: boolean;
  readonly calls: EventData<"call.settled">[];
  checked?: EventData<"cell.checked">;
  completed?: EventData<"cell.completed">;
}

function isOver(cell: Cell): boolean {
  return cell.completed !== undefined || (cell.checked?.diagnostics.length ?? 0) > 0;
}

function calledAs({ call, code }: EventData<"cell.submitted">): {
  readonly name: string;
  readonly inputJson: string;
} {
  if (call === undefined) return { name: "run_code", inputJson: JSON.stringify({ code }) };
  return { name: call.name, inputJson: JSON.stringify(call.input ?? {}) };
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
