import type { AssistantPart } from "@deputy/model";
import type { CanonicalEvent, EventData, EventOf } from "@deputy/protocol";
import { frameSummary } from "../compaction/summary-frame.ts";
import { factsText } from "../ingress/facts-text.ts";
import { ours, plainText, type Text } from "../ingress/labelled-text.ts";
import { messageText } from "../ingress/message-text.ts";
import { recalledText } from "../ingress/recalled-text.ts";
import type { PromptMessage, PromptResult } from "../ingress/prompt.ts";
import { picturesIn } from "../pictures/picture-shelf.ts";
import { describeCell } from "./describe-cell.ts";

const SCRIPT_HAS_RUN = ours`Your script has run.`;

const SCRIPT_HAS_NOT_RUN = ours`Your script has not run.`;

/** True for the result of a script, which only a message of the user's role can carry. */
export function isScriptResult([first]: Text): boolean {
  const { by, text = "" } = first ?? {};
  if (by?.kind !== "deputy") return false;
  return [SCRIPT_HAS_RUN, SCRIPT_HAS_NOT_RUN].some((sentence) => text.startsWith(plainText(sentence)));
}

/** A piece of the conversation that is never parted: a message, or an answer with the results of its calls. */
export interface HistoryPart {
  /** `kept`: said before the summary's end, and still shown word for word. */
  readonly kind: "summary" | "kept" | "said" | "answered";
  /** Its first event: a prompt can begin here. */
  readonly fromSeq: number;
  readonly messages: readonly PromptMessage[];
}

/** The conversation of a stream as a model sees it: a pure projection, so a restart changes nothing in it. */
export function buildHistory(events: readonly CanonicalEvent[]): PromptMessage[] {
  return readHistory(events).flatMap((part) => part.messages);
}

/** The same in its pieces, from the last compaction on: its summary stands for what came before. */
export function readHistory(events: readonly CanonicalEvent[]): HistoryPart[] {
  const compacted = lastCompaction(events);
  const history: HistoryPart[] = compacted === undefined ? [] : standIns(events, compacted);
  const cells = new Map<string, Cell>();
  const asked = new Set<string>();
  let answerSeq: number | undefined;
  let parts: AssistantPart[] = [];
  let open: Cell[] = [];
  /**
   * User messages that came while programs ran. They go after the results, because a call and its result must stay
   * together.
   */
  let meanwhile: Extract<PromptMessage, { role: "user" }>[] = [];

  /** Closes the assistant's message, and answers every program in it: providers reject an unpaired call. */
  const closeAnswer = (): void => {
    const messages: PromptMessage[] = [];
    if (parts.length > 0) messages.push({ role: "assistant", parts });
    const called = open.filter(({ isScript }) => !isScript);
    if (called.length > 0) messages.push({ role: "tool", results: called.map(toResult) });
    for (const cell of open.filter(({ isScript }) => isScript))
      messages.push({ role: "user", text: describeScript(cell), ...withPictures(ofCalls(cell)) });
    messages.push(...meanwhile);
    if (answerSeq !== undefined && messages.length > 0)
      history.push({ kind: "answered", fromSeq: answerSeq, messages });
    answerSeq = undefined;
    parts = [];
    open = [];
    meanwhile = [];
  };

  for (const event of afterAnswers(events)) {
    if (event.seq <= (compacted?.throughSeq ?? 0)) continue;
    switch (event.type) {
      case "user.message":
        if (open.some((cell) => !isOver(cell))) {
          meanwhile.push(saidMessage(event.data));
          break;
        }
        closeAnswer();
        history.push(saidPart("said", event));
        break;
      case "turn.facts":
      case "memory.recalled": {
        if (event.type === "memory.recalled" && event.data.hits.length === 0) break;
        const text = event.type === "turn.facts" ? factsText(event.data) : recalledText(event.data);
        // Behind the message that it is for, which is behind the results of the answer before it.
        if (answerSeq !== undefined) meanwhile.push({ role: "user", text });
        else history.push(withText(history.pop(), event.seq, text));
        break;
      }
      case "turn.failed":
      case "turn.aborted":
        closeAnswer();
        break;
      case "assistant.message":
        if (open.length > 0) closeAnswer();
        answerSeq ??= event.seq;
        if (event.data.text !== "") parts.push({ kind: "text", text: event.data.text });
        break;
      case "assistant.reasoning":
        if (open.length > 0) closeAnswer();
        answerSeq ??= event.seq;
        parts.push({ kind: "reasoning", ...withoutItem(event.data) });
        break;
      case "cell.submitted": {
        const id = event.data.providerCallId;
        if (id === undefined) break;
        // A cell of the same answer stands beside the others; one of a later answer comes after their results.
        if (open.some(isOver)) closeAnswer();
        answerSeq ??= event.seq;
        const isScript = event.data.isScript === true;
        const cell: Cell = { id, isScript, isCall: event.data.call !== undefined, calls: [], asked };
        cells.set(event.data.cellId, cell);
        open.push(cell);
        if (!isScript) parts.push({ kind: "tool_call", id, ...calledAs(event.data) });
        else if (event.data.apart === true) parts.push({ kind: "text", text: taggedScript(event.data) });
        break;
      }
      case "call.decided":
        if (event.data.decision === "ask" || event.data.grantId !== undefined) asked.add(event.data.callId);
        break;
      default:
        noteCell(cells, event);
    }
  }
  closeAnswer();
  return history;
}

/** A program that was taken out of the text, as it stood there. */
export function taggedScript({ code, unclosed }: EventData<"cell.submitted">): string {
  return unclosed === true ? `<script>${code}` : `<script>${code}</script>`;
}

/** Moves messages that came while the model was answering behind that answer, because the model had not seen them. */
function afterAnswers(events: readonly CanonicalEvent[]): readonly CanonicalEvent[] {
  const moved = new Map<number, CanonicalEvent[]>();
  let next: { readonly at: number; readonly throughSeq: number } | undefined;
  for (let at = events.length - 1; at >= 0; at--) {
    const event = events[at];
    if (event === undefined) continue;
    const answer =
      event.type === "assistant.message" || event.type === "cell.submitted" ? event.data.answer : undefined;
    if (answer !== undefined) next = { at, throughSeq: answer.throughSeq };
    if (event.type !== "user.message" || next === undefined || event.seq <= next.throughSeq) continue;
    moved.set(next.at, [event, ...(moved.get(next.at) ?? [])]);
  }
  if (moved.size === 0) return events;
  const late = new Set([...moved.values()].flat());
  return events.flatMap((event, at) => [...(late.has(event) ? [] : [event]), ...(moved.get(at) ?? [])]);
}

export interface Compaction {
  readonly seq: number;
  readonly throughSeq: number;
  readonly data: EventData<"session.compacted">;
}

/** The one that counts. What it claims of events after itself does not: an imported log may say anything. */
export function lastCompaction(events: readonly CanonicalEvent[]): Compaction | undefined {
  const event = events.findLast(({ type }) => type === "session.compacted");
  if (event?.type !== "session.compacted") return undefined;
  return { seq: event.seq, throughSeq: Math.min(event.data.throughSeq, event.seq), data: event.data };
}

/** The events that replace the compacted ones: the summary, and the messages that are still shown in full. */
function standIns(events: readonly CanonicalEvent[], { seq, throughSeq, data }: Compaction): HistoryPart[] {
  const kept = new Set(data.keptSeqs);
  const summary = { role: "user" as const, text: frameSummary(data) };
  return [
    { kind: "summary", fromSeq: seq, messages: [summary] },
    ...events.flatMap((event) =>
      event.type === "user.message" && event.seq <= throughSeq && kept.has(event.seq)
        ? [saidPart("kept", event)]
        : [],
    ),
  ];
}

function saidPart(kind: "kept" | "said", { seq, data }: EventOf<"user.message">): HistoryPart {
  return { kind, fromSeq: seq, messages: [saidMessage(data)] };
}

function saidMessage(data: EventData<"user.message">): Extract<PromptMessage, { role: "user" }> {
  return { role: "user", text: messageText(data), ...withPictures(data.attachments) };
}

function withPictures(attachments: Parameters<typeof picturesIn>[0]): Pick<PromptResult, "pictures"> {
  const pictures = picturesIn(attachments);
  return pictures.length === 0 ? {} : { pictures };
}

/** What the calls of a program have kept. */
function ofCalls({ calls }: Cell): EventData<"call.settled">["attachments"] {
  return calls.flatMap(({ attachments }) => attachments);
}

/** It stays with the message that it is for. */
function withText(before: HistoryPart | undefined, seq: number, text: Text): HistoryPart {
  const recalled = { role: "user" as const, text };
  if (before === undefined) return { kind: "said", fromSeq: seq, messages: [recalled] };
  return { ...before, messages: [...before.messages, recalled] };
}

interface Cell {
  readonly id: string;
  readonly isScript: boolean;
  readonly isCall: boolean;
  readonly calls: EventData<"call.settled">[];
  readonly asked: Set<string>;
  checked?: EventData<"cell.checked">;
  completed?: EventData<"cell.completed">;
}

function describeScript(cell: Cell): Text {
  const hasRun = (cell.checked?.diagnostics.length ?? 0) === 0;
  return [...(hasRun ? SCRIPT_HAS_RUN : SCRIPT_HAS_NOT_RUN), ...ours`\n${describeCell(cell).text}`];
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

function toResult(cell: Cell): PromptResult {
  return { callId: cell.id, ...describeCell(cell), ...withPictures(ofCalls(cell)) };
}

function withoutItem(data: EventData<"assistant.reasoning">): {
  readonly text: string;
  readonly opaque?: string;
} {
  return data.opaque === undefined ? { text: data.text } : { text: data.text, opaque: data.opaque };
}
